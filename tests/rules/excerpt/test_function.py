"""A rule that looks at whole functions: what belongs to the one a site is in."""

import pytest

from vetbox.rules.excerpt import reduce
from vetbox.rules.excerpt.assembly import assemble
from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.language.anchors import Anchor, Reach
from vetbox.rules.patterns import is_together, parse_pattern

DIGEST = {"digest": (Anchor(frozenset({"digest"}), frozenset({"digest"}), in_strings=False),)}
WHOLE = {"digest": Reach.FUNCTION}
PADDING = "".join(f"def other_{n}(a):\n    return a\n\n" for n in range(60))


@pytest.mark.parametrize(
    ("code", "kept", "left"),
    [
        ("def f(a):\n    b = 1\n    a.digest()\n    c = 2\n", ["b = 1", "c = 2"], []),
        (
            (
                "class A:\n    d = 1\n    def f(a):\n        b = 1\n        a.digest()\n"
                "    def g(a):\n        c = 2\n"
            ),
            ["b = 1"],
            ["c = 2", "d = 1"],
        ),
        ("class A:\n    b = 1\n    c = digest()\n", ["b = 1"], []),
        (
            "s = x.digest()\ndef f(a):\n    b = 1\n    return a == s\ndef g(a):\n    c = 2\n",
            ["b = 1", "a == s"],
            ["c = 2"],
        ),
        ("if x:\n    s = x.digest()\nt = s\nu = t\nv = w\n", ["t = s", "u = t"], ["v = w"]),
        ("from x import digest\ndef f(a):\n    b = 1\n    digest()\n", ["b = 1"], []),
    ],
)
def test_the_function_or_what_uses_the_module_names(
    code: str, kept: list[str], left: list[str]
) -> None:
    found = reduce(PADDING + code, DIGEST, WHOLE)
    assert found is not None
    assert [line for line in kept if line not in found.text] == []
    assert [line for line in left if line in found.text] == []


@pytest.mark.parametrize("declared", ["global s", "global r, s", "global s; r = 1"])
def test_names_that_a_function_gives_the_module_ask_for_what_uses_them(declared: str) -> None:
    code = (
        f"def f(a):\n    {declared}\n    s = a.digest()\n"
        "def g(a):\n    b = 1\n    return a == s\ndef h(a):\n    c = True\n"
    )
    found = reduce(PADDING + code, DIGEST, WHOLE)
    assert found is not None
    assert "b = 1" in found.text
    assert "c = True" not in found.text


@pytest.mark.parametrize(
    "given", ["globals()['s'] = a", "names = globals", "if a: global s"], ids=str
)
def test_names_that_a_function_may_give_the_module_ask_for_all(given: str) -> None:
    code = f"def f(a):\n    {given}\n    s = a.digest()\n"
    assert reduce(PADDING + code, DIGEST, WHOLE) is None


@pytest.mark.parametrize("named", ["a.globals.update(a)", "is_global = a", "globals_of(a)"])
def test_a_word_that_only_looks_so_gives_the_module_nothing(named: str) -> None:
    code = f"def f(a):\n    {named}\n    s = a.digest()\ndef g(a):\n    c = 1\n"
    found = reduce(PADDING + code, DIGEST, WHOLE)
    assert found is not None
    assert "c = 1" not in found.text


def test_a_run_takes_in_what_stands_beside_it() -> None:
    code = (
        "a = 1\nif x:\n    b = 2\n"
        "class A:\n    c = 3\n    def f(self):\n        d = 4\n        a.digest()\n"
        "    def g(self):\n        e = 5\n"
        "def h():\n    i = 6\n"
    )
    found = reduce(PADDING + code, DIGEST, {"digest": Reach.RUN})
    assert found is not None
    assert all(f"{name} = " in found.text for name in "abcd")
    assert not any(f"{name} = " in found.text for name in "ei")
    assert "def other_1" not in found.text


def test_a_statement_left_out_keeps_two_others_apart() -> None:
    code = "import a\nx = a.get()\nother()\nif x:\n    one()\na.set(x)\n"
    layout = Layout(code)
    lines = {0, 1, 3, 4, 5}
    assert "other" not in assemble(layout, lines).text
    apart = assemble(layout, lines, apart=True).text.splitlines()
    assert apart == ["import a", "x = a.get()", "0", "if x:", "    one()", "a.set(x)"]


def test_a_clause_follows_its_block_whatever_was_left_out() -> None:
    code = "try:\n    x = 1\n    y = 2\nfinally:\n    z = 3\n"
    text = assemble(Layout(code), {0, 1, 3, 4}, apart=True).text
    assert text == "try:\n    x = 1\nfinally:\n    z = 3\n"


@pytest.mark.parametrize(
    ("pattern", "together"),
    [
        ("$A = a.b()\n$A.c()", True),
        ("$A = a.b()\ntry:\n    c.d()\nfinally:\n    e.f($A)", True),
        ("with a.b() as $A:\n    ...\nc.d($A)", False),
        ("try:\n    if $A:\n        ...\nexcept E:\n    pass", False),
        ("$A = a.b()\n...\nc.d($A)", False),
        ("$A = a.b()\ndef $F():\n    c.d()", False),
        ("$A = 1\n$B = $A", True),
    ],
)
def test_statements_without_gaps_are_of_one_function(pattern: str, together: bool) -> None:
    assert is_together(parse_pattern(pattern)) == together


@pytest.mark.parametrize("reach", [Reach.WITHIN, Reach.FUNCTION])
@pytest.mark.parametrize("decorator", ["@digest\n", "@a\n@digest(\n    1,\n)\n@b\n"])
def test_what_a_decorator_is_on_is_held_with_all_its_lines(decorator: str, reach: Reach) -> None:
    code = decorator + "def f(a):\n    b = 1\n    return b\ndef g(a):\n    c = 2\n"
    found = reduce(PADDING + code, DIGEST, {"digest": reach})
    assert found is not None
    assert "b = 1" in found.text
    assert "c = 2" not in found.text
