"""Remembering no more than so much: answers to texts, by their hash, and tables that start over."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from typing import TypeVar

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
