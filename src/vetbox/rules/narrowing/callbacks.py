"""Callbacks: the call that `map(f, xs)`, `Thread(target=f)` or a task makes, at once or later."""

import ast
from collections.abc import Iterator, Set

from vetbox.rules.language.callbacks import (
    BEGINNING,
    COLUMNS,
    GIVEN_ITSELF,
    LED,
    MAPPERS,
    MAPPING_METHODS,
    PASSING,
    REDUCERS,
    STARTERS,
    TASKS,
    WITH_ROWS,
    WITH_TUPLES,
)
from vetbox.rules.taint.calls.effects import PUSHING

HANDING_ON: Set[str] = frozenset({"setattr", "setitem", "print", "dump", *PUSHING})
"""Those of what puts one of its arguments into another."""


def handed_call(call: ast.Call) -> ast.Call | None:
    """The call f(x) that `map(f, xs)` makes, with the whole collections for their elements."""
    name = str(getattr(call.func, "attr", None) or getattr(call.func, "id", None))
    method = isinstance(call.func, ast.Attribute)
    if name in (MAPPING_METHODS if method else MAPPERS):
        return _of(call, 0)
    if name in REDUCERS:
        return _of_reduced(call)
    if name in WITH_ROWS:
        return _of_rows(call)
    if name in TASKS and isinstance(call.func, ast.Attribute) and _is_task(call):
        return _of_task(call, call.func)
    if name in GIVEN_ITSELF and isinstance(call.func, ast.Attribute) and call.args:
        return ast.Call(call.args[0], [call.func.value], [])
    if name in STARTERS:
        made = _of(call, STARTERS[name])
        return _led(made) if made is not None and name in LED else made
    return _of_tuple(call, *WITH_TUPLES[name]) if name in WITH_TUPLES else None


def handed_on(call: ast.Call) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a builtin puts into one of its arguments: the place, and what it is."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in PUSHING and len(call.args) > 1:
            yield call.args[0], call.args[1]
        case ast.Name(id="setattr" | "setitem") | ast.Attribute(attr="setitem"):
            yield from ((call.args[0], value) for value in call.args[2:])
        case ast.Name(id="print"):
            files = [keyword.value for keyword in call.keywords if keyword.arg == "file"]
            yield from ((file, arg) for file in files for arg in call.args)
        case ast.Attribute(attr="dump") if len(call.args) > 1:
            yield call.args[1], call.args[0]


def begun(call: ast.expr | None) -> ast.Call | None:
    """The call f(a, …) that `partial(f, a)` begins."""
    if isinstance(call, ast.Call):
        name = getattr(call.func, "attr", None) or getattr(call.func, "id", None)
        return _of(call, 0) if name in BEGINNING else None
    return None


def completed(begins: ast.Call, rest: ast.Call) -> ast.Call:
    """The call that is made when what was begun is called."""
    keywords = [*begins.keywords, *rest.keywords]
    return ast.Call(begins.func, [*begins.args, *rest.args], keywords)


def _is_task(call: ast.Call) -> bool:
    """Is it the receiver that is called, and no function that is given?"""
    match call:
        case ast.Call(func=ast.Attribute(attr=name)) if name in PASSING:
            return True
        case ast.Call(args=[ast.Tuple() | ast.List(), *_]):
            return True
    return not call.args and all(keyword.arg != "func" for keyword in call.keywords)


def _of_task(call: ast.Call, method: ast.Attribute) -> ast.Call | None:
    if method.attr in PASSING:
        return ast.Call(method.value, call.args, call.keywords)
    return _of_tuple(ast.Call(call.func, [method.value, *call.args], call.keywords), 0, "", "args")


def _led(made: ast.Call) -> ast.Call:
    own = ast.copy_location(ast.Constant(...), made.func)
    return ast.Call(made.func, [own, *made.args], made.keywords)


def _of(call: ast.Call, place: int) -> ast.Call | None:
    if len(call.args) <= place:
        return None
    return ast.Call(call.args[place], call.args[place + 1 :], call.keywords)


def _of_reduced(call: ast.Call) -> ast.Call | None:
    made = _of(call, 0)
    if made is None or not made.args:
        return None
    so_far = ast.copy_location(ast.Tuple(made.args, ast.Load()), made.args[0])
    return ast.Call(made.func, [so_far, so_far], [])


def _of_rows(call: ast.Call) -> ast.Call | None:
    made = _of(call, 0)
    return made and ast.Call(made.func, made.args[:1] * COLUMNS, [])


def _of_tuple(call: ast.Call, place: int, function: str, arguments: str) -> ast.Call | None:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    func = named.get(function) or (call.args[place] if len(call.args) > place else None)
    if func is None:
        return None
    given = named.get(arguments) or (call.args[place + 1] if len(call.args) > place + 1 else None)
    args = [*_each(given)] if given is not None else []
    keywords = [ast.keyword(None, named["kwargs"])] if "kwargs" in named else []
    return ast.Call(func, args, keywords)


def _each(given: ast.expr) -> Iterator[ast.expr]:
    """The arguments that a tuple holds, one by one where it is written out."""
    elements = given.elts if isinstance(given, (ast.Tuple, ast.List)) else ()
    if elements and not any(isinstance(one, ast.Starred) for one in elements):
        yield from elements
    else:
        yield ast.copy_location(ast.Starred(given), given)
