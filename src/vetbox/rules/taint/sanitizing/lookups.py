"""Lookups: a loop over all addresses of a host that refuses some of them checks the host.

`for info in socket.getaddrinfo(host, None): if not ip_address(info[4][0]).is_global: raise`
"""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts, subexpressions
from vetbox.rules.taint.sanitizing.allow_lists import SPACES, address_of
from vetbox.rules.walk import identifier, last_word

_FUNCTIONS = frozenset({"socket.getaddrinfo", "socket.gethostbyname_ex"})
_METHODS = frozenset({"getaddrinfo"})
_LEAVING = (cst.Return, cst.Raise)


def host_looked_up(node: cst.For, facts: Facts) -> cst.BaseExpression | None:
    """Whose addresses a loop goes through: the address that the host is of, else the host."""
    found = facts.behind(node.iter) or node.iter
    while isinstance(found, (cst.Await, cst.Subscript)):
        found = found.expression if isinstance(found, cst.Await) else found.value
    if not isinstance(found, cst.Call) or not _looks_up(found.func, facts):
        return None
    host = found.args[0].value if found.args else None
    return None if host is None else address_of(host, facts) or host


def _looks_up(func: cst.BaseExpression, facts: Facts) -> bool:
    """By the name it was imported by, or that of a method of an event loop."""
    return last_word(func) in _METHODS or not _FUNCTIONS.isdisjoint(facts.names(func))


def refusals(block: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The tests of a block behind which it goes on only where they fail."""
    match block:
        case cst.If(test=test, body=cst.IndentedBlock(body=[*_, last]), orelse=None):
            if _leaves(last) and _asks_space(test):
                yield test
        case cst.Try(body=body):
            yield from refusals(body)
        case cst.IndentedBlock(body=statements):
            for statement in statements:
                yield from refusals(statement)


def _leaves(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[*_, last]):
            return isinstance(last, _LEAVING)
    return False


def _asks_space(test: cst.BaseExpression) -> bool:
    parts = (part for part in subexpressions(test) if isinstance(part, cst.Attribute))
    return any(identifier(part.attr) in SPACES for part in parts)
