"""The sandbox and the host say the same of every program, byte for byte."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.desk import Desk

FOLDER = Path(__file__).with_name("programs")
PROGRAMS = [
    (f"{file.name.partition('.')[0]}-{number}", code)
    for file in sorted(FOLDER.glob("*.py.txt"))
    for number, code in enumerate(file.read_text(encoding="utf-8").split("\n# ---\n"), 1)
]

OLDER_HOST, NEWER_HOST = sys.version_info < (3, 12), sys.version_info >= (3, 13)
NEWS = {
    'class A:\n    __slots__ = ("x",)\nA().y = 1': "Python 3.13 words the error anew",
    'import re\nre.compile("(")': "Python 3.13 renames re.error",
}
# By how the program begins: what is not the same, and why. An entry that is not needed fails.
DIFFERENCES = {
    "from json import nonexistent": "the library lies elsewhere in the box",
    'raise OSError(2, "No such file"': "WASI numbers its errors differently: 2 is EACCES there",
    'open("/nowhere/at/all")': "WASI numbers its errors differently: ENOENT is 44 there",
    "lambda: (yield)": "an address in memory",
    'import logging\nlogging.getLogger("x")': "the host's process has log handlers of its own",
    **({"import abc\n": "Python 3.12 words the error anew"} if OLDER_HOST else {}),
    **(NEWS if NEWER_HOST else {}),
}


class Pair:
    """One project opened in both isolations."""

    def __init__(self, folder: Path) -> None:
        kinds = ("sandbox", "host")
        self.desks = [Desk(folder, kind, check_security=False) for kind in kinds]

    def differs(self, code: str) -> tuple[str, str] | None:
        """What each said, when it is not the same."""
        boxed, host = (
            (f"{r.success} {r.error_type} line {r.line_number}\n{r.result}")
            for r in (desk.run(code) for desk in self.desks)
        )
        return None if boxed == host else (boxed, host)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    pair = Pair(tmp_path_factory.mktemp("pair"))
    yield pair
    for desk in pair.desks:
        desk.close()


def test_there_are_enough_programs() -> None:
    assert len(PROGRAMS) >= 150


@pytest.mark.parametrize(("name", "code"), PROGRAMS, ids=[name for name, _ in PROGRAMS])
def test_both_isolations_agree(pair: Pair, name: str, code: str) -> None:
    reasons = [why for start, why in DIFFERENCES.items() if code.startswith(start)]
    assert (pair.differs(code) is not None) == bool(reasons), pair.differs(code)
