"""Late dataclasses: standard ones whose methods are generated on first use.

To write six methods each for 150 frozen classes is a quarter of what a short command takes, and it
calls few of them. What is written is what the standard library writes; only that a frozen one stays
as it is made is left to the type checker, so that one is made in half the time. What users of the
library get, findings and results, is made by the standard library alone.
"""

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_as_ever: Callable[..., Any] = dataclasses.dataclass

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True
    ) -> Any:
        """The decorator of the standard library, with those of its options that are used here."""
        if cls is None:
            return partial(dataclass, frozen=frozen, slots=slots, eq=eq)
        cls.__doc__ = cls.__doc__ or cls.__name__  # or a signature is worked out for it
        made = _as_ever(cls, init=False, repr=False, eq=False, slots=slots)
        for name, method in _methods(frozen, slots, eq).items():
            if vars(cls).get(name) is None:  # `__eq__` alone leaves no hash
                setattr(made, name, method)
        return made


@cache
def _methods(frozen: bool, slots: bool, eq: bool) -> dict[str, Any]:
    """What a class with these options has instead of written methods."""
    found: dict[str, Any] = {"__init__": _init, "__repr__": _repr}
    if eq:
        found |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
    if frozen and slots:
        found |= {"__getstate__": _state, "__setstate__": _set_state}
    return found


def _init(self: Any, *given: Any, **named: Any) -> None:
    _written(self, "__init__", _init, init=True)(self, *given, **named)


def _repr(self: Any) -> str:
    return str(_written(self, "__repr__", _repr, repr=True)(self))


def _eq(self: Any, other: object) -> Any:  # NotImplemented for one of another class
    return _written(self, "__eq__", _eq, eq=True)(self, other)


def _hash(self: Any) -> int:
    return int(_written(self, "__hash__", _hash, unsafe_hash=True)(self))


def _written(self: Any, name: str, late: Callable[..., Any], **what: bool) -> Callable[..., Any]:
    """The method that its class, or the one that it inherits from, would have had from the start.

    The class that was decorated is not the one that got slots, so no method knows its own.
    """
    owner: Any = next(one for one in type(self).__mro__ if vars(one).get(name) is late)
    said = {"__doc__": owner.__doc__, "__module__": owner.__module__}
    if hasattr(owner, "__post_init__"):
        said["__post_init__"] = owner.__post_init__
    fields = [(one.name, one.type, _copied(one)) for one in dataclasses.fields(owner)]
    options: dict[str, Any] = {
        "init": False,
        "repr": False,
        "eq": False,
        "slots": "__slots__" in vars(owner),
    }
    like = dataclasses.make_dataclass(owner.__name__, fields, namespace=said, **options | what)
    method: Callable[..., Any] = vars(like)[name]
    setattr(owner, name, method)
    return method


def _copied(field: "dataclasses.Field[Any]") -> Any:
    same = ("default", "default_factory", "init", "repr", "hash", "compare", "kw_only")
    return dataclasses.field(**{name: getattr(field, name) for name in same})


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in _names(self.__class__)]


def _set_state(self: Any, state: Sequence[Any]) -> None:
    for name, value in zip(_names(self.__class__), state, strict=True):
        setattr(self, name, value)


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))  # type: ignore[arg-type]
