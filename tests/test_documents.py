"""The guarded reader: plain data with places, and a refusal for everything that is a trick."""

from itertools import pairwise

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vetbox.documents import DocumentError, read_toml, read_yaml

LAUGHS = "a: &a [x, x]\n" + "\n".join(
    f"{b}: &{b} [*{a}, *{a}]" for a, b in pairwise("abcdefghijklmnopqrst")
)
STAIRS = "a0: &a0 [x]\n" + "\n".join(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 100))

REFUSED = {
    "billion laughs": (LAUGHS, "1:4: anchors and aliases are not read"),
    "merge bomb": ("a: {x: 1}\nb:\n  <<: {x: 2}\n", "3:3: merge keys (<<) are not read"),
    "tag": ("a: !!python/object/apply:os.system [x]\n", "1:4: the tag"),
    "duplicate key": ("a: 1\nb: 2\na: 3\n", "3:1: the key 'a' is given twice"),
    "two documents": ("a: 1\n---\nb: 2\n", "2:1: a second document"),
    "key that is a list": ("? [a]\n: 1\n", "1:3: a key must be a word"),
    "huge number": ("a: " + "9" * 5_000 + "\n", "1:4: a number of 5000 digits"),
    "deep nesting": ("a: " + "[" * 60 + "]" * 60 + "\n", "nested deeper than 50 levels"),
    "not YAML": ("a: [1\n", "not YAML"),
}


@pytest.mark.parametrize("trick", REFUSED)
def test_a_trick_is_refused_with_its_place(trick: str) -> None:
    text, sentence = REFUSED[trick]
    with pytest.raises(DocumentError) as refusal:
        read_yaml(text, "r.yaml")
    assert sentence in str(refusal.value)
    assert str(refusal.value).startswith(f"r.yaml:{refusal.value.line}:{refusal.value.column}: ")


SLIPS = {
    "a:\n\tb: 1\n": "2:1: not YAML: found character '\\t' that cannot start any token; "
    "indent with spaces",
    "a: b: c\n": "1:5: not YAML: mapping values are not allowed here; "
    "quote a text with a colon in it, or indent this line as its neighbours",
    "a: {callee}() is\n": "1:12: not YAML: expected <block end>, but found '<scalar>'; "
    "quote all of a text that begins with a bracket or a quote",
    'a: "\\d+"\n': "1:6: not YAML: found unknown escape character 'd'; "
    "use single quotes, in which a backslash is one",
    "a: *.execute\n": "1:5: not YAML: expected alphabetic or numeric character, "
    "but found '.'; quote a text that begins with * or &",
    "b: 1\na: 'c\n": "2:4: not YAML: found unexpected end of stream; "
    "close the quote that begins here",
}


@pytest.mark.parametrize("text", SLIPS)
def test_a_slip_is_told_with_its_place_and_the_next_step(text: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_yaml(text, "r.yaml")
    assert str(refusal.value) == f"r.yaml:{SLIPS[text]}"


BAD_ALIASES = {
    "billion laughs": (LAUGHS, "more than 50,000 values"),
    "endless stairs": (STAIRS, "nested deeper than 50 levels"),
    "no anchor": ("a: *b\n", "1:4: the alias *b has no anchor before it"),
    "of itself": ("a: &a [*a]\n", "1:8: the alias *a has no anchor before it"),
    "merge key": ("a: &a {x: 1}\nb: {<<: *a}\n", "merge keys (<<) are not read"),
}


@pytest.mark.parametrize("trick", BAD_ALIASES)
def test_aliases_that_are_asked_for_have_limits(trick: str) -> None:
    text, sentence = BAD_ALIASES[trick]
    with pytest.raises(DocumentError) as refusal:
        read_yaml(text, "r.yaml", aliases=True)
    assert sentence in str(refusal.value)


def test_an_alias_is_the_value_of_its_anchor() -> None:
    text = "a: &one\n- x: &word y\nb: *one\nc: [*word, *one]\n"
    document = read_yaml(text, "r.yaml", aliases=True)
    assert document.data == {"a": [{"x": "y"}], "b": [{"x": "y"}], "c": ["y", [{"x": "y"}]]}
    assert document.position("c", 1) == (4, 12)


def test_a_hundred_thousand_brackets_are_refused_at_once() -> None:
    with pytest.raises(DocumentError, match="deeper than 50"):
        read_yaml("[" * 100_000, "r.yaml")


def test_a_document_over_the_size_is_refused_unread() -> None:
    with pytest.raises(DocumentError, match="1,000,003 bytes; at most 1,000,000"):
        read_yaml("a: " + "x" * 1_000_000, "r.yaml")


def test_words_stay_words() -> None:
    data = read_yaml("a: off\nb: yes\nc: 1e3\nd: 0x1F\ne: ~\nf: '1'\ng: true\n", "r.yaml").data
    assert data == {"a": "off", "b": "yes", "c": 1000.0, "d": 31, "e": None, "f": "1", "g": True}


def test_every_value_has_its_place() -> None:
    document = read_yaml("a:\n  b:\n  - x\n  - {c: 1}\n", "r.yaml")
    assert document.position("a", "b", 1, "c") == (4, 9)
    assert document.key_position("a", "b") == (2, 3)
    assert document.position("a", "missing") == (2, 3)


def test_toml_says_where_it_is_wrong() -> None:
    with pytest.raises(DocumentError) as refusal:
        read_toml("[tool.vetbox]\nselect = [1,\n", "pyproject.toml")
    assert str(refusal.value) == "pyproject.toml:3:1: not TOML: Invalid value"
    assert read_toml("[tool.vetbox]\nselect = ['a']\n", "p").position(
        "tool", "vetbox", "select"
    ) == (2, 1)


FRAGMENTS = (
    "a", "b:", "- ", "-", "? ", ": ", "[", "]", "{", "}", ", ", "&x ", "*x ", "!t ", "|", ">-", "'",
    '"', "# c", "\n", "\n  ", "\n    ", "\t", " ", "---", "...", "%YAML 1.2", "<<", "@", "`", "~",
    "0x1F", "1e3", "off", "é", "\u2028", "\x85", "😀", "\ufeff", "\x07", "\r\n", "\\", "\\u00e9",
)  # fmt: skip


@given(parts=st.lists(st.sampled_from(FRAGMENTS), max_size=14))
@settings(max_examples=1_500, deadline=None)
@example(parts=["a: [", "\ud800", "]"])
def test_the_fast_parser_reads_what_the_other_reads(parts: list[str]) -> None:
    text = "".join(parts)
    fast = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "CSafeLoader", yaml.SafeLoader)
        assert outcome(text) == fast


def outcome(text: str) -> object:
    """The data and where its values stand; they disagree on where one is that is not there."""
    try:
        document = read_yaml(text, "r.yaml")
    except DocumentError:
        return "refused"
    entries = document.data.items() if isinstance(document.data, dict) else ()
    return document.data, [document.position(key) for key, value in entries if value is not None]
