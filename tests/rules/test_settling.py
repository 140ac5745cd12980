"""The law of settling: what `ast` says of a plain statement is what the judge would have said."""

import sysconfig
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sampling import sample
from vetbox.code.source import Source, SourceError
from vetbox.findings import Finding, position
from vetbox.rules import Profile, Rule, RuleSet, check, load_rules
from vetbox.rules.judging import findings
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.program import Program, program_of
from vetbox.rules.settling import settled


def rule(name: str, match: dict[str, object], **more: object) -> Rule:
    data = {"id": name, "message": "says {source}", "severity": "warning", "match": match, **more}
    return rule_from_data(data, name)


ASSERT = rule("checked", {"assert": {}})
TWICE = rule("twice", {"assert": {}}, report={"at": "callee"})
WITHIN = rule("within", {"all": [{"assert": {}}, {"inside": {"def": {"name": "f"}}}]})
FALSE = rule("false", {"assert": {"test": {"is": "falsy"}}})
DOUBTED = rule("doubted", {"assert": {}}, doubtful=[{"pattern": "assert x"}])
EVAL = rule("evaluated", {"call": {"name": "eval"}})
PROGRAM = program_of(RuleSet.of([ASSERT, TWICE, WITHIN, FALSE, DOUBTED, EVAL]), Profile.REPO)


def settled_of(source: Source, program: Program = PROGRAM) -> list[Finding]:
    return sorted(settled(source, program, program.hits(source)).found, key=position)


def all_of(source: Source, program: Program = PROGRAM) -> list[Finding]:
    """What the judge says of the whole file."""
    return sorted(findings(source, program, dict.fromkeys(program.rules, ())), key=position)


def test_only_rules_that_ask_for_the_statement_alone_are_settled() -> None:
    source = Source.from_text("assert x\nassert 0\neval(y)\n")
    answer = settled(source, PROGRAM, PROGRAM.hits(source))
    assert {one.code for one in answer.found} == {"checked", "twice"}
    assert set(answer.left) == {"within", "false", "doubted", "evaluated"} & set(
        PROGRAM.hits(source)
    )


@pytest.mark.parametrize(
    ("code", "places"),
    [
        ("assert x", ["1:1-1:9"]),
        ("if x: assert y; assert (z)  # why", ["1:7-1:15", "1:17-1:27"]),
        ("class A:\n\tassert (\n\t\tx  # ä\n\t), 'é' 'ü'  ; y", ["2:2-4:12"]),
        ("def f():\n  'ä'; assert 'ö', \\\n 'ü'\n", ["2:8-3:5"]),
        ("'assert x'\n# assert x\nx.asserts\n", []),
        ("f'''\n{1}\n'''\nassert f'{x!r:>{y}}'", ["4:1-4:21"]),
        ("x = 1\r\nassert x\r\n", ["2:1-2:9"]),
    ],
)
def test_each_is_settled_where_it_stands(code: str, places: list[str]) -> None:
    found = settled_of(Source.from_text(code))
    shown = [
        f"{at.line}:{at.column}-{at.end_line}:{at.end_column}"
        for one in found
        if one.code == "checked"
        for at in [one.location]
    ]
    assert shown == places


@pytest.mark.parametrize(
    "code",
    [
        "if x:\n    pass\nelse: assert y\n",
        "x = 1\n\fassert x\n",
        "assert x, '''\n \f'''\n",
        "assert x\rassert y\r",
        "ä = 1\nassert ä\n",
    ],
)
def test_what_a_layout_cannot_tell_is_left_to_the_judge(code: str) -> None:
    source = Source.from_text(code)
    hits = PROGRAM.hits(source)
    assert settled(source, PROGRAM, hits) == ([], hits)
    assert "checked" in {
        one.code for one in check(source, RuleSet.of([ASSERT]), profile=Profile.REPO)
    }


