"""A budget of steps: the same input always stops at the same step, and it is said that it did."""

from vetbox.errors import VetboxError
from vetbox.late_dataclasses import dataclass

_AT_ONCE = 8


class BudgetExceededError(VetboxError):
    """Judging a file took more steps than its budget allows."""


@dataclass(slots=True)
class Budget:
    """Counts down."""

    steps: int

    def spend(self, steps: int = 1) -> None:
        """Raises BudgetExceededError when the steps are used up."""
        self.steps -= steps
        if self.steps < 0:
            raise BudgetExceededError(
                "judging this file takes more steps than are taken; split the file"
            )

    def glance(self, at: int) -> None:
        """Spend on answers that are known already and only put together."""
        self.spend(at // _AT_ONCE)
