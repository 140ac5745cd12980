"""Raising: what exceptions hold, and the variables that the handlers of a `try` find."""

from abc import abstractmethod
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.data.values import CLEAN, Value, join, mixed
from vetbox.rules.taint.reading.environment import Environment, join_environments, path_of
from vetbox.rules.taint.sanitizing.trusting import Trusting

_CAUSES = ("__cause__", "__context__")


@dataclass(slots=True)
class Raised:
    """What exceptions hold that were raised in the innermost `try`, and their causes."""

    held: list[Value] = field(default_factory=list)
    causes: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class Raising(Trusting):
    """Reads `raise` and `try`."""

    thrown: Raised = field(default_factory=Raised)
    caught: Value = CLEAN
    """What the exception holds that the handler around has caught."""

    @abstractmethod
    def block(self, suite: cst.BaseSuite) -> None:
        """Read a block."""

    def throw(self, value: Value) -> None:
        """An exception may be raised here that holds something."""
        self.thrown.held.append(value)

    def raised(self, node: cst.Raise) -> None:
        """Read `raise x from y`; a bare one raises again what was caught."""
        held = self.caught if node.exc is None else self.value(node.exc)
        self.throw(held if node.exc is None else self.env.as_whole(node.exc, held))
        self.thrown.causes.append(
            self.caught if node.cause is None else self.value(node.cause.item)
        )
        self.env.dead = True

    def tried(self, node: cst.Try | cst.TryStar) -> None:
        """Read a `try` with its handlers."""
        ways = 3 + 2 * len(node.handlers)
        self.module.budget.glance(ways * len(self.env.values))
        before, around, self.thrown = self.env.copy(), self.thrown, Raised()
        outside, self.env.lost = self.env.lost, {}
        self.block(node.body)
        lost, self.env.lost = self.env.lost, outside
        thrown, self.thrown = self.thrown, around
        # What leaves the block leaves its variables to the handlers, if it throws on the way.
        thrown_in = Environment(self.env.values, attributes=self.env.attributes)
        raised = join_environments(before, thrown_in)
        for path, value in lost.items():
            raised.values[path] = join(raised.values.get(path, value), value)
        if node.orelse is not None and not self.env.dead:
            self.block(node.orelse.body)
        after = self.env.copy()
        for handler in node.handlers:
            self.env.become(raised.copy())
            self._catch(handler, thrown)
            after = join_environments(after, self.env)
        self.env.become(after)
        if node.finalbody is not None:
            self._finally(node.finalbody)

    def _catch(self, handler: cst.ExceptHandler | cst.ExceptStarHandler, thrown: Raised) -> None:
        around, self.caught = self.caught, mixed(thrown.held)
        if handler.name is not None:
            self._name(handler.name.name, mixed(thrown.causes))
        self.block(handler.body)
        self.caught = around

    def _name(self, name: cst.BaseExpression, causes: Value) -> None:
        """Let a variable hold what was caught."""
        if self.caught.taints:
            self.bind(name, self.caught)
        for word in _CAUSES if causes.taints else ():
            self.env.assign(f"{path_of(name)}.{word}", causes)

    def _finally(self, clause: cst.Finally) -> None:
        dead, self.env.dead = self.env.dead, False
        self.block(clause.body)
        self.env.dead = self.env.dead or dead
