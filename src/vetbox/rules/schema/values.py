"""The schema of conditions on a value: `{is: truthy}`, `{compare: "< 2048"}`, or a literal."""

import re
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
)
from pydantic_core import CoreSchema

from vetbox.rules.schema.base import Closed, NameList, says_something
from vetbox.rules.schema.regex import Regex


def _hyphened(word: Any) -> Any:
    return word.replace("_", "-") if isinstance(word, str) else word


def underscored(word: str) -> str:
    """As the engine spells it."""
    return word.replace("-", "_")


_Word = Literal[
    "any", "literal", "non-literal", "truthy", "falsy", "none", "not-none",
    "str", "bytes", "int", "float", "number", "bool", "list", "tuple", "dict", "set",
    "fstring", "formatted", "fixed", "call", "lambda", "name", "own-class",
]  # fmt: skip
_ALSO_SPELT = [underscored(word) for word in get_args(_Word) if "-" in word]
IsWord: TypeAlias = Annotated[
    _Word,
    BeforeValidator(_hyphened),
    WithJsonSchema({"enum": [*get_args(_Word), *_ALSO_SPELT], "type": "string"}),
]
"""Spelled with a hyphen, or with an underscore as well."""
_COMPARISON = re.compile(r"(<=|>=|==|!=|<|>) *(-?(?:0[xo][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?))")
_BITS = re.compile(r"& *(0[xo][0-9a-fA-F]+|[0-9]+)")
Scalar: TypeAlias = str | int | float | bool | None


def read_comparison(text: str) -> tuple[str, float]:
    """`"< 2048"` taken apart."""
    found = _COMPARISON.fullmatch(text)
    if not found:
        raise ValueError(f"'{text}' is not a comparison such as '< 2048'")
    number = found[2]
    return found[1], int(number, 0) if number.lstrip("-").startswith(("0x", "0o")) else float(
        number
    )


def read_bits(text: str) -> int:
    """`"& 0o022"` as its mask."""
    found = _BITS.fullmatch(text)
    if not found:
        raise ValueError(f"'{text}' is not a mask such as '& 0o022'")
    return int(found[1], 0)


def _checked(read: Any) -> Any:
    def check(text: str) -> str:
        read(text)
        return text

    return AfterValidator(check)


def _literal(value: Any) -> Any:
    """A plain value stands for `{in: [value]}`."""
    return value if isinstance(value, dict | Closed) else {"in": [value]}


class ConditionModel(Closed):
    """What a value must be; several keys must hold together."""

    is_: IsWord | None = Field(None, alias="is")
    regex: Regex | None = None
    in_: list[Scalar] | None = Field(None, alias="in", min_length=1)
    compare: Annotated[str, _checked(read_comparison)] | None = None
    bits: Annotated[str, _checked(read_bits)] | None = None
    name: NameList = []
    contains: "Value | None" = None
    first: "Value | None" = None
    has: "dict[str, Value]" = {}
    length: Annotated[str, _checked(read_comparison)] | None = None
    entropy: float | None = Field(None, ge=0, le=8)
    backtracks: Literal["found", "whole"] | None = Field(
        None, description="a regular expression that takes exponential time to refuse a text"
    )
    any_: "list[Value]" = Field([], alias="any")
    not_: "Value | None" = Field(None, alias="not")

    _check_given = says_something("use {is: any} for a value of any kind")


class _OrLiteral:
    """What editors are told: a condition, or a plain value."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        plain = {"type": ["string", "number", "boolean", "null"]}
        return {"anyOf": [handler(schema), plain]}


Value: TypeAlias = Annotated[ConditionModel, BeforeValidator(_literal), _OrLiteral()]
ConditionModel.model_rebuild()
