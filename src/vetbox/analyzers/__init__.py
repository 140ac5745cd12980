"""The tools that look for problems, all of one shape: staged files in, an `Analysis` out."""

from vetbox.analyzers.admission import admitted
from vetbox.analyzers.base import Analyzer, Job, Options
from vetbox.analyzers.families import accepted_together, cross_referenced, merged

__all__ = [
    "Analyzer",
    "Job",
    "Options",
    "accepted_together",
    "admitted",
    "cross_referenced",
    "merged",
]
