import pytest

from vetbox.code.source import Source
from vetbox.errors import UnknownName
from vetbox.findings import Finding, Location, Severity
from vetbox.rules import Profile, check, load_rules
from vetbox.rules.suppressions import directives, suppressed


def found(code: str, line: int, *cwe: int, tool: str = "rules") -> Finding:
    at = Location("a.py", line, 1, line, 2)
    return Finding(tool, code, "found", Severity.WARNING, at, cwe=cwe)


def hidden(text: str, *findings: Finding) -> list[bool]:
    source = Source.from_text(text, "a.py")
    return [finding.suppressed is not None for finding in suppressed(source, findings)]


SHELL = found("shell-true", 1, 78)


@pytest.mark.parametrize(
    "comment",
    [
        "# vetbox: ignore[shell-true] -- a constant",
        "# vetbox: ignore[eval-call, shell-true] -- both are constants",
        "# nosec",
        "#nosec",
        "# nosec B602",
        "# nosec: B404, B602",
        "# nosec because it is safe",
        "# noqa",
        "# noqa: E501,S602",
        "# type: ignore # noqa: S602",
        "# nosemgrep",
        "# nosemgrep: python.lang.shell-true",
    ],
)
def test_a_comment_accepts_what_it_names(comment: str) -> None:
    assert hidden(f"run(x)  {comment}\n", SHELL) == [True]


@pytest.mark.parametrize(
    "comment",
    [
        "# vetbox: ignore[eval-call] -- another rule",
        "# vetbox: ignore[shell-true]",
        "# vetbox: ignore -- everything",
        "# nosec B311",
        "# noqa: E501",
        "# nosemgrep: other-rule",
        "# the word nosec in prose",
        "# noqajust",
    ],
)
def test_a_comment_accepts_nothing_else(comment: str) -> None:
    assert hidden(f"run(x)  {comment}\n", SHELL) == [False]


def test_a_string_is_no_comment() -> None:
    assert hidden('run("# nosec")\n', SHELL) == [False]


def test_a_comment_speaks_for_its_whole_statement_and_no_further() -> None:
    text = "run(\n    x,\n)  # nosec\nrun(y)\n"
    findings = [found("shell-true", line, 78) for line in (1, 2, 3, 4)]
    assert hidden(text, *findings) == [True, True, True, False]


def test_a_comment_of_its_own_line_speaks_for_the_statement_below() -> None:
    text = "run(w)\n# vetbox: ignore[shell-true] -- a constant\n\nrun(\n    x)\nrun(y)\n"
    findings = [found("shell-true", line, 78) for line in (1, 5, 6)]
    assert hidden(text, *findings) == [False, True, False]


def test_one_code_accepts_the_weakness_from_every_tool() -> None:
    findings = (SHELL, found("S602", 1, 78, tool="ruff"), found("B602", 1, 78, tool="bandit"))
    assert hidden("run(x)  # nosec B602\n", *findings) == [True, True, True]


@pytest.mark.parametrize("text", ["run(x)  # nosec\r\ny = 1\r\n", "é = 1; run(x)  # nosec\n"])
def test_unusual_files_are_read_by_pythons_tokenizer(text: str) -> None:
    assert hidden(text, SHELL) == [True]


def test_the_comment_and_its_reason_are_kept() -> None:
    source = Source.from_text("run(x)  # vetbox: ignore[shell-true] -- a constant\n", "a.py")
    (finding,) = suppressed(source, [SHELL])
    assert finding.suppressed is not None
    assert finding.suppressed.reason == "a constant"
    assert finding.suppressed.line == 1


def test_a_comment_in_vain_is_reported() -> None:
    source = Source.from_text("y = 1\nx = 1  # vetbox: ignore[eval-call] -- why\n", "a.py")
    (useless,) = suppressed(source, [], rules={"eval-call"})
    assert (useless.code, useless.location.line, useless.location.column) == (
        *("unused-suppression", 2),
        8,
    )
    assert suppressed(source, [], rules={"another"}) == []


def test_a_misspelt_id_is_answered_with_the_one_that_was_meant() -> None:
    source = Source.from_text("x = 1  # vetbox: ignore[evall-call] -- why\n", "a.py")
    (wrong,) = suppressed(source, [], rules={"shell-true"}, others={"eval-call"})
    assert (wrong.code, wrong.message, wrong.location.column) == (
        *("unknown-suppression", "No rule is called evall-call; did you mean eval-call?"),
        8,
    )
    assert suppressed(source, [], rules={"shell-true"}, others={"evall-call"}) == []


def test_an_id_like_no_other_may_be_that_of_a_rule_not_loaded_here() -> None:
    source = Source.from_text("x = 1  # vetbox: ignore[my-eval-call] -- why\n", "a.py")
    assert suppressed(source, [], rules={"eval-call"}) == []


def test_a_selection_does_not_make_other_rules_unknown() -> None:
    text = "x = 1  # vetbox: ignore[exec-call, evall-call] -- why\n"
    chosen = load_rules().select(select=["eval-call"])
    found = check(Source.from_text(text, "a.py"), chosen, profile=Profile.REPO)
    assert [one.message for one in found] == [
        "No rule is called evall-call; did you mean eval-call?"
    ]


def test_a_comment_without_a_reason_is_reported() -> None:
    source = Source.from_text("run(x)  # vetbox: ignore[shell-true]\n", "a.py")
    codes = [finding.code for finding in suppressed(source, [SHELL], rules={"shell-true"})]
    assert codes == ["shell-true", "incomplete-suppression"]


THREE_IN_VAIN = (
    "x = 1  # vetbox: ignore[exec-call] -- why\n"
    "y = 1  # vetbox: ignore[exec-call]\n"
    "z = 1  # vetbox: ignore[execc-call] -- why\n"
)


@pytest.mark.parametrize(
    ("ignored", "left"),
    [
        ("exec-call", ["incomplete-suppression", "unknown-suppression"]),
        ("unused-suppression", ["incomplete-suppression", "unknown-suppression"]),
        ("*-suppression", []),
    ],
)
def test_what_is_said_of_comments_can_be_ignored(ignored: str, left: list[str]) -> None:
    rules = load_rules().select(ignore=[ignored])
    found = check(Source.from_text(THREE_IN_VAIN, "a.py"), rules, profile=Profile.REPO)
    assert [one.code for one in found] == left


def test_what_is_said_of_comments_cannot_be_selected() -> None:
    with pytest.raises(UnknownName, match="it is said of comments in every check"):
        load_rules().select(select=["unused-suppression"])


def test_a_hash_in_a_string_before_a_comment_is_no_comment() -> None:
    source = Source.from_text('x = "#fff # nosec"\nrun("#", "a # b")  # noqa: S602\n', "a.py")
    spoken = directives(source.text)
    assert [(one.comment, one.line, one.column) for one in spoken] == [("# noqa: S602", 2, 20)]


def test_each_comment_speaks_for_its_statement_or_the_one_below() -> None:
    text = "# nosec\n\nf(  # nosec\n    1,  # a # nosec\n)\n# nosec # noqa\ng()\n# nosec"
    spoken = [(one.line, one.statement) for one in directives(text)]
    assert spoken == [(1, (3, 5)), (3, (3, 5)), (4, (3, 5)), (6, (7, 7)), (6, (7, 7)), (8, (8, 8))]
    assert [one.column for one in directives(text)] == [1, 5, 13, 1, 9, 1]
