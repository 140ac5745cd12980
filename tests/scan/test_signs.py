"""Signs of broken syntax: what a large scan parses although no rule points at it."""

import ast
from pathlib import Path

import pytest

from vetbox import signs
from vetbox.signs import looks_broken

BROKEN = (
    b"def f(:\n    pass\n",
    b"x = [1, 2\ny = 3\n",
    b"text = 'no end\nprint(1)\n(\n",
    b'"""never closed (\nx = 1\n',
    b"print 'hello'\n",
    b"try:\n    pass\nexcept ValueError, error:\n    pass\n",
    b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> branch\n",
    b"x = 1\n=======",
)
SOUND = (
    b"face = ':('\n",
    b"# a list: 1) this, 2) that\nx = 1\n",
    b'"""It says "(" once."""\n',
    b"close = {'(': ')', '[': ']', '{': '}'}['(']\npattern = r'\\('\n",
    b"x = '''a\n(\n'''\n",
)


@pytest.mark.parametrize("code", BROKEN)
def test_broken_code_is_looked_at(code: bytes) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(code)
    assert looks_broken(code)


@pytest.mark.parametrize("code", SOUND)
def test_brackets_in_strings_and_comments_are_no_sign(code: bytes) -> None:
    ast.parse(code)
    assert not looks_broken(code)


def test_our_own_code_shows_no_sign() -> None:
    for path in Path(signs.__file__).parent.rglob("*.py"):
        assert not looks_broken(path.read_bytes()), path
