"""Converters: the parameters of a view that are accepted as numbers, fixed words or letters only.

The address of a route says so, or the pattern that a parameter is declared with.
"""

import re
from collections.abc import Iterator

import libcst as cst

from vetbox.rules.walk import identifier, last_word

_KINDS = r"(?:int|float|uuid|any)"
# `<int:n>` of Flask and Django, `<n:int>` of Bottle and Sanic, `{n:int}` of Starlette.
_NAME = re.compile(
    rf"<{_KINDS}(?:\([^<>]*\))?:(?P<a>\w+)>"
    rf"|<(?P<b>\w+):{_KINDS}(?:\([^<>]*\))?>"
    rf"|\{{(?P<c>\w+):{_KINDS}\}}"
)
# What FastAPI and Pydantic say of a parameter and its text: `Query(pattern="^[a-z]+$")`.
_DECLARING = frozenset(
    {"Query", "Path", "Header", "Cookie", "Form", "Body", "Param", "Parameter"}
    | {"constr", "Field", "StringConstraints"}
)
_PATTERNS = frozenset({"pattern", "regex"})
_LONG = 300
_COUNT = r"(?:[+*?]|\{[\d,]+\})?"
_SIGNS = rf"(?:\[(?:[\w.@ -]|\\[wd.-])+\]|\\[wd.-]|[\w@ -]){_COUNT}"
_WORDS = r"\((?:\?:)?[\w@ -]+(?:\|[\w@ -]+)+\)"
_HARMLESS = re.compile(
    rf"\^(?:{_WORDS}{_COUNT}|\((?:\?:)?(?:{_SIGNS})+\){_COUNT}|{_SIGNS})+(?:\$|\\[zZ])"
)


def converted(definition: cst.FunctionDef) -> frozenset[str]:
    """The parameters of a view that can be nothing but such a part.

    Of several routes each has to say so.
    """
    routes = [names for one in definition.decorators for names in _of_route(one.decorator)]
    told = frozenset.intersection(*routes) if routes else frozenset()
    return told.union(_patterned(definition.params)) if definition.decorators else told


def _patterned(parameters: cst.Parameters) -> Iterator[str]:
    """The names of those that are declared with a pattern that lets only such signs by."""
    for one in (*parameters.params, *parameters.kwonly_params):
        annotation = None if one.annotation is None else one.annotation.annotation
        if any(map(_is_harmless, (one.default, *_said_of(annotation)))):
            yield identifier(one.name)


def _said_of(annotation: cst.BaseExpression | None) -> Iterator[cst.BaseExpression]:
    """What an annotation says beside the type: `Query(...)` of `Annotated[str, Query(...)]`."""
    match annotation:
        case cst.Subscript(slice=[_, *rest]) if last_word(annotation.value) == "Annotated":
            yield from (one.slice.value for one in rest if isinstance(one.slice, cst.Index))
        case cst.Call():
            yield annotation


def _is_harmless(said: cst.BaseExpression | None) -> bool:
    if not isinstance(said, cst.Call) or last_word(said.func) not in _DECLARING:
        return False
    for arg in said.args:
        if arg.keyword and arg.keyword.value in _PATTERNS:
            text = arg.value.evaluated_value if isinstance(arg.value, cst.SimpleString) else None
            return isinstance(text, str) and len(text) < _LONG and bool(_HARMLESS.fullmatch(text))
    return False


def _of_route(decorator: cst.BaseExpression) -> Iterator[frozenset[str]]:
    """The names in the address of a decorator that has one."""
    for arg in decorator.args if isinstance(decorator, cst.Call) else ():
        path = arg.value.evaluated_value if isinstance(arg.value, cst.SimpleString) else None
        if isinstance(path, str) and "/" in path:
            found = (match.groups() for match in _NAME.finditer(path))
            yield frozenset(name for groups in found for name in groups if name)
            return