@pytest.mark.parametrize("code", ["assert x y\n", "assert\n", "assert x if\n", "assert (x\n"])
def test_what_is_not_python_is_told_as_ever(code: str) -> None:
    with pytest.raises(SourceError):
        check(Source.from_text(code), RuleSet.of([ASSERT]), profile=Profile.REPO)


def test_code_about_to_run_is_judged() -> None:
    program = program_of(RuleSet.of([ASSERT]), Profile.AGENT)
    source = Source.from_text("assert x\n")
    hits = program.hits(source)
    assert settled(source, program, hits) == ([], hits)


def test_a_comment_still_hides_what_was_settled() -> None:
    source = Source.from_text("assert x  # nosec\nassert (\n    y  # noqa\n)\nassert z\n")
    found = check(source, RuleSet.of([ASSERT]), profile=Profile.REPO)
    assert [one.suppressed is not None for one in found] == [True, True, False]


TESTS = ("x", "(x)", "x == 'é'", "(\n  x, # no\n  y)", "not eval('1')", "f'{x}', 'ü'", "x, \\\n y")
STATEMENTS = (
    *(f"assert {test}" for test in TESTS), "y = 'assert x'; assert y ; x", "assert x; y = 1",
    "'\'\'\nassert x\n'\'\'", "# assert y", "eval(x)", "x = 1", "pass  # assert", "assert x # y",
    "if x: assert y; assert z", "while x: assert y", "class D: assert x", "",
)  # fmt: skip
BLOCKS = (
    ("def f():",), ("class C:",), ("for x in y:",), ("if x:", "else:"), ("try:", "finally:"),
    ("if x:", "elif assert_(y):"), ("with x as y:",),
)  # fmt: skip


@st.composite
def blocks(draw: st.DrawFn, step: str, depth: int = 0) -> list[str]:
    """The lines of a block, which may hold others."""
    lines = [draw(st.sampled_from(STATEMENTS[:-1]))]
    for _ in range(draw(st.integers(0, 4))):
        if depth < 3 and draw(st.booleans()):
            for opener in draw(st.sampled_from(BLOCKS)):
                inside = draw(blocks(step, depth + 1))
                lines += [opener, *(f"{step}{line}" for line in [*inside, "pass"])]
        else:
            lines.append(draw(st.sampled_from(STATEMENTS)))
    return lines


@given(
    lines=st.sampled_from(["    ", "\t", " "]).flatmap(blocks),
    newline=st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=300, deadline=None)
def test_the_law_holds_on_made_up_programs(lines: list[str], newline: str) -> None:
    source = Source.from_text(newline.join("\n".join(lines).split("\n")))
    hits = PROGRAM.hits(source)
    answer = settled(source, PROGRAM, hits)
    asked = hits.keys() - answer.left.keys()
    assert bool(asked) == ("checked" in hits)
    told = [one for one in all_of(source) if one.code in asked]
    assert sorted(answer.found, key=position) == [as_read(one) for one in told]


def as_read(finding: Finding) -> Finding:
    """As a finding in a part of a file reads, whose line ends are all the same."""
    return replace(
        finding,
        source=finding.source.replace("\r\n", "\n"),
        message=finding.message.replace("\r\n", "\n"),
    )


@pytest.mark.slow
def test_the_law_holds_on_the_standard_library() -> None:
    program = program_of(load_rules(), Profile.REPO)
    count = 0
    for path in sample(sorted(Path(sysconfig.get_path("stdlib")).glob("*/*.py"))):
        try:
            source = Source.from_bytes(path.read_bytes(), path.name)
        except SourceError:  # a system may ship samples of broken code
            continue
        hits = {
            name: found for name, found in program.hits(source).items() if name == "assert-used"
        }
        answer = settled(source, program, hits)
        if not answer.found:
            continue
        count += len(answer.found)
        whole = findings(source, program, dict.fromkeys(hits, ()))
        assert sorted(answer.found, key=position) == sorted(whole, key=position)
    assert count > 20  # some systems leave parts of the library out
