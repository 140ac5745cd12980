"""Surroundings: what the variables of a function hold for those that are defined in it."""

from collections.abc import Set
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.reading.environment import Environment, join_environments
from vetbox.rules.walk import identifier


@dataclass(slots=True)
class Surroundings:
    """By nested function: the variables around it, and what they held when it was last read."""

    _now: dict[int, Environment] = field(default_factory=dict)
    _read: dict[int, Environment] = field(default_factory=dict)
    _names: dict[int, Set[str]] = field(default_factory=dict)

    def are_known(self, function: Function) -> bool:
        """Was its definition read?"""
        return id(function.node) in self._now

    def define(self, node: cst.FunctionDef, around: Environment) -> None:
        """Note a definition; what changes around it from here on is seen when it is read."""
        self._now[id(node)] = around

    def at_reading(self, function: Function) -> Environment | None:
        """The variables a nested function is read with; None for one that is not nested."""
        around = self._now.get(id(function.node))
        if around is None:
            return None
        self._read[id(function.node)] = around.copy()
        return around.copy()

    def grow(self, function: Function, env: Environment) -> bool:
        """At a call: may a variable it uses hold anything it did not when it was last read?

        As in a loop, where what is assigned on the way is not what stood around the definition.
        """
        read = self._read.get(id(function.node)) or self._now.get(id(function.node))
        if read is None or not any(_gained(env, read, name) for name in self.names_in(function)):
            return False
        self._now[id(function.node)] = join_environments(read, env)
        return True

    def names_in(self, function: Function) -> Set[str]:
        """The names that stand in a function."""
        found = self._names.get(id(function.node))
        if found is None:
            found = self._names[id(function.node)] = names_in(function.node)
        return found


def names_in(*nodes: cst.CSTNode, but: type[cst.CSTNode] | None = None) -> Set[str]:
    """The names that stand in some nodes, but in what is of a type below them."""
    found: set[str] = set()
    left = [*nodes]
    while left:
        node = left.pop()
        if type(node) is cst.Name:
            found.add(identifier(node))
        elif type(node) is not but:
            left += children(node)
    return found


def _gained(env: Environment, read: Environment, name: str) -> bool:
    held, known = env.get(name), read.get(name)
    if held is None or not held.all_taints:
        return False
    return known is None or not held.all_taints.keys() <= known.all_taints.keys()
