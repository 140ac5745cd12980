"""Shared work: the answer for a name with very many bindings, worked out once for all uses."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")


class Gathering:
    """What is being gathered now. `answers` are tables that others fill meanwhile."""

    def __init__(self, *answers: dict[Any, Any]) -> None:
        self._answers = answers
        self._open: dict[Hashable, Any] = {}
        self._kept: dict[Hashable, Any] = {}

    def of(
        self, key: Hashable, meanwhile: T, gather: Callable[[], T], is_whole: Callable[[], bool]
    ) -> T:
        """One answer, kept if it is whole; what asks for it meanwhile is given `meanwhile`."""
        for known in (self._kept, self._open):
            if key in known:
                return known[key]  # type: ignore[no-any-return]
        if self._open:
            return self._gathered(key, meanwhile, gather)
        with self._forgetting():
            found = self._gathered(key, meanwhile, gather)
        self._open = {}
        if is_whole():
            self._kept[key] = found
        return found

    def _gathered(self, key: Hashable, meanwhile: T, gather: Callable[[], T]) -> T:
        self._open[key] = meanwhile
        found = self._open[key] = gather()
        return found

    @contextmanager
    def _forgetting(self) -> Iterator[None]:
        """Answers that others got meanwhile may miss a part, and are forgotten."""
        before = [len(answers) for answers in self._answers]
        yield
        for answers, size in zip(self._answers, before, strict=True):
            for newer in list(islice(reversed(answers), len(answers) - size)):
                del answers[newer]
