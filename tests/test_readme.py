"""README.md cannot drift: what it shows is what the commands print."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from vetbox.cli.check import check

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
# ```console blocks whose first line is a command and whose other lines are what it printed;
# a line of … stands for any number of lines.
SHOWN = re.findall(r"```console\n\$ bin/vetbox (.+)\n((?:(?!\$|```).*\n)+)```", README)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_shown_output_is_what_the_command_prints(command: str, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "vetbox", *command.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    pieces = [shape(piece) for piece in re.split(r"(?m)^…\n", output)]
    assert re.fullmatch("(?s:.*)".join(pieces), done.stdout), done.stdout


def shape(text: str) -> str:
    """The text with any number where it has one: a new rule may add to the sums."""
    return re.sub(r"\d+", r"\\d+", re.escape(text))


def test_the_readme_shows_something() -> None:
    assert len(SHOWN) >= 1


def test_every_option_of_the_readmes_table_exists() -> None:
    known = {name for option in check.params for name in option.opts}
    table = re.findall(r"^\| `(--.+?)` \|", README, re.MULTILINE)
    named = set(re.findall(r"--[a-z-]+", " ".join(table)))
    assert named <= known


def test_paths_that_the_readme_names_exist() -> None:
    named = re.findall(r"`((?:bin|src|tests|fixtures)/[\w./-]+)`", README)
    assert [path for path in named if not (ROOT / path).exists()] == []
