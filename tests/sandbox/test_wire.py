"""The wire: what crosses comes back as it was, and nothing else is let in."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import calls
from vetbox.sandbox.guest import wire

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.binary() | st.datetimes() | st.dates() | st.timedeltas()
)  # fmt: skip
HASHABLE = st.recursive(
    st.integers() | st.text() | st.binary(), lambda inner: st.lists(inner, max_size=3).map(tuple)
)
VALUES = st.recursive(
    SCALARS | st.sets(HASHABLE, max_size=4) | st.dictionaries(HASHABLE, st.text(), max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.just("$"), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_what_crosses_is_equal_and_of_the_same_type(value: object) -> None:
    back = wire.loads(wire.dumps(value))
    assert (back, type(back)) == (value, type(value))


@given(VALUES)
def test_the_text_is_ascii_json(value: object) -> None:
    assert wire.dumps(value).isascii()


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_value_or_a_wire_error(text: str) -> None:
    with contextlib.suppress(wire.WireError):
        wire.loads(text)


def test_not_a_number_crosses() -> None:
    assert math.isnan(wire.loads(wire.dumps(float("nan"))))  # type: ignore[arg-type]


def test_subclasses_cross_as_what_they_extend() -> None:
    class Name(str):
        __slots__ = ()

    assert type(wire.loads(wire.dumps([Name("a")]))[0]) is str  # type: ignore[index]


@pytest.mark.parametrize("value", [object(), print, {"a": [lambda: 0]}, 1j, ..., type])
def test_what_has_no_place_is_refused(value: object) -> None:
    with pytest.raises(wire.WireError, match="cannot cross the bridge"):
        wire.dumps(value)


def test_a_loop_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(wire.WireError, match="nested more than 100 levels deep"):
        wire.dumps(loop)


@pytest.mark.parametrize(
    "text",
    ["", "[", "nope", '{"$": 5}', '{"$": ["path"]}', '{"$": ["nope", 1]}', '{"$": ["int", "z"]}',
     '{"$": ["bytes", "?"]}', '{"$": ["set", 5]}', '{"$": ["set", [[]]]}', '{"$": ["tuple", 5]}',
     '{"$": ["datetime", 5]}', '{"$": ["float", "1.5"]}', '{"$": ["dict", [[1]]]}',
     '{"$": ["timedelta", [1e99, 0, 0]]}', "[" * 100_000, "1" * 5_000],
)  # fmt: skip
def test_a_forged_text_is_a_wire_error(text: str) -> None:
    with pytest.raises(wire.WireError):
        wire.loads(text)


def test_values_chosen_to_share_a_hash_are_refused() -> None:
    modulus = (1 << 61) - 1  # integers that differ by it have the same hash
    forged = wire.dumps([n * modulus for n in range(10_000)])
    with pytest.raises(wire.WireError, match="the same hash"):
        wire.loads(f'{{"$": ["set", {forged}]}}')


def test_a_large_honest_set_crosses() -> None:
    assert len(wire.loads(wire.dumps(set(range(50_000))))) == 50_000  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["1 2", "[]]", "{}x", '"a" ', " 1", "", "[1", "nul", "NaN x"])
def test_one_value_and_nothing_else_is_a_message(text: str) -> None:
    with pytest.raises(wire.WireError, match="not a message of the bridge"):
        wire.loads(text)


@pytest.mark.parametrize("value", [{str(n): n for n in range(1000)}, [*range(500), *"ab" * 250]])
def test_no_call_is_made_for_each_of_many_numbers_and_texts(value: object) -> None:
    assert calls(lambda: wire.dumps(value)) < 20
