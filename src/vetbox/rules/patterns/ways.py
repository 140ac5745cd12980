"""Ways: what matching gives, for a hole, a test, and elements in order or in any order."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

import libcst as cst

from vetbox.rules.budget import Budget
from vetbox.rules.patterns.bindings import Bindings, Bound
from vetbox.rules.patterns.vocabulary import gap_name

T = TypeVar("T")
Ways: TypeAlias = Iterator[Bindings]
"""Every way in which something matches, as what is bound by it."""
One: TypeAlias = Callable[[T, T, Bindings], Ways]
"""How one element matches another."""
_Reading: TypeAlias = tuple[One[cst.CSTNode], Callable[[cst.CSTNode], bool]]
"""How elements match, and which of the wanted are gaps."""


def when(holds: bool, env: Bindings) -> Ways:
    """What is known already, where something holds."""
    return iter((env,) if holds else ())


def bind(name: str, value: Bound, env: Bindings) -> Ways:
    """`$NAME` stands for a value, unless it stands for another."""
    bound = env.with_(name, value)
    return iter(()) if bound is None else iter((bound,))


def in_order(
    wanted: Sequence[cst.CSTNode],
    given: Sequence[cst.CSTNode],
    env: Bindings,
    reading: _Reading,
    budget: Budget,
) -> Ways:
    """A gap stands for any number of elements, `$...X` binds those."""
    budget.spend()
    if not wanted:
        if not given:
            yield env
        return
    one, is_gap = reading
    first, rest = wanted[0], wanted[1:]
    name = gap_name(first)
    if name is not None or is_gap(first):
        for length in range(len(given) + 1):
            bound = env if name is None else env.with_(name, Bound(None, tuple(given[:length])))
            if bound is not None:
                yield from in_order(rest, given[length:], bound, reading, budget)
    elif given:
        for bound in one(first, given[0], env):
            yield from in_order(rest, given[1:], bound, reading, budget)


def in_any_order(
    wanted: Sequence[T], given: Sequence[T], env: Bindings, one: One[T], budget: Budget
) -> Ways:
    """Each wanted element takes a given one of its own."""
    budget.spend()
    if not wanted:
        yield env
        return
    for index, candidate in enumerate(given):
        others = [*given[:index], *given[index + 1 :]]
        for bound in one(wanted[0], candidate, env):
            yield from in_any_order(wanted[1:], others, bound, one, budget)
