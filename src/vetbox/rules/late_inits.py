"""Late inits: libcst's nodes, the constructor of each made when it is first called.

To write three methods each for 190 frozen classes is half of what the import of libcst takes, and a
small file is made of twenty of them. Nobody here changes a node, and those of the parser are valid:
so they are neither frozen nor validated, and a parse takes a fifth less. Nor are their classes
abstract: to ask such a one for its instances takes ten times as long. What libcst offers to say of
nodes (scopes, positions) is imported when somebody asks. In a process that is not vetbox's own,
libcst stays as its other users expect it.
"""

import abc
import dataclasses
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

from vetbox.own_process import is_owned

_NODES = "libcst._nodes."
_METADATA = "libcst.metadata"
_as_ever: Callable[..., Any] = dataclasses.dataclass
_abstract = abc.ABC


def _dataclass(cls: type | None = None, /, **how: Any) -> Any:
    """What libcst knows as `dataclass` while it is imported."""
    if cls is None:
        return partial(_dataclass, **how)
    if not cls.__module__.startswith(_NODES) or not how.get("frozen"):
        return _as_ever(cls, **how)
    made = _as_ever(cls, init=False, repr=False, eq=False)
    if "__post_init__" in vars(made):
        del made.__post_init__  # it validates
    made.__init__ = _late_init()
    return made


def _late_init() -> Callable[..., None]:
    def __init__(self: Any, *given: Any, **named: Any) -> None:  # noqa: N807 - it stands for one
        # The class that was decorated is not the one that got slots.
        ways = type(self).__mro__
        owner: Any = next(one for one in ways if vars(one).get("__init__") is __init__)
        owner.__init__ = _init_of(owner)
        owner.__init__(self, *given, **named)

    return __init__


def _init_of(owner: type) -> Callable[..., None]:
    """A constructor for all fields of the class."""
    said = {"__doc__": owner.__doc__}  # or a signature is worked out for it
    made: Any = dataclasses.make_dataclass(
        owner.__name__, (), bases=(owner,), namespace=said, repr=False, eq=False
    )
    init: Callable[..., None] = made.__init__
    return init


class _Base:
    """What libcst knows as `ABC` while it is imported: no base of its nodes."""

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        asking = sys._getframe(1).f_globals["__name__"]
        return () if asking.startswith(_NODES) else (_abstract,)


def _bare_metadata() -> ModuleType:
    """A package whose modules can be imported, that imports none of them itself."""
    bare = ModuleType(_METADATA)
    found = PathFinder.find_spec("libcst")
    roots = found.submodule_search_locations if found else None
    bare.__path__ = [os.path.join(root, "metadata") for root in roots or ()]
    return bare


def _import() -> None:
    """Import libcst, and leave nobody with what stood in for something meanwhile."""
    base = _Base()
    dataclasses.dataclass, abc.ABC = _dataclass, base  # type: ignore[assignment,misc]
    sys.modules[_METADATA] = _bare_metadata()
    try:
        import libcst  # noqa: F401
    finally:
        dataclasses.dataclass, abc.ABC = _as_ever, _abstract  # type: ignore[misc]
        del sys.modules[_METADATA]  # who imports it now gets all of it
        for module in [*sys.modules.values()]:
            if getattr(module, "__dict__", {}).get("ABC") is base:
                module.ABC = _abstract  # type: ignore[attr-defined]


if is_owned() and "libcst" not in sys.modules:
    _import()
