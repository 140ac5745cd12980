"""Garbage: its collection is put off while code is judged, as syntax trees have no cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_later() -> Iterator[None]:
    """No collection meanwhile: it would look through thousands of nodes that are all in use.

    Whoever has switched it off finds it off afterwards, whatever other threads judge.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
