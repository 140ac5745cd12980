"""Any value becomes text, and the text is what the format promises."""

import dataclasses
import datetime
import decimal
import enum
import json
import math
import pathlib
import uuid
from collections import Counter, deque, namedtuple

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tests.timing import calls
from vetbox.run.guest.values import plain
from vetbox.run.output import serialize_result

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int
    y: list[int]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (True, "True"),
        (3.5, "3.5"),
        (math.nan, "nan"),
        (10**30, str(10**30)),
        ("text", "text"),
        (b"\x00\xff", "AP8="),
        (datetime.datetime(2026, 1, 2, 3, 4), "2026-01-02T03:04:00"),
        (pathlib.PurePosixPath("a/b"), "a/b"),
        ((1, "a"), '[1,"a"]'),
        ({3, 1, 2}, "[1,2,3]"),
        ({"b", 1}, '[1,"b"]'),
        ({1: 2, None: 3, False: 4}, '{"1":2,"null":3,"false":4}'),
        ([math.nan, math.inf, 1.5], "[null,null,1.5]"),
        ([datetime.date(2026, 1, 2)], '["2026-01-02"]'),
        ([Colour.RED, decimal.Decimal("1.10")], '["red","1.10"]'),
        (Point(1, [2]), '{"x":1,"y":[2]}'),
        (deque([1]), "[1]"),
        (Counter("aab"), '{"a":2,"b":1}'),
        (namedtuple("Pair", "a b")(1, 2), "[1,2]"),
        ({"a": 1}.items(), '[["a",1]]'),
        ([uuid.UUID(int=0)], '["00000000-0000-0000-0000-000000000000"]'),
    ],
)
def test_r14_values_as_text(value: object, text: str) -> None:
    assert serialize_result(value) == text


@given(JSON)
def test_plain_data_stays_as_it_is(value: object) -> None:
    assert plain(value) == value


@given(JSON.filter(lambda value: isinstance(value, list | dict)))
def test_r50_every_format_can_be_read_back(value: object) -> None:
    for name in ("json", "json_h"):
        assert json.loads(serialize_result(value, name)) == value


@given(JSON.filter(lambda value: isinstance(value, list | dict)))
@example({"\x85\U00010000": None})
def test_r53_yaml_can_be_read_back(value: object) -> None:
    printable = json.loads(json.dumps(value).encode("ascii", "ignore").decode())
    for name in ("yml", "yml_h"):
        assert yaml.safe_load(serialize_result(printable, name)) == printable


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({1: "a", "1": "b"}, "the keys 1 and '1' are one key in JSON"),
        ({"true": 1, "x": 2, True: 3}, "the keys 'true' and True are one key in JSON"),
        ([{"deep": {None: 1, "null": 2}}], "the keys None and 'null' are one key in JSON"),
        ({Colour.RED: 1, "red": 2}, "and 'red' are one key in JSON"),
    ],
)
@pytest.mark.parametrize("output_format", ["json", "json_h", "yml", "yml_h"])
def test_no_entry_is_lost_to_another_of_the_same_text(
    value: object, named: str, output_format: str
) -> None:
    with pytest.raises(ValueError, match=named):
        serialize_result(value, output_format)


def test_a_value_that_holds_itself_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ValueError, match="holds itself"):
        serialize_result(value)


@pytest.mark.parametrize("output_format", ["yml", "yml_h"])
def test_yaml_that_would_take_seconds_to_write_is_json(output_format: str) -> None:
    value = [[1, "a: b", None, "\u00e9"]] * 50_000
    text = serialize_result(value, output_format)
    assert text == serialize_result(value)
    assert yaml.safe_load(serialize_result(value[:3])) == value[:3]


@pytest.mark.parametrize("output_format", ["yml", "yml_h"])
def test_half_a_surrogate_pair_has_no_place_in_yaml(output_format: str) -> None:
    assert serialize_result({"a": "\ud800"}, output_format) == '{"a":"\ud800"}'


@pytest.mark.parametrize("value", [{str(n): n for n in range(1000)}, [*range(500), *"ab" * 250]])
def test_no_call_is_made_for_each_of_many_numbers_and_texts(value: object) -> None:
    assert calls(lambda: plain(value)) < 20


def test_a_dictionary_of_ones_own_is_what_it_says_its_items_are() -> None:
    class Shown(dict[str, int]):
        def items(self) -> list[tuple[str, int]]:  # type: ignore[override]
            return [("shown", 1)]

    assert serialize_result(Shown(a=1, b=2)) == '{"shown":1}'


@pytest.mark.parametrize(
    "text", ["😀", "x 😀\x85", r"\U0001F600", r"😀 \U0001F600", "\\\\😀", "\\😀"]
)
def test_r54_emoji_are_for_people_to_read(text: str) -> None:
    for name in ("yml", "yml_h"):
        written = serialize_result({text: [text, "é"]}, name)
        assert yaml.safe_load(written) == {text: [text, "é"]}
        assert ("😀" in written) == ("😀" in text and "U" not in text)
