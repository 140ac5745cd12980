"""A program's last expression, its returns and awaits, on the lines where they were written."""

import traceback

import pytest

from vetbox.run.guest.capture import parts
from vetbox.run.guest.main import evaluated


def value(code: str) -> object:
    """What the program evaluates to: a tuple of one, or None."""
    return evaluated(parts(code, "<program>"), {})


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("1 + 1", (2,)),
        ("x = 1", None),
        ("", None),
        ("'text'", ("text",)),
        ("  \n\n1 + 1  # two\n", (2,)),
        ("(1, 2)", ((1, 2),)),
        ("1, 2", ((1, 2),)),
        ("1 is 1", (True,)),
        ("(x := 5) + x", (10,)),
        ("(print('x'), 1)[1]", (1,)),
        ("'print'", ("print",)),
        ("await __import__('asyncio').sleep(0, 7)", (7,)),
        ("return 'return'", ("return",)),
        ("x = 'return'; x", ("return",)),
        ("print('x')", None),
        ("return 5", (5,)),
        ("return", (None,)),
        ("if False:\n    return 1", None),
        ("x = 1\nif x:\n    return x\n2", (1,)),
        ("if 0:\n    return 1\n2", (2,)),
        ("x: int = 3\nreturn x", (3,)),
        ("from __future__ import annotations\ndef f(x: no): return 1\nreturn f(0)", (1,)),
        ("from __future__ import annotations\nx: no\nreturn 2", (2,)),
        ("from math import *\nreturn floor(1.5)", (1,)),
        (
            "x = 1\nif x:\n    from math import *\nfrom os import *\nreturn floor(x), sep",
            ((1, "/"),),
        ),
        ("from __future__ import annotations\nfrom math import *\nx: no\nreturn tau > 6", (True,)),
        ("import asyncio\nawait asyncio.sleep(0)\nfrom math import *\nreturn floor(1.5)", (1,)),
        ("def f():\n    return 1\nf()", (1,)),
        ("x = 1\ndef f():\n    global x\n    x = 2\nf()\nreturn x", (2,)),
        ("x = 1\nclass C:\n    y = x\nreturn C.y", (1,)),
        ("return [n for n in range(3) if (last := n)] + [last]", ([1, 2, 2],)),
        ("try:\n    return 1\nfinally:\n    x = 2", (1,)),
        ("try:\n    return 1\nexcept BaseException:\n    return 2", (1,)),
        ("match [1, 2]:\n    case [a, *rest]:\n        return rest", ([2],)),
        ("import asyncio\nawait asyncio.sleep(0, 7)", (7,)),
        ("import asyncio\nreturn await asyncio.sleep(0, 7)", (7,)),
        ("import asyncio\nt = asyncio.ensure_future(asyncio.sleep(0, 7))\nawait t", (7,)),
        ("import asyncio\nt = asyncio.create_task(asyncio.sleep(0, 7))\nawait t", (7,)),
        (
            "from asyncio import *\nt = [create_task(sleep(0, n)) for n in b'a']\nawait gather(*t)",
            ([97],),
        ),
        (
            "from asyncio import *\na = current_task()\nawait sleep(0)\na is current_task()",
            (True,),
        ),
        ("async def g():\n    yield 1\n[n async for n in g()]", ([1],)),
        ("async def g():\n    yield 1\nasync for n in g():\n    return n", (1,)),
    ],
)
def test_r9_to_r13_values(code: str, expected: object) -> None:
    assert value(code) == expected


def test_a_return_leaves_a_with_block_in_order() -> None:
    code = (
        "class Guard:\n"
        "    def __enter__(self): return self\n"
        "    def __exit__(self, kind, *_): said.append(kind)\n"
        "said = []\n"
        "def seen(): return said\n"
        "with Guard():\n"
        "    return seen()\n"
    )
    assert value(code) == ([None],)


@pytest.mark.parametrize(
    "code",
    [
        "yield 1",
        "return (yield 1)",
        "x = yield\nreturn x",
        "break",
        "if 0:\n    return 1\nfrom math import *\nfloor(1.5)",
        "def f():\n    from math import *\nreturn 1",
    ],
)
def test_what_is_no_program_is_a_syntax_error(code: str) -> None:
    with pytest.raises(SyntaxError):
        parts(code, "<program>")


@pytest.mark.parametrize(
    "code", ["\n\n1 / 0", "\n\nif 1:  return 1 / 0", "\n\nx = 1 / 0\nreturn x"]
)
def test_r21_errors_keep_their_line(code: str) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        value(code)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 3
