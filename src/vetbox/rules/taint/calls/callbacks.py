"""Callbacks: the call that `map(f, xs)`, `Thread(target=f)` or a task makes, at once or later."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.language.callbacks import (
    BEGINNING,
    COLUMNS,
    FILLING,
    GIVEN_ITSELF,
    GIVING,
    LED,
    MAPPERS,
    MAPPING_METHODS,
    PASSING,
    STARTERS,
    TASKS,
    WITH_ROWS,
    WITH_TUPLES,
)


def handed_call(call: cst.Call) -> cst.Call | None:
    """The call f(x) that `map(f, xs)` makes, with the whole collections for their elements."""
    match call.func:
        case cst.Name(value=name):
            method = False
        case cst.Attribute(attr=cst.Name(value=name)):
            method = True
        case _:
            return None
    if name in (MAPPING_METHODS if method else MAPPERS):
        return _of(call, 0) if len(call.args) > 1 else None
    if name in WITH_ROWS:
        return _of_rows(call)
    if name in TASKS and method and _is_task(call):
        return _of_task(call)
    if name in GIVEN_ITSELF:
        return _of_itself(call)
    if name in STARTERS:
        made = _of(call, STARTERS[name])
        return _led(made) if made is not None and name in LED else made
    return _of_tuple(call, *WITH_TUPLES[name]) if name in WITH_TUPLES else None


def begins_task(call: cst.Call) -> bool:
    """Does the call hand its arguments to a task, which is a function of the program?"""
    match call.func:
        case cst.Attribute(attr=cst.Name(value=name)):
            return name in TASKS and _is_task(call)
    return False


def is_mapping(call: cst.Call) -> bool:
    """Does the call give what the function gives that is handed to it, and nothing else?"""
    match call.func:
        case cst.Name(value=name):
            return name == "map" or name in GIVING
        case cst.Attribute(attr=cst.Name(value=name)):
            return name in MAPPING_METHODS or name in GIVING
    return False


def fills(call: cst.Call) -> bool:
    """Does it say what fills a parameter, `Depends(f)`?"""
    match call.func:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name in FILLING
    return False


def begins(call: cst.Call) -> bool:
    """Does it only make what calls the function later, as `partial(f, a)`?"""
    match call.func:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name in BEGINNING
    return False


def completed(begun: cst.Call, rest: cst.Call) -> cst.Call | None:
    """The call that is made when `partial(f, a)` is called."""
    made = _of(begun, 0) if begins(begun) else None
    if made is None:
        return None
    return cst.Call(made.func, sorted((*made.args, *rest.args), key=_is_named))


def _of_itself(call: cst.Call) -> cst.Call | None:
    match call:
        case cst.Call(func=cst.Attribute(value=of), args=[cst.Arg(func, keyword=None), *_]):
            return cst.Call(func, [cst.Arg(of)])
    return None


def _is_named(arg: cst.Arg) -> bool:
    return arg.keyword is not None or arg.star == "**"


def _is_task(call: cst.Call) -> bool:
    """Is it the receiver that is called, and no function that is given?"""
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))) if name in PASSING:
            return True
        case cst.Call(args=[]) | cst.Call(args=[cst.Arg(value=cst.Tuple() | cst.List()), *_]):
            return True
    return all(arg.keyword is not None and arg.keyword.value != "func" for arg in call.args)


def _of_task(call: cst.Call) -> cst.Call | None:
    match call.func:
        case cst.Attribute(value=task, attr=cst.Name(value=name)) if name in PASSING:
            return cst.Call(task, call.args)
        case cst.Attribute(value=task):
            return _of_tuple(call.with_changes(args=[cst.Arg(task), *call.args]), 0, "", "args")
    return None


def _led(made: cst.Call) -> cst.Call:
    return cst.Call(made.func, [cst.Arg(cst.Ellipsis()), *made.args])


def _of(call: cst.Call, place: int) -> cst.Call | None:
    if len(call.args) <= place or any(a.star or a.keyword for a in call.args[: place + 1]):
        return None
    return cst.Call(call.args[place].value, call.args[place + 1 :])


def _of_rows(call: cst.Call) -> cst.Call | None:
    made = _of(call, 0)
    return made and made.with_changes(args=list(made.args[:1]) * COLUMNS)


def _of_tuple(call: cst.Call, place: int, function: str, arguments: str) -> cst.Call | None:
    named = {arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}
    plain = [arg.value for arg in call.args if arg.keyword is None and not arg.star]
    func = named.get(function) or (plain[place] if len(plain) > place else None)
    if func is None:
        return None
    given = named.get(arguments) or (plain[place + 1] if len(plain) > place + 1 else None)
    keywords = named.get("kwargs")
    args = [*_each(given)] if given is not None else []
    args += [cst.Arg(keywords, star="**")] if keywords is not None else []
    return cst.Call(func, args)


def _each(given: cst.BaseExpression) -> Iterator[cst.Arg]:
    """The arguments that a tuple holds, one by one where it is written out."""
    elements = given.elements if isinstance(given, (cst.Tuple, cst.List)) else ()
    if elements and all(isinstance(one, cst.Element) for one in elements):
        yield from (cst.Arg(one.value) for one in elements)
    else:
        yield cst.Arg(given, star="*")
