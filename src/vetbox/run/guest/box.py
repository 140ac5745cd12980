"""The entry of the box: what the sandbox calls for every program."""

from typing import cast

from vetbox.run.guest import loop
from vetbox.run.guest.main import Outcome, World, execute
from vetbox.run.guest.tags import TAGS
from vetbox.sandbox.guest import bridge, wire
from vetbox.sandbox.guest.boot import Boot, Program

loop.install()
bridge.TAGS.clear()
bridge.TAGS.update(TAGS)


# What Python makes on first use (syntax node types, caches) is made while the snapshot is.
REHEARSALS = (
    "1 + 1",
    "1 + 1\n\n'x'",
    "x = {'a': [1, 2.5]}\nprint(end='')\nx",
    "def f(n):\n    return n / 0\nf(1)",
    "for n in range(3):\n    if n:\n        return f'{n}'",
    "unknown_name",
    "x = (",
    "pack.tool",
    "pack.unknown",
)
REPEATS = 8  # the interpreter adapts code to its operands once it has run a few times
WORLD: World = {
    "packs": {"pack": ["tool"], "proj": ["path"]},
    "projects": {},
    "aliases": {"alias": "pack.tool"},
}


def call(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """Ask the host, whose one function for programs is `call`."""
    return bridge.call("call", [name, list(args), kwargs], {})


def main(program: Program) -> Outcome:
    """Execute the program that the host sent."""
    world = cast(World, program.payload)
    return execute(program.code, program.filename, program.namespace, world, call)


def rehearsal(program: Program) -> Outcome:
    """What `main` does, in a world that is always the same."""
    world = cast(World, wire.loads(wire.dumps(WORLD)))
    return execute(program.code, program.filename, program.namespace, world, call)


for code in REHEARSALS * REPEATS:
    execute(code, "<rehearsal>", {}, WORLD, call)

Boot.rehearsal = staticmethod(rehearsal)
