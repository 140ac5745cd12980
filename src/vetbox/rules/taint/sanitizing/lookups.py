"""Lookups: a loop over all addresses of a host that refuses some of them checks the host.

`for info in socket.getaddrinfo(host, None): if not ip_address(info[4][0]).is_global: raise`, and
`all(ip_address(info[4][0]).is_global for info in socket.getaddrinfo(host, None))`.
"""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.data.unknown_origin import bare
from vetbox.rules.taint.sanitizing.allow_lists import address_of
from vetbox.rules.walk import last_word

HOST_CHECK: Final = frozenset({"host-check"})
"""The sanitizer that says of an address where it lies."""

_FUNCTIONS = frozenset({"socket.getaddrinfo", "socket.gethostbyname_ex"})
_METHODS = frozenset({"getaddrinfo"})
_KEEPING = frozenset({"set", "list", "tuple", "sorted", "frozenset"})
_LEAVING = (cst.Return, cst.Raise)


def host_looked_up(
    found: cst.BaseExpression, facts: Facts, depth: int = 4
) -> cst.BaseExpression | None:
    """Whose addresses these are, or parts of them: the address of the host, else the host."""
    match found:
        case cst.Await(expression=inner) | cst.Subscript(value=inner):
            return host_looked_up(inner, facts, depth)
        case cst.ListComp(for_in=each) | cst.SetComp(for_in=each) | cst.GeneratorExp(for_in=each):
            is_plain = each.inner_for_in is None and not each.ifs
            return host_looked_up(each.iter, facts, depth) if is_plain else None
        case cst.Call(func=func, args=[cst.Arg(value=given), *_]) if _looks_up(func, facts):
            return address_of(given, facts) or given
        case cst.Call(func=func, args=[cst.Arg(value=given)]) if _keeps(func, facts):
            return host_looked_up(given, facts, depth)
        case cst.Name() if depth:
            behind = facts.behind(found)
            return None if behind is None else host_looked_up(behind, facts, depth - 1)
    return None


def _looks_up(func: cst.BaseExpression, facts: Facts) -> bool:
    """By the name it was imported by, or that of a method of an event loop."""
    return last_word(func) in _METHODS or not _FUNCTIONS.isdisjoint(facts.names(func))


def _keeps(func: cst.BaseExpression, facts: Facts) -> bool:
    return not _KEEPING.isdisjoint(bare(facts.names(func)))


def refusals(block: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The tests of a block behind which it goes on only where they fail."""
    match block:
        case cst.If(test=test, body=cst.IndentedBlock(body=[*_, last]), orelse=None):
            if _leaves(last):
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
