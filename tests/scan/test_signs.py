"""Signs of broken syntax: what a large scan parses although no rule points at it."""

import ast
from pathlib import Path

import pytest

from tests.timing import within
from vetbox.code.lexemes import bare, parts
from vetbox.rules.excerpt.layout import Doubt, Layout
from vetbox.scan import signs
from vetbox.scan.signs import are_meant, has_signs

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
    b'"""\nTitle\n=======\n\nprint text\n"""\n',
)


def looks_broken(data: bytes) -> bool:
    """What a scan asks: first of the bytes, then of the code alone."""
    return has_signs(data) and are_meant(data)


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


@pytest.mark.parametrize("opened", [b"x='''", b'"""', b"'", b'x = f"'])
def test_a_string_without_end_is_seen_at_once(opened: bytes) -> None:
    quote = opened[-1:]
    code = opened + (b"\\" + quote) * 200_000 + b"\n("
    assert within(1, lambda: looks_broken(code))
    assert looks_broken(code)


def test_no_layout_of_a_string_without_end_takes_long() -> None:
    text = "x='''" + "\\'" * 200_000

    def lay_out() -> None:
        with pytest.raises(Doubt):
            Layout(text)

    assert within(1, lay_out)


@pytest.mark.parametrize("code", [b"'", b'x = "', b"'a\nb'", b"f'\\'", b"''\""])
def test_no_lexeme_is_made_of_a_string_without_end(code: bytes) -> None:
    assert bare(code) is None


def test_lexemes_are_what_the_code_is_made_of() -> None:
    code = b"a = 'b' + \"c\\\"\" # d 'e\nf = '''g\n'h''' r'' #"
    found = parts(code)
    assert found is not None
    assert b"".join(found) == code
    assert found[1::2] == (b"'b'", b'"c\\""', b"# d 'e", b"'''g\n'h'''", b"''", b"#")
    assert bare(b"x") == b"x"
    assert bare(code) == b'a = "" + "" ""\nf = "" r"" ""'
