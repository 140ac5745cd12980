"""The limits that may end a run."""

import enum

CANCELLED = "Cancelled: the run was cancelled."
"""What is said of a run whose caller no longer wants it, whichever step was under way."""


class Limit(enum.StrEnum):
    """The limit of the policy that ended a run."""

    FUEL = "fuel"
    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    TOOL_CALLS = "tool_calls"
    CANCELLED = "cancelled"
