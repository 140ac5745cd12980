"""Ways that data takes, one after the other in every frame: what arrives at run time is reported.

`ways.txt` holds them, `dead_ends.txt` what looks like a way and is none, and `frames.txt` programs
around them. A single way is plain; what was missed in the past were two that meet, as a variable of
the module that a function sets and a text method on it.
"""

import os
import random
import re
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from unittest.mock import patch

import pytest

from tests.rules.taint.test_running import reported
from tests.sampling import sample

_SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n?)*)", re.MULTILINE)
SINK_LINE = re.compile(r"^.*\bsink\(", re.MULTILINE)
FOLDER = Path(__file__).parent
FILES = [FOLDER / "ways.txt", FOLDER / "dead_ends.txt"]
MARK = "from-the-source"
PAIRS = 1_200
EACH = 8


def _sections(file: Path) -> Iterator[tuple[str, str]]:
    yield from _SECTION.findall(file.read_text())


def _ways(file: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    for name, body in _sections(file):
        defined, split, done = body.strip("\n").partition("\n--\n")
        yield name, (f"{defined}\n", done) if split else ("", defined)


WAYS: Mapping[str, tuple[str, str]] = dict(_ways(FILES[0]))
DEAD_ENDS: Mapping[str, tuple[str, str]] = dict(_ways(FILES[1]))
ALL = {**WAYS, **DEAD_ENDS}

FRAMES = {name: body.strip("\n") + "\n" for name, body in _sections(FOLDER / "frames.txt")}


def program(names: Sequence[str], frame: str) -> str:
    """The ways in their order within a frame."""
    defined, done, last = [], [], "x"
    for number, name in enumerate(names):
        out = "out" if number == len(names) - 1 else f"x{number}"
        parts = (
            re.sub(r"_N\b", f"_{number}", re.sub(r"\bIN\b", last, re.sub(r"\bOUT\b", out, part)))
            for part in ALL[name]
        )
        for whole, part in zip((defined, done), parts, strict=True):
            whole.append(part)
        last = out
    frame = FRAMES[frame].replace("DEFINED\n", "".join(defined))
    indent = re.search("( *)DONE", frame)[1]
    return frame.replace(f"{indent}DONE", textwrap.indent("\n".join(done), indent))


def arrives(code: str) -> bool:
    """Run it: is what the source gave in what the sink gets?"""
    got: list[object] = []
    module = ModuleType("the_program")
    module.__dict__.update(source=lambda: MARK, sink=got.append, clean=lambda _: "clean")
    # Dataclasses look for their module there; some ways go through files and the environment.
    modules, environment = (
        patch.dict(sys.modules, {module.__name__: module}),
        patch.dict(os.environ),
    )
    with modules, environment, TemporaryDirectory() as folder, chdir(folder):
        exec(compile(code, "<program>", "exec"), module.__dict__)
    return any(MARK in str(one) for one in got)


def is_reported(code: str) -> bool:
    lines = {code.count("\n", 0, found.start()) + 1 for found in SINK_LINE.finditer(code)}
    return bool(lines & reported(code))


def test_each_way_has_a_name_of_its_own() -> None:
    assert len(ALL) == sum(file.read_text().count("\n## ") for file in FILES)


def alone(ways: Collection[str], frame: str) -> dict[str, str]:
    """Programs of single ways in a frame, by the way: in the next frame of others."""
    first = [*FRAMES].index(frame) % EACH
    return {name: program([name], frame) for name in sample([*ways], each=EACH, first=first)}


@pytest.mark.parametrize("frame", FRAMES)
def test_every_way_is_followed(frame: str) -> None:
    programs = alone(WAYS, frame)
    assert [name for name, code in programs.items() if not arrives(code)] == []
    assert [name for name, code in programs.items() if not is_reported(code)] == []


HIDDEN = [
    ("module", "global", "strip"),
    ("loop", "nonlocal", "early return"),
    ("from one attribute to another", "variable", "global list"),
    ("helper has the sink", "contextvar", "chained methods"),
    ("method", "property setter", "property setter"),
    ("loop", "priority queue", "inner class reads it"),
    ("function", "method of super", "getattr of a method"),
    ("try", "method in a variable", "functools.partialmethod"),
    ("method", "method as a callback of a function", "method as a callback of map"),
]


@pytest.mark.parametrize(("frame", "first", "second"), HIDDEN)
def test_a_way_does_not_hide_another(frame: str, first: str, second: str) -> None:
    code = program([first, second], frame)
    assert arrives(code)
    assert is_reported(code)


@pytest.mark.parametrize("frame", FRAMES)
def test_what_goes_nowhere_is_not_reported(frame: str) -> None:
    programs = alone(DEAD_ENDS, frame)
    assert [name for name, code in programs.items() if arrives(code)] == []
    assert [name for name, code in programs.items() if is_reported(code)] == []


def drawn(first: Collection[str], second: Collection[str]) -> Iterator[tuple[str, bool, str]]:
    """Two ways after each other in some frame: whether data arrives, and the program."""
    chance = random.Random(2)
    every = [
        (chance.choice([*first]), chance.choice([*second]), chance.choice([*FRAMES]))
        for _ in range(PAIRS)
    ]
    for *names, frame in sample(every):
        code = program(names, frame)
        try:
            yield f"{names} in {frame}", arrives(code), code
        except Exception:  # noqa: BLE001 - some ways want a text of another form
            continue


def test_two_ways_are_followed_one_after_the_other() -> None:
    arriving = {name: code for name, arrived, code in drawn(WAYS, WAYS) if arrived}
    assert len(arriving) > PAIRS // 5
    assert [name for name, code in arriving.items() if not is_reported(code)] == []


@pytest.mark.parametrize("ways", [(WAYS, DEAD_ENDS), (DEAD_ENDS, WAYS), (DEAD_ENDS, DEAD_ENDS)])
def test_a_way_before_or_behind_a_dead_end_leads_nowhere(ways: tuple[Collection[str], ...]) -> None:
    stopped = {name: code for name, arrived, code in drawn(*ways) if not arrived}
    assert len(stopped) > PAIRS // 5
    assert [name for name, code in stopped.items() if is_reported(code)] == []
