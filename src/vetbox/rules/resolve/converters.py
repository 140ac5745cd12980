"""Route converters: the parameters of a view that a route accepts as numbers or fixed words."""

import re
from collections.abc import Iterator

import libcst as cst

_KINDS = r"(?:int|float|uuid|any)"
# `<int:n>` of Flask and Django, `<n:int>` of Bottle and Sanic, `{n:int}` of Starlette.
_NAME = re.compile(
    rf"<{_KINDS}(?:\([^<>]*\))?:(?P<a>\w+)>"
    rf"|<(?P<b>\w+):{_KINDS}(?:\([^<>]*\))?>"
    rf"|\{{(?P<c>\w+):{_KINDS}\}}"
)


def converted(definition: cst.FunctionDef) -> frozenset[str]:
    """The parameters of a view that can be nothing but such a part.

    Of several routes each has to say so.
    """
    routes = [names for one in definition.decorators for names in _of_route(one.decorator)]
    return frozenset.intersection(*routes) if routes else frozenset()


def _of_route(decorator: cst.BaseExpression) -> Iterator[frozenset[str]]:
    """The names in the address of a decorator that has one."""
    for arg in decorator.args if isinstance(decorator, cst.Call) else ():
        path = arg.value.evaluated_value if isinstance(arg.value, cst.SimpleString) else None
        if isinstance(path, str) and "/" in path:
            found = (match.groups() for match in _NAME.finditer(path))
            yield frozenset(name for groups in found for name in groups if name)
            return
