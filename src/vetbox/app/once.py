"""A property that is worked out once, whichever thread asks first."""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - it is used like property
    """Like `functools.cached_property`, which from Python 3.12 on may run twice under threads."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make, self._name = make, make.__name__
        self._lock = threading.RLock()
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type[object]) -> "once[T]": ...
    @overload
    def __get__(self, owner: object, kind: type[object]) -> T: ...
    def __get__(self, owner: object | None, kind: type[object]) -> "once[T] | T":
        if owner is None:
            return self
        with self._lock:
            if self._name not in owner.__dict__:
                owner.__dict__[self._name] = self._make(owner)
        made: T = owner.__dict__[self._name]
        return made
