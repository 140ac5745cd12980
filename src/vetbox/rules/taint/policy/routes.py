"""Routes: the parameters of views whose addresses do not name them, so that no client gives them.

Flask and those like it give a view the parts of its address and nothing else. What more it takes,
its other decorators give: those of the file say what, and `@login_required` gives whom it let in.
"""

import re
from collections.abc import Iterator

import libcst as cst

from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import identifier, last_word, written_name

_FRAMEWORKS = frozenset({"flask", "quart", "bottle"})
_ROUTES = frozenset({"route", "websocket"})
_BUILTINS = frozenset({"str", "int", "float", "bool", "dict", "list"})
_LETTING_IN = re.compile(r"(?i)login|auth|token|jwt|role|permi|admin|user|required|session|limit")
"""Decorators by such names give nothing that a client has written."""


def given_by_nobody(definition: cst.FunctionDef, facts: Resolver) -> frozenset[str]:
    """The parameters that neither an address names nor a decorator may take from a request."""
    made = [one.decorator for one in definition.decorators]
    routes = [one for one in made if isinstance(one, cst.Call) and last_word(one.func) in _ROUTES]
    others = [one for one in made if one not in routes]
    if not routes or not others or not _is_of_framework(facts):
        return frozenset()
    addresses = [_address(one, facts) for one in routes]
    if None in addresses or not all(_is_known(one, facts) for one in others):
        return frozenset()
    words = set(re.findall(r"\w+", " ".join(filter(None, addresses))))
    names = {identifier(one.name) for one in parameter_list(definition.params) if _is_plain(one)}
    return frozenset(names - words)


def _is_plain(parameter: cst.Param) -> bool:
    """May only an address fill it? What is of a class of its own, extensions read of a body."""
    said = parameter.annotation
    return not parameter.star and (said is None or last_word(said.annotation) in _BUILTINS)


def _address(route: cst.Call, facts: Resolver) -> str | None:
    known = facts.folder.value(route.args[0].value) if route.args else None
    return known if isinstance(known, str) and known.startswith("/") else None


def _is_known(decorator: cst.BaseExpression, facts: Resolver) -> bool:
    """Is it of this file, or one that says by its name that it takes nothing from a request?"""
    func = decorator.func if isinstance(decorator, cst.Call) else decorator
    name = last_word(func)
    return _LETTING_IN.search(name) is not None or name in _defined(facts)


def _defined(facts: Resolver) -> Iterator[str]:
    functions = facts.tree.by_type.get(cst.FunctionDef, ())
    return (identifier(one.name) for one in functions if isinstance(one, cst.FunctionDef))


def _is_of_framework(facts: Resolver) -> bool:
    """Does the module import something of a framework with such routes?"""
    for kind in (cst.ImportFrom, cst.Import):
        for node in facts.tree.by_type.get(kind, ()):
            match node:
                case cst.ImportFrom(module=cst.Name() | cst.Attribute() as module):
                    named = [module]
                case cst.Import(names=names):
                    named = [one.name for one in names]
                case _:
                    named = []
            roots = {(written_name(one) or "").partition(".")[0] for one in named}
            if not _FRAMEWORKS.isdisjoint(roots):
                return True
    return False
