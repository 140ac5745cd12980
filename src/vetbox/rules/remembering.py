"""Caches: results by text, and dicts that are cleared when full."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import wraps
from hashlib import blake2b
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")
K = TypeVar("K")

MAX_TEXTS = 5_000
HASH_BYTES = 16


def remembered(compute: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, computed once for each of the texts it was asked about last."""
    kept: OrderedDict[bytes, T] = OrderedDict()
    lock = threading.Lock()

    @wraps(compute)
    def answer(text: str) -> T:
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()
        with lock:
            if key in kept:
                kept.move_to_end(key)
                return kept[key]
        found = compute(text)
        with lock:
            kept[key] = found
            if len(kept) > MAX_TEXTS:
                kept.popitem(last=False)
        return found

    return answer


class Bounded(dict[K, T]):
    """A table of what can be worked out again, which starts over when it is full."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: T) -> None:
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)


class Found(Generic[T]):
    """What is looked for one by one as it is asked for, and no second time.

    Where looking fails it fails for whoever asks again: what is missing was not looked at.
    """

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._listed: list[T] = []
        self._failure: Exception | None = None

    def __iter__(self) -> Iterator[T]:
        index = 0
        while index < len(self._listed) or self._finds_another():
            yield self._listed[index]
            index += 1

    def _finds_another(self) -> bool:
        if self._failure is not None:
            raise self._failure
        known = len(self._listed)
        try:
            self._listed += islice(self._source, 1)
        except Exception as failure:
            self._failure = failure
            raise
        return len(self._listed) > known
