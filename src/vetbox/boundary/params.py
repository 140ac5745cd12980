"""The base of every tool's parameters, and field types for what clients really send."""

import json
from collections.abc import Mapping, Sized
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic_core import PydanticKnownError

MAX_JSON_CHARACTERS = 1_000_000


class Params(BaseModel):
    """The whole parameters of one tool: complete, frozen, strict, every other key an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def from_json(value: object) -> object:
    """Some clients send lists and objects as JSON text; a list becomes a tuple."""
    if isinstance(value, str) and value[:1] in ("[", "{") and len(value) <= MAX_JSON_CHARACTERS:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return value
    return tuple(value) if isinstance(value, list) else value


def list_from_json(value: object) -> object:
    """Refuses in the words of JSON, which knows no tuples."""
    value = from_json(value)
    if not isinstance(value, tuple):
        raise PydanticKnownError("list_type")
    return value


def list_or_null_from_json(value: object) -> object:
    """The same where null stands for no list."""
    return None if value is None else list_from_json(value)


def object_from_json(value: object) -> object:
    """The same for an object, whose class is nothing to a client."""
    value = from_json(value)
    if not isinstance(value, Mapping | BaseModel):
        raise PydanticKnownError("dict_type")
    return value


def object_or_null_from_json(value: object) -> object:
    """The same where null stands for no object."""
    return None if value is None else object_from_json(value)


def at_most(count: int) -> BeforeValidator:
    """Counts a list before its items are looked at, each of which may be a path to resolve."""

    def counted(value: object) -> object:
        if isinstance(value, tuple) and len(value) > count:
            raise too_long(count, value)
        return value

    return BeforeValidator(counted)


def too_long(count: int, value: Sized) -> PydanticKnownError:
    """The error of a list of more than `count`."""
    said = {"field_type": "List", "max_length": count, "actual_length": len(value)}
    return PydanticKnownError("too_long", said)


def whole_number(value: object) -> object:
    """`"2"` where the specification's own example writes a number as text."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value


ListFromJson = BeforeValidator(list_from_json)
ObjectFromJson = BeforeValidator(object_from_json)
ObjectOrNullFromJson = BeforeValidator(object_or_null_from_json)
ListOrNullFromJson = BeforeValidator(list_or_null_from_json)
WholeNumber = Annotated[int, BeforeValidator(whole_number)]
