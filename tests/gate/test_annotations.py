"""Annotations: what the comments of a fixture claim, and which comments are refused."""

import pytest

from vetbox.findings import Severity
from vetbox.gate.annotations import AnnotationError, Kind, read_annotations


def test_comment_on_the_line_before_speaks_of_the_next_logical_line() -> None:
    claims = read_annotations("# expect: a-rule\nf(\n    1,\n)\n", "f.py").claims
    assert [(claim.first, claim.last) for claim in claims] == [(2, 4)]


def test_trailing_comment_speaks_of_its_own_line() -> None:
    claims = read_annotations("f(1)\ng(2)  # expect: a-rule\n", "f.py").claims
    assert [(claim.rule, claim.first) for claim in claims] == [("a-rule", 2)]


def test_slice_messages_and_severities_are_read() -> None:
    text = '# expect: a @ "f(\\"x\\")" msg="M" msg.agent="N" sev=agent:error,repo:info\nf("x")\n'
    claim = read_annotations(text, "f.py").claims[0]
    assert claim.slice == 'f("x")'
    assert claim.messages == {"": "M", "agent": "N"}
    assert claim.severities == {"agent": Severity.ERROR, "repo": Severity.INFO}


def test_what_is_underlined_may_stand_in_either_quotes() -> None:
    claims = read_annotations("# expect: a @ 'f(\"x\", \\'\\')'\nf()\n", "f.py").claims
    assert claims[0].slice == "f(\"x\", '')"


def test_semgrep_words_are_synonyms_and_take_several_rules() -> None:
    claims = read_annotations("# ruleid: a, b\nf()\n# todook: a\ng()\n", "f.py").claims
    assert [(claim.kind, claim.rule) for claim in claims] == [
        (Kind.EXPECT, "a"),
        (Kind.EXPECT, "b"),
        (Kind.TODO_OK, "a"),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# ok: a\nf()\n", "say in brackets why"),
        ("f()\n# expect: a\n", "followed by no code"),
        ("# expect: a sev=fatal\nf()\n", "'fatal' is not one of"),
        ("# expect: a sve=error\nf()\n", "'sve=error' asserts nothing; write @"),
        ("# expect: a @f()\nf()\n", r"'@f\(\)' asserts nothing"),
        ("# expect: a conf=sure fix=safe\nf()\n", "'conf=sure' asserts nothing"),
    ],
)
def test_malformed_annotation_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(AnnotationError, match=sentence):
        read_annotations(text, "f.py")


def test_annotation_inside_a_string_is_text() -> None:
    assert not read_annotations('"""\n# expect: a\n"""\nf()\n', "f.py").claims


def test_each_names_a_clause_and_a_template() -> None:
    each = read_annotations("# each: name in match.call.name -> {name}(x)\nf()\n", "f.py").each[0]
    assert (each.variable, each.clause, each.template) == ("name", "match.call.name", "{name}(x)")
