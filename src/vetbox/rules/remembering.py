"""Caches: results by text or by object, and dicts that are cleared when full."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
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


class MadeOf(Generic[T]):
    """What was made of objects that nobody changes; nothing is kept but within `kept`."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, Hashable], tuple[object, T]] | None = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Within, what is made of the same object under the same key is the same."""
        self._made = {}
        try:
            yield
        finally:
            self._made = None

    def get(self, of: object, key: Hashable, make: Callable[[], T]) -> T:
        """What is known, or else what `make` gives."""
        if self._made is None:
            return make()
        known = self._made.get((id(of), key))
        if known is None:  # the object is kept as well: no other may take its id
            known = self._made[id(of), key] = of, make()
        return known[1]


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
