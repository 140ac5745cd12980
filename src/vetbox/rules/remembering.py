"""Pure functions of a text, remembered by the text's hash: the text itself is not kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

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
