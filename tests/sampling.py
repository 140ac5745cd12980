"""Sampling: a law over all there is takes a part of it in every run, and all when asked to."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

WHOLE = "VETBOX_WHOLE"
"""The variable that has everything taken, which takes minutes more."""


def sample(cases: Sequence[T], *, each: int = 4, first: int = 0) -> Sequence[T]:
    """Each fourth of the cases, the same in every run; all of them with VETBOX_WHOLE set."""
    return cases if os.environ.get(WHOLE) else cases[first::each]
