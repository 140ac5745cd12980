"""A function that cleans, handed to `map()`, cleans each element; to `filter()` it only tests."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

CODE = """
import shlex
import subprocess

from flask import request

quote = lambda part: shlex.quote(part)
strip = lambda part: part.strip()
is_known = lambda part: part in ("a", "b")
parts = request.args["a"].split()
subprocess.run("ls " + " ".join({}), shell=True)
"""


def finds(made: str) -> bool:
    source = Source.from_text(CODE.format(made), "desk.py")
    codes = {one.code for one in check(source, load_rules(), profile=Profile.REPO)}
    return "shell-from-request" in codes


@pytest.mark.parametrize(
    "made",
    [
        "map(shlex.quote, parts)",
        "list(map(shlex.quote, parts))",
        "map(quote, parts)",
        "filter(is_known, parts)",
    ],
)
def test_what_cleans_each_element_cleans_all(made: str) -> None:
    assert not finds(made)


@pytest.mark.parametrize(
    "made",
    [
        "map(str.strip, parts)",
        "map(strip, parts)",
        "filter(shlex.quote, parts)",
        "filter(quote, parts)",
        "[*map(shlex.quote, parts), *parts]",
    ],
)
def test_what_leaves_some_as_they_are_cleans_none(made: str) -> None:
    assert finds(made)
