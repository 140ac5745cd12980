"""The limits that may end a run."""

import enum


class Limit(enum.StrEnum):
    """The limit of the policy that ended a run."""

    FUEL = "fuel"
    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    TOOL_CALLS = "tool_calls"
    CANCELLED = "cancelled"
