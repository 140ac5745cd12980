"""The tools that look for problems, all of one shape: staged files in, an `Analysis` out.

- each: `rule_engine`, `bandit`, `ruff` (what its `codes` are about), `flake8`, `pylint`, `radon`,
  `lizard` (on what is Python, by `parsed_lizard`).
- what they have in common: `base`, a `registry`, `external` commands, the files that a tool may see
  (`admission`), the `configuration` that it may have, `places` in a file, a `memory` of earlier
  answers, and `families` of findings about one problem.
"""

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
