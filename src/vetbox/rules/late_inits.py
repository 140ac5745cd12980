"""Late inits: libcst's nodes, the constructor of each made when it is first called.

To write three methods each for 190 frozen classes is half of what the import of libcst takes, and a
small file is made of twenty of them. Nobody here changes a node, and those of the parser are valid:
so they are neither frozen nor validated, and a parse takes a fifth less. In a process that is not
vetbox's own, libcst stays as its other users expect it.
"""

import dataclasses
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from vetbox.own_process import is_owned

_NODES = "libcst._nodes."
_as_ever: Callable[..., Any] = dataclasses.dataclass


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


if is_owned() and "libcst" not in sys.modules:
    dataclasses.dataclass = _dataclass
    try:
        import libcst  # noqa: F401
    finally:
        dataclasses.dataclass = _as_ever
