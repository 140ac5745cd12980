"""The base of every tool's parameters, and field types for what clients really send."""

import json
from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

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


def list_from_json(value: object) -> tuple[object, ...]:
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


@dataclass(frozen=True, slots=True)
class Items:
    """How many items a list has: counted before they are looked at, each may be a path to resolve.

    The schema says it, which it would not of a `Field` around a validator.
    """

    least: int
    most: int

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.counted, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), "minItems": self.least, "maxItems": self.most}

    def counted(self, value: object) -> object:
        """The value, unless it is a list of too many or too few."""
        if isinstance(value, tuple) and len(value) > self.most:
            raise self._refused("too_long", value, max_length=self.most)
        if isinstance(value, tuple) and len(value) < self.least:
            raise self._refused("too_short", value, min_length=self.least)
        return value

    @staticmethod
    def _refused(
        kind: Literal["too_long", "too_short"], value: Sized, **limit: int
    ) -> PydanticKnownError:
        said = {"field_type": "List", **limit, "actual_length": len(value)}
        return PydanticKnownError(kind, said)


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A number from `least` to `most`, also as text, as the specification's example has one."""

    least: int
    most: int

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        number = core_schema.int_schema(ge=self.least, le=self.most, strict=True)
        return core_schema.no_info_before_validator_function(whole_number, number)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [handler(schema), {"type": "string", "pattern": "^[0-9]+$"}]}


def whole_number(value: object) -> object:
    """`"2"` where the specification's own example writes a number as text."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value


ListFromJson = BeforeValidator(list_from_json)
ObjectFromJson = BeforeValidator(object_from_json)
ObjectOrNullFromJson = BeforeValidator(object_or_null_from_json)
ListOrNullFromJson = BeforeValidator(list_or_null_from_json)
