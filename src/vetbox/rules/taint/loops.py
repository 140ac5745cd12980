"""Loops: the variables where `break` and `continue` leave a pass."""

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.environment import Environment, join_environments


@dataclass(slots=True)
class Exits:
    """What one loop is left with, and what a pass of it is cut short with."""

    broken: Environment | None = None
    continued: Environment | None = None

    def leave(self, env: Environment) -> None:
        """`break` stands here."""
        self.broken = _joined(self.broken, env)

    def go_on(self, env: Environment) -> None:
        """`continue` stands here."""
        self.continued = _joined(self.continued, env)

    def pass_over(self, env: Environment) -> Environment:
        """What holds after a pass, the one that ended at `continue` included."""
        over, self.continued = self.continued, None
        return env if over is None else join_environments(env, over)

    def ended(self, env: Environment) -> Environment:
        """What holds behind the loop and its `else`."""
        return env if self.broken is None else join_environments(env, self.broken)


def is_endless(test: cst.BaseExpression) -> bool:
    """Is it written so that it always holds?"""
    match test:
        case cst.Name(value="True"):
            return True
        case cst.Integer():
            return test.evaluated_value != 0
    return False


def _joined(known: Environment | None, env: Environment) -> Environment:
    return env.copy() if known is None else join_environments(known, env)
