"""What a formula needs is told of all that it is made of, and never too much."""

import pytest

from vetbox.rules.language.formula import (
    All,
    Any,
    Assign,
    Attr,
    Call,
    Class,
    Def,
    Formula,
    Has,
    Inside,
    Names,
    Not,
)
from vetbox.rules.screening.required_words import needs

ANY = Names.of("*")
CALLED = Call(Names.of("os.urandom"))
OTHER = Call(Names.of("*.hex"))


@pytest.mark.parametrize(
    ("formula", "needed"),
    [
        (All((Assign(Names.of("key")), Has(CALLED))), [{"key"}, {"os.urandom"}]),
        (
            All((CALLED, Inside(Def(ANY, decorator=Names.of("*.route"))))),
            [{"os.urandom"}, {"*.route"}],
        ),
        (All((CALLED, Not(Has(OTHER)))), [{"os.urandom"}]),
        (Any((Has(CALLED), All((OTHER, Inside(CALLED))))), [{"os.urandom", "*.hex"}]),
        (Any((Has(CALLED), Not(OTHER))), []),
        (Any((CALLED, Call(Names(regex="hex$")))), []),
        (Def(Names.of("get", "put")), [{"get", "put"}]),
        (Class(ANY, base=Names.of("*.View")), [{"*.View"}]),
        (Def(Names(regex="^test_"), decorator=ANY), []),
        (Attr(Names.of("json"), base=Names.of("flask.Request")), [{"json"}]),
    ],
)
def test_names_are_needed(formula: Formula, needed: list[set[str]]) -> None:
    assert [{*one.exact, *one.globs} for one in needs(formula)] == needed
