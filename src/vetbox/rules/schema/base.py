"""What all parts of the rule schema share: closed mappings, name lists, globs."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from vetbox.rules.remembering import MadeOf

KIND = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
"""The spelling of a shared kind; it is the name of its file in `rules/models`."""


VALIDATED = MadeOf[Any]()
"""The parts of rules that were found valid, for whoever reads rules that share some."""


def _spelling(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


class Closed(BaseModel):
    """A mapping of known keys only; a wrong one is answered with the nearest right one."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, alias_generator=_spelling, populate_by_name=False
    )

    @model_validator(mode="wrap")
    @classmethod
    def _known_keys(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, Mapping):
            return handler(data)
        known = _keys_of(cls)
        for key in data:
            if key not in known:
                raise _unknown_key(str(key), [*known])
            if data[key] is None:
                raise _empty_key(str(key))
        made: Self = VALIDATED.get(data, cls, lambda: handler(data))
        return made


@cache
def _keys_of(model: type[Closed]) -> dict[str, None]:
    """In their order; every mapping of a rule asks."""
    return dict.fromkeys(field.alias or name for name, field in model.model_fields.items())


def _unknown_key(key: str, known: list[str]) -> PydanticCustomError:
    close = get_close_matches(key, known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"the keys here are {', '.join(known)}"
    message = f"'{key}' is not a known key; {hint}"
    return PydanticCustomError("unknown_key", "{message}", {"message": message, "key": key})


def _empty_key(key: str) -> PydanticCustomError:
    message = f"'{key}' is empty; indent what belongs to it, or leave it out"
    return PydanticCustomError("empty_key", "{message}", {"message": message, "key": key})


def one_or_more(*keys: str) -> Any:
    """A validator: at least one of the optional keys is given."""

    def check(model: Closed) -> Closed:
        fields = (key.replace("-", "_") for key in keys)
        if not any(getattr(model, field) for field in fields):
            raise ValueError(f"needs {' or '.join(keys)}")
        return model

    return model_validator(mode="after")(check)


def says_something(what: str) -> Any:
    """A validator: the mapping is not empty."""

    def check(model: Closed) -> Closed:
        if not model.model_fields_set:
            raise ValueError(f"says nothing; {what}")
        return model

    return model_validator(mode="after")(check)


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _name(value: str) -> str:
    if value.split() != [value] or "(" in value:
        raise ValueError(f"'{value}' is not a dotted name such as os.system")
    return value


_LISTED = (
    BeforeValidator(_as_list),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
)
"""A list of words, or the one word that it holds."""
NameList: TypeAlias = Annotated[list[Annotated[str, AfterValidator(_name)]], *_LISTED]
PathGlob: TypeAlias = Annotated[str, Field(min_length=1, max_length=300)]


def _argument(key: str) -> str:
    """Which argument is meant must be one that a call can have."""
    parts = key.split("|")
    positions = [part for part in parts if part.isdecimal()]
    named = all(part.isidentifier() or part.isdecimal() for part in parts)
    if not named or len(positions) > 1 or ("any" in parts and len(parts) > 1):
        hint = "write a name, a position from 0, both as in path|0, or any"
        raise ValueError(f"'{key}' is no argument of a call; {hint}")
    return key


def _part(at: str) -> str:
    """The same of a part of a call: `arg.0|name`."""
    _, _, key = at.partition(".")
    if key:
        _argument(key)
    return at


ArgumentKey: TypeAlias = Annotated[str, AfterValidator(_argument)]
ArgumentList: TypeAlias = Annotated[list[ArgumentKey], *_LISTED]
CallPart: TypeAlias = Annotated[str, AfterValidator(_part)]


class EquivalentModel(Closed):
    """A mutant of this file that no code can tell from it."""

    clause: str
    why: str = Field(min_length=10)
