"""One external command, run under limits; nothing it started outlives the call."""

from vetbox.process.command import Cancelled, Completed, Limits, run
from vetbox.process.surroundings import Surroundings, surroundings

__all__ = ["Cancelled", "Completed", "Limits", "Surroundings", "run", "surroundings"]
