"""Finds every object of the snapshot, so that the host can let them all last for ever.

An object that lasts for ever has a reference count that nobody changes. The counts of a snapshot's
objects are spread over all its pages, and each page that a run writes to has to be copied first.
"""

import gc
from array import array
from collections.abc import Iterable
from types import CodeType

# What a code object refers to without telling the garbage collector.
_OF_CODE = (
    "co_consts",
    "co_names",
    "co_filename",
    "co_name",
    "co_qualname",
    "co_linetable",
    "co_exceptiontable",
)


def settle() -> None:
    """Set all that there is apart from what will be made to list it."""
    gc.collect()
    gc.freeze()


def write_addresses(path: str) -> None:
    """Write the addresses of all objects to a file, four bytes each.

    To be called from a program of its own, after one that called `settle` has ended: only what
    there was between them may be listed, as the host takes the memory from there.
    """
    gc.disable()
    gc.unfreeze()  # now all that is set apart is the oldest generation
    found = array("I", _addresses(gc.get_objects(generation=2)))
    gc.freeze()
    gc.enable()
    with open(path, "wb") as file:
        found.tofile(file)


def _addresses(roots: list[object]) -> Iterable[int]:
    seen: dict[int, object] = {}
    pending = roots
    while pending:
        thing = pending.pop()
        if id(thing) not in seen:
            seen[id(thing)] = thing
            pending += _referents(thing)
    return seen


def _referents(thing: object) -> list[object]:
    if type(thing) is CodeType:
        return [getattr(thing, name) for name in _OF_CODE]
    if isinstance(thing, type):  # the collector does not look into those that C defines
        return [*gc.get_referents(thing), *gc.get_referents(thing.__dict__)]
    return gc.get_referents(thing)
