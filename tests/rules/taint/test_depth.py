"""Depth: functions that call each other in a long row are followed to its end."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules
from vetbox.rules.following import INCOMPLETE
from vetbox.rules.recursion import DEEPEST, deeper

RULES = load_rules()
BODY = """\
    try:
        for one in x:
            if one:
                y = 'a' + ({call} if one else 'b') + 'c'
    finally:
        pass
"""
HEAD = "import os\nfrom flask import request\n"
TAIL = "@app.route('/')\ndef go():\n    call0(request.args['a'])\n"


def row(length: int) -> str:
    """A row of functions, from a request to a shell."""
    links = [f"def call{n}(x):\n{BODY.format(call=f'call{n + 1}(x)')}" for n in range(length)]
    return HEAD + "".join(links) + f"def call{length}(x):\n    os.system(x)\n" + TAIL


def codes(code: str, profile: Profile = Profile.REPO) -> set[str]:
    return {one.code for one in check(Source.from_text(code), RULES, profile=profile)}


@pytest.mark.parametrize("profile", Profile)
def test_a_row_of_sixty_functions_is_followed(profile: Profile) -> None:
    before = sys.getrecursionlimit()
    assert "shell-from-request" in codes(row(60), profile)
    assert INCOMPLETE not in codes(row(60), profile)
    assert sys.getrecursionlimit() == before


def test_what_is_deeper_than_that_is_said_to_be_incomplete() -> None:
    assert INCOMPLETE in codes(row(400))


def test_threads_follow_at_once() -> None:
    before = sys.getrecursionlimit()
    with ThreadPoolExecutor(4) as threads:
        found = [*threads.map(codes, [row(length) for length in (40, 50, 60, 45)])]
    assert all("shell-from-request" in one for one in found)
    assert sys.getrecursionlimit() == before


def test_a_limit_that_is_higher_stays() -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(2 * DEEPEST)
    try:
        with deeper():
            assert sys.getrecursionlimit() == 2 * DEEPEST
    finally:
        sys.setrecursionlimit(before)
