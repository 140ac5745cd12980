"""Disk quotas inside the interpreter: its file system calls go through the guards of quota.wat.

Watching a folder from outside is always late; here the write that would go over a budget is the
write that fails, with "no space left on device".
"""

from dataclasses import dataclass

from vetbox.sandbox.errors import SnapshotError
from vetbox.sandbox.names import QUOTA_BYTES, QUOTA_FILES
from vetbox.sandbox.wasm_binary import (
    GLOBAL_KIND,
    SectionId,
    WasmModule,
    export,
    joined,
    sized,
    unsigned,
    vector,
)
from vetbox.sandbox.wasm_code import Relocation, relocated


def with_quotas(interpreter: WasmModule, guards: WasmModule) -> WasmModule:
    """The interpreter with the guards behind its own functions and its calls redirected to them.

    Nothing that exists changes its index: types, functions and globals are only appended.
    """
    place = _Place.behind(interpreter)
    moved = _moved(interpreter, guards, place)
    redirected = _redirected(interpreter, guards, place)
    bodies = [relocated(body, redirected) for body in interpreter.functions()]
    bodies += [relocated(body, moved) for body in guards.functions()]
    added = {
        SectionId.TYPE: guards.payload(SectionId.TYPE),
        SectionId.FUNCTION: vector(unsigned(place.type + t) for t in guards.function_types()),
        SectionId.GLOBAL: guards.payload(SectionId.GLOBAL),
        SectionId.EXPORT: vector(
            export(name, GLOBAL_KIND, place.variable + index)
            for index, name in enumerate((QUOTA_BYTES, QUOTA_FILES))
        ),
    }
    grown = {part: joined(interpreter.payload(part), items) for part, items in added.items()}
    return interpreter.replacing(grown | {SectionId.CODE: vector(map(sized, bodies))})


@dataclass(frozen=True, slots=True)
class _Place:
    """The first free indices of the interpreter."""

    type: int
    function: int
    variable: int

    @classmethod
    def behind(cls, module: WasmModule) -> "_Place":
        functions = len(module.imports()) + module.count(SectionId.FUNCTION)
        return cls(module.count(SectionId.TYPE), functions, module.count(SectionId.GLOBAL))


def _moved(interpreter: WasmModule, guards: WasmModule, place: _Place) -> Relocation:
    """The guards' own indices: imports by name, the rest behind what the interpreter has."""
    imports = _indices(interpreter)
    missing = _indices(guards).keys() - imports.keys()
    if missing:
        raise SnapshotError(f"The interpreter does not import {', '.join(sorted(missing))}.")
    calls = {index: imports[name] for name, index in _indices(guards).items()}
    for offset in range(guards.count(SectionId.FUNCTION)):
        calls[len(guards.imports()) + offset] = place.function + offset
    variables = {i: place.variable + i for i in range(guards.count(SectionId.GLOBAL))}
    return Relocation(calls, variables)


def _redirected(interpreter: WasmModule, guards: WasmModule, place: _Place) -> Relocation:
    """From each import the guards stand before to its guard."""
    own = len(guards.imports())
    imports = _indices(interpreter)
    calls = {
        imports[name]: place.function + index - own
        for name, index in guards.exported_functions().items()
    }
    return Relocation(calls, {})


def _indices(module: WasmModule) -> dict[str, int]:
    return {found.name: index for index, found in enumerate(module.imports())}
