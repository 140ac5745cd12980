"""What a correction writes, and that it leaves the rest of the call as it was."""

import libcst as cst
import pytest

from vetbox.findings import Edit, Location, Safety
from vetbox.rules.fixes import Correction, rewritten, with_edits
from vetbox.rules.fixes.imports import with_imports
from vetbox.rules.language.correction import Substitution
from vetbox.rules.patterns.bindings import EMPTY, Bindings, Bound


def correction(**changes: object) -> Correction:
    return Correction(Safety.SAFE, **changes)  # type: ignore[arg-type]


CASES = [
    ("run(a)", {"set_args": (("timeout", "10"),)}, "run(a, timeout=10)"),
    ("run()", {"set_args": (("timeout", "10"),)}, "run(timeout=10)"),
    ("run(a, verify=False)", {"set_args": (("verify", "True"),)}, "run(a, verify=True)"),
    ("run(a, verify=False)", {"add_args": (("verify", "True"),)}, "run(a, verify=False)"),
    ("run(a, shell=True)", {"remove_args": ("shell",)}, "run(a)"),
    ("run(shell=True, b=1)", {"remove_args": ("shell",)}, "run(b=1)"),
    ("run(\n    a,\n)", {"set_args": (("b", "1"),)}, "run(\n    a,\n    b=1,\n)"),
    (
        "run(\n    a,  # x\n    v=0,  # y\n    # z\n)",
        {"add_args": (("b", "1"),)},
        "run(\n    a,  # x\n    v=0,  # y\n    b=1,\n    # z\n)",
    ),
    (
        "run(\n    a,\n    v=0  # y\n)",
        {"add_args": (("b", "1"),)},
        "run(\n    a,\n    v=0,  # y\n    b=1\n)",
    ),
    ("run(  # x\n    a\n)", {"add_args": (("b", "1"),)}, "run(  # x\n    a,\n    b=1\n)"),
    ("run(\n    a,\n    c=2,\n)", {"remove_args": ("c",)}, "run(\n    a,\n)"),
]


@pytest.mark.parametrize(("code", "changes", "expected"), CASES)
def test_a_call_gets_the_arguments_the_rule_wants(
    code: str, changes: dict[str, object], expected: str
) -> None:
    assert rewritten(correction(**changes), cst.parse_expression(code), EMPTY) == expected


def test_a_call_with_unknown_keywords_is_left_alone() -> None:
    call = cst.parse_expression("run(a, **options)")
    assert rewritten(correction(set_args=(("timeout", "1"),)), call, EMPTY) is None


def test_a_template_takes_the_code_of_its_metavariables() -> None:
    bindings = Bindings({"X": Bound(None, (cst.parse_expression("stream( 1 )"),))})
    call = cst.parse_expression("yaml.load(stream( 1 ))")
    template = correction(replace="yaml.safe_load($X)")
    assert rewritten(template, call, bindings) == "yaml.safe_load(stream( 1 ))"
    assert rewritten(correction(replace="f($Y)"), call, bindings) is None


@pytest.mark.parametrize(
    ("substitution", "expected"),
    [
        (Substitution("md5", "sha256"), "hashlib.sha256(sha256( 1 ))"),
        (Substitution("md5", "sha256", 1), "hashlib.sha256(md5( 1 ))"),
        (Substitution(r"\.(md\d)\(", r".new('\1', "), "hashlib.new('md5', md5( 1 ))"),
        (Substitution("sha1", "sha256"), None),
    ],
)
def test_a_substitution_changes_what_its_regex_finds(
    substitution: Substitution, expected: str | None
) -> None:
    call = cst.parse_expression("hashlib.md5(md5( 1 ))")
    assert rewritten(correction(substitute=substitution), call, EMPTY) == expected


def test_edits_change_only_their_spans() -> None:
    text = "a = f(1)\r\nb = f(2); c = f(3)\r\n"
    spans = [Location("x", 2, 5, 2, 9), Location("x", 2, 15, 2, 19)]
    edits = [Edit(span, f"g{index}()") for index, span in enumerate(spans)]
    assert with_edits(text, edits) == "a = f(1)\r\nb = g0(); c = g1()\r\n"


IMPORTS = [
    ("x = 1\n", "import os\nx = 1\n"),
    ("import os\nx = 1\n", "import os\nx = 1\n"),
    (
        '#!/bin/sh\n"""Doc."""\n\nimport sys\n\nx = 1\n',
        '#!/bin/sh\n"""Doc."""\n\nimport sys\nimport os\n\nx = 1\n',
    ),
    ('"""Doc."""', '"""Doc."""\nimport os\n'),
]


@pytest.mark.parametrize(("text", "expected"), IMPORTS)
def test_imports_go_below_those_of_the_head(text: str, expected: str) -> None:
    assert with_imports(text, ["os"]) == expected
    assert with_imports(expected, ["os"]) == expected


def bound(code: str, **rest: object) -> Bound:
    return Bound(rest.pop("text", None), (cst.parse_expression(code),), **rest)  # type: ignore[arg-type]


FILLED = [
    ("$X + $Y", {"X": bound("a"), "Y": bound("f(b)")}, "a + f(b)"),
    ("$X + $Y", {"X": bound("a if b else c"), "Y": bound("d")}, "(a if b else c) + d"),
    ("not $X", {"X": bound("a or b")}, "not (a or b)"),
    ("f($X)", {"X": bound("a or b")}, "f(a or b)"),
    ("$X.name", {"X": bound("1")}, "(1).name"),
    ("$X.$N", {"X": bound("a"), "N": bound("'b'", text="b", inner=True)}, "a.b"),
    ("$X.$N", {"X": bound("a"), "N": bound("'b c'", text="b c", inner=True)}, None),
    ('f("$X")', {"X": bound("r'\\d'", text="\\d", inner=True)}, "f(r'\\d')"),
    ('f("$X")', {"X": bound("known", text="a", inner=True)}, "f(known)"),
    ('f("/$X")', {"X": bound("'a\"\\n'", text='a"\n', inner=True)}, 'f("/a\\"\\n")'),
    ('f(f"/$X")', {"X": bound("'a'", text="a", inner=True)}, 'f(f"/a")'),
    ('f(f"/$X")', {"X": bound("'{a}'", text="{a}", inner=True)}, None),
]


@pytest.mark.parametrize(("template", "values", "expected"), FILLED)
def test_what_is_filled_in_stays_what_it_was(
    template: str, values: dict[str, Bound], expected: str | None
) -> None:
    call = cst.parse_expression("g()")
    assert rewritten(correction(replace=template), call, Bindings(values)) == expected


def test_imports_end_as_the_other_lines_do() -> None:
    assert with_imports("import sys\rx = 1\r", ["os"]) == "import sys\rimport os\rx = 1\r"
