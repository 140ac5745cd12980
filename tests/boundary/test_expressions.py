import pytest
from _pytest.mark.expression import Expression
from hypothesis import given
from hypothesis import strategies as st

from vetbox.boundary.expressions import well_formed


@pytest.mark.parametrize(
    "text", ["slow", "not slow", "a and (b or not c)", "m(a=1)", "m(a='x', b=None)", "a.b[c]/d-e+f"]
)
def test_what_pytest_takes_is_accepted(text: str) -> None:
    assert well_formed(text, arguments=True)


@pytest.mark.parametrize(
    "text",
    [
        "a or",
        "and",
        "(a",
        "a)",
        "a b",
        "not",
        "m(a=f())",
        'm(a=__import__("os"))',
        "m(1)",
        "m(def=1)",
        "a;b",
    ],
)
def test_p10_what_is_no_expression_is_refused(text: str) -> None:
    assert not well_formed(text, arguments=True)


@pytest.mark.parametrize(
    "text",
    ["-x", "@a", "a\nb", "(" * 60 + "a" + ")" * 60, "not " * 60 + "a", "'a'", "m(a='\\')"],
)
def test_what_would_hurt_pytest_is_refused(text: str) -> None:
    assert not well_formed(text, arguments=True)


def test_keywords_take_no_arguments() -> None:
    assert not well_formed("m(a=1)", arguments=False)


WORDS = st.sampled_from(["a", "b1", "and", "or", "not", "(", ")", "m(k=1)", "m(k='v')", ","])


@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_pytest_agrees_on_every_marker_expression(text: str) -> None:
    assert well_formed(text or "a", arguments=True) == accepted_by_pytest(text or "a")


def accepted_by_pytest(text: str) -> bool:
    try:
        Expression.compile(text)
    except SyntaxError:
        return False
    return True
