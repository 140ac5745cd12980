"""Escaped regexes find in a literal what the regex finds in the text that the literal spells."""

import ast
import json

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules
from vetbox.rules.filtering.escaped_regexes import escaped
from vetbox.rules.filtering.relaxed_regexes import written
from vetbox.rules.language.values import Condition, In, Regex

RULES = load_rules()
REGEXES = (
    *(r"select\s+from", r"a\nb|c\td", r"(?:^|\W)key", r"[\s,]+end", r"[^a-z]{2}x", r"\D\d"),
    *(r"a.b", r"a.{2,3}b", r"\S{3}:", r"C:\\\w+", r"[\\/]tmp[\\/]", r"x[^\s]y", r'="?\w+"?;'),
    *("it's", "a\nb", r"(?i)[\t\n]x", r"(?s)<.+>", r"[]\"']{2}", r"\"\'"),
)
PLAIN = st.sampled_from("\n\t" + "".join(map(chr, range(32, 127))))
PIECES = ("a", "0", " ", "\n", "\t", "'", '"', "\\", ",", ".", "/")
SPELLINGS = (repr, json.dumps, lambda text: f"'''{text}'''", lambda text: f'r"""{text}"""')


def read(literal: str) -> object:
    """The text that a literal spells; None where it spells none."""
    try:
        return ast.literal_eval(literal)
    except SyntaxError:
        return None


def found_in(condition: Condition, code: str) -> bool:
    return all(re2.search(regex, code) for regex in written(condition))


@pytest.mark.filterwarnings("ignore:invalid escape:DeprecationWarning")
@pytest.mark.parametrize("regex", REGEXES)
@given(data=st.data())
def test_a_text_is_found_however_a_literal_spells_it(regex: str, data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from(PIECES), max_size=6))
    text = "".join(pieces) + data.draw(st.from_regex(regex, alphabet=PLAIN, fullmatch=True))
    literal = data.draw(st.sampled_from(SPELLINGS))(text)
    if read(literal) == text and re2.search(regex, text):
        assert found_in(Regex(regex), f"key = {literal}\n")


@given(st.text(alphabet="ab\n\t'\"\\ .", min_size=1, max_size=8))
def test_one_of_several_texts_is_found_however_it_is_spelt(text: str) -> None:
    assert found_in(In((text, "other")), f"key = {text!r}\n")


@pytest.mark.parametrize("spelt", ["\x1b", r"\x1b", r"\033", r"\u001b", r"\N{ESCAPE}"])
@pytest.mark.parametrize("regex", [r"^\x1b\[0m", "\x1b\\[0m"])
def test_what_cannot_be_seen_is_found_by_its_number(regex: str, spelt: str) -> None:
    assert found_in(Regex(regex), f'print("{spelt}[0m")')
    assert not found_in(Regex(regex), 'print("[0m")')


@pytest.mark.parametrize("regex", [r"\bgh[pousr]_[A-Z0-9]{8}", "(?i)a+[^;]*", r"\x{2066}", r"\w"])
def test_what_no_literal_escapes_stays_as_it_is(regex: str) -> None:
    assert escaped(regex) == regex


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (r'cur.execute("SELECT a\nFROM b\nWHERE c=%s" % x)', "formatted-query"),
        (r'cur.execute("INSERT\tINTO b VALUES (%s)" % x)', "formatted-query"),
        ("from requests import api\napi.get(url, verify=False)", "request-without-verification"),
        ("import dill\ndill._dill.loads(data)", "own-pickle-load"),
        ("import flask\nflask.app.Flask('x').run(debug=True)", "flask-debug"),
        (r'K = "-----BEGIN PRIVATE KEY-----\\nMIIEvgIBADANBgkqhkM8\\n"', "private-key"),
    ],
)
def test_a_line_alone_in_its_file_is_found(code: str, rule: str) -> None:
    found = check(Source.from_text(f"{code}\n"), RULES, profile=Profile.REPO)
    assert rule in {finding.code for finding in found}
