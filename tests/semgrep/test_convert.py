"""Every operator of semgrep's two notations, and what becomes of it."""

from collections.abc import Mapping
from typing import Any

import pytest

from vetbox import semgrep
from vetbox.semgrep import Unsupported


def converted(written: Mapping[str, Any]) -> dict[str, Any]:
    """A converted rule, without what all of its patterns say."""
    found: dict[str, Any] = unspelled(semgrep.converted(written))
    return found


_SAID = frozenset({"spelled", "assigned", "defaults", "nested"})


def unspelled(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: unspelled(value) for key, value in data.items() if key not in _SAID}
    return [*map(unspelled, data)] if isinstance(data, list) else data


@pytest.mark.parametrize("pattern", [None, 5, ["f()"], {"a": 1}, True])
def test_a_pattern_is_text(pattern: object) -> None:
    with pytest.raises(Unsupported, match="no text"):
        semgrep.converted(rule(pattern=pattern))


def rule(**keys: Any) -> dict[str, Any]:
    known = {key.replace("_", "-"): value for key, value in keys.items()}
    return {"id": "x", "message": "m", "severity": "ERROR", "languages": ["python"], **known}


SEARCH = [
    ({"pattern": "f($X)"}, {"pattern": "f($X)"}),
    (
        {"patterns": [{"pattern": "f($X)"}, {"pattern-inside": "def g(...): ..."}]},
        {"all": [{"pattern": "f($X)"}, {"inside": {"pattern": "def g(...): ..."}}]},
    ),
    (
        {"patterns": [{"pattern": "f($X)"}, {"pattern-not": "f(1)"}]},
        {"all": [{"pattern": "f($X)"}, {"not": {"pattern": "f(1)"}}]},
    ),
    (
        {"patterns": [{"pattern": "f($X)"}, {"pattern-not-inside": "with g(): ..."}]},
        {"all": [{"pattern": "f($X)"}, {"not-inside": {"pattern": "with g(): ..."}}]},
    ),
    (
        {"pattern-either": [{"pattern": "f()"}, {"pattern": "g()"}]},
        {"any": [{"pattern": "f()"}, {"pattern": "g()"}]},
    ),
    ({"pattern-regex": "AKIA[A-Z]+"}, {"raw": {"regex": "AKIA[A-Z]+"}}),
    (
        {"patterns": [{"pattern": "$F($X)"}, {"focus-metavariable": "$X"}]},
        {"all": [{"pattern": "$F($X)"}], "focus": "$X"},
    ),
    (
        {"match": {"all": ["f($X)", {"not": {"inside": "g(...)"}}]}},
        {"all": [{"pattern": "f($X)"}, {"not": {"inside": {"pattern": "g(...)"}}}]},
    ),
    ({"match": {"any": ["f()", {"has": "g()"}]}}, None),
]
FILTERS = [
    (
        {"metavariable-regex": {"metavariable": "$F", "regex": "get|post"}},
        {"metavariable": "$F", "written": "^(?:get|post)"},
    ),
    *(
        (
            {"metavariable-regex": {"metavariable": "$F", "regex": regex}},
            {"metavariable": "$F", **said},
        )
        for regex, said in [
            ("(?!get|post)", {"not-written": "^(?:get|post)"}),
            ("^(?!.*safe).*$", {"not-written": "^(?:.*safe)"}),
            ("(?!a(b|[)])).+_url", {"written": "^(?:.+_url)", "not-written": "^(?:a(b|[)]))"}),
            (r"^(?!\)[]()])x", {"written": "^(?:x)", "not-written": r"^(?:\)[]()])"}),
        ]
    ),
    (
        {
            "metavariable-pattern": {
                "metavariable": "$X",
                "patterns": [
                    {"pattern-regex": "a"},
                    {"pattern-not-regex": "b"},
                    {"pattern-not-regex": "c"},
                ],
            }
        },
        {"metavariable": "$X", "written": "a", "not-written": "(?:b)|(?:c)"},
    ),
    (
        {"metavariable-comparison": {"metavariable": "$N", "comparison": "$N < 2048"}},
        {"metavariable": "$N", "value": {"compare": "< 2048"}},
    ),
    (
        {"metavariable-pattern": {"metavariable": "$X", "pattern": "g(...)"}},
        {"metavariable": "$X", "match": {"pattern": "g(...)"}},
    ),
    (
        {"metavariable-analysis": {"metavariable": "$X", "analyzer": "redos"}},
        {"metavariable": "$X", "value": {"backtracks": "found"}},
    ),
    (
        {"metavariable-analysis": {"metavariable": "$X", "analyzer": "entropy"}},
        {"metavariable": "$X", "regex": r"^\S+$", "value": {"entropy": 3.0}},
    ),
    (
        {"metavariable-type": {"metavariable": "$X", "type": "a.B"}},
        {"metavariable": "$X", "type": ["a.B"]},
    ),
]
REFUSED = [
    (rule(pattern="f()", languages=["go"]), "it is not for Python"),
    (rule(pattern_regex=r"a(?=b)"), "look-around"),
    (rule(patterns=[{"pattern-not": "f()"}]), "nothing but what must not be"),
    (rule(pattern="f()", fix="f()" * 1_000), "a fix of more than 2,000 characters"),
    (rule(pattern="f()", fix_regex={"regex": "a(?=b)", "replacement": "c"}), "look-around"),
    (
        rule(pattern="f()", fix_regex={"regex": "a", "replacement": "c", "count": "all"}),
        "a count in fix-regex that is no number",
    ),
    *(
        (
            rule(
                patterns=[
                    {"pattern": "$F()"},
                    {"metavariable-regex": {"metavariable": "$F", "regex": regex}},
                ]
            ),
            "look-around",
        )
        for regex in ("a(?!b)", "(?!a(?=b))", "(?!a", "(?!a)(?!b)", "(?!a)b|c", r"(?!(a)\1)")
    ),
    (
        rule(
            patterns=[
                {"pattern": "f($A, $B)"},
                {"focus-metavariable": "$A"},
                {"focus-metavariable": "$B"},
            ]
        ),
        "focus on what several",
    ),
    (rule(mode="join"), "mode: join"),
    (rule(patterns=[{"pattern": "f()"}, {"pattern-where-python": "x"}]), "pattern-where-python"),
    *(
        (rule(mode="taint", **{"pattern_sources": ["f()"], "pattern_sinks": ["g()"], **said}), why)
        for said, why in [
            ({"pattern_sinks": [{"pattern": "g()", "requires": [{"$X": "A"}]}]}, "`requires` that"),
            ({"pattern_sources": [{"pattern": "f()", "control": True}]}, "sources of control flow"),
            ({"pattern_sources": [{"pattern": "f()", "by-side-effect": "only"}]}, "effect: only"),
            ({"pattern_sinks": [{"pattern": "g()", "at-exit": True}]}, "at the exit of a function"),
            (
                {"pattern_sanitizers": [{"pattern": "h()", "not-conflicting": True}]},
                "not-conflicting",
            ),
            (
                {
                    "pattern_propagators": [
                        {"pattern": "$A($B)", "from": "$B", "to": "$A", "by-side-effect": False}
                    ]
                },
                "propagators without side effect",
            ),
            ({"options": {"taint_unify_mvars": True}}, "the option taint_unify_mvars"),
            ({"pattern_sinks": []}, "an empty list"),
        ]
    ),
]


@pytest.mark.parametrize(("written", "expected"), SEARCH)
def test_an_operator_becomes_its_formula(written: dict[str, Any], expected: object) -> None:
    found = converted(rule(**written))["match"]
    assert found == (expected or {"any": [{"pattern": "f()"}, {"has": {"pattern": "g()"}}]})


@pytest.mark.parametrize(("written", "expected"), FILTERS)
def test_a_filter_becomes_a_where(written: dict[str, Any], expected: object) -> None:
    found = converted(rule(patterns=[{"pattern": "$F($X, $N)"}, written]))["match"]
    assert found["where"] == [expected]


@pytest.mark.parametrize(("written", "reason"), REFUSED)
def test_what_has_no_equal_is_named(written: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        converted(written)


def test_taint_keeps_sources_sinks_and_sanitizers() -> None:
    data = converted(
        rule(
            mode="taint",
            pattern_sources=[{"pattern": "input()"}],
            pattern_sinks=[{"patterns": [{"pattern": "run($X)"}, {"focus-metavariable": "$X"}]}],
            pattern_sanitizers=[{"pattern": "quote(...)", "by-side-effect": True}],
        )
    )
    assert data["taint"] == {
        "sources": [{"match": {"pattern": "input()"}}],
        "sinks": [{"match": {"all": [{"pattern": "run($X)"}], "focus": "$X"}}],
        "sanitizers": [{"match": {"pattern": "quote(...)"}, "by": "side-effect"}],
    }


def test_labels_come_along_and_what_has_none_is_told_from_them() -> None:
    data = converted(
        rule(
            mode="taint",
            pattern_sources=[
                {"pattern": "f()", "label": "A"},
                {"pattern": "g($X)", "label": "B", "requires": "A and not C"},
                {"pattern": "h()", "exact": True},
            ],
            pattern_sinks=[{"pattern": "i()", "requires": "A or B"}, {"pattern": "j()"}],
            pattern_propagators=[
                {
                    "pattern": "$T.add($F)",
                    "from": "$F",
                    "to": "$T",
                    "requires": "A",
                    "label": "D",
                    "replace-labels": ["A"],
                }
            ],
        )
    )
    assert data["taint"] == {
        "sources": [
            {"match": {"pattern": "f()"}, "label": "A"},
            {"match": {"pattern": "g($X)"}, "label": "B", "requires": "A and not C"},
            {"match": {"pattern": "h()"}, "label": "__SOURCE__"},
        ],
        "sinks": [
            {"match": {"pattern": "i()"}, "requires": "A or B"},
            {"match": {"pattern": "j()"}, "requires": "__SOURCE__"},
        ],
        "propagators": [
            {
                "match": {"pattern": "$T.add($F)"},
                "from": "$F",
                "to": "$T",
                "requires": "A",
                "label": "D",
                "replaces": ["A"],
            }
        ],
    }


def test_metadata_and_paths_come_along() -> None:
    data = converted(
        rule(
            pattern="f()",
            metadata={"cwe": ["CWE-78: OS Command Injection"], "confidence": "HIGH"},
            paths={"exclude": ["tests/"]},
            fix="g()",
        )
    )
    assert (data["cwe"], data["confidence"]) == ([78], "high")
    assert data["paths"] == {"exclude": ["**/tests/"]}
    assert data["fix"] == {"replace": "g()", "safety": "unsafe"}


def test_a_fix_by_regex_comes_along() -> None:
    written = {"regex": r"verify\s*=\s*(\w+)", "replacement": r"check=\1", "count": 1}
    fix = converted(rule(pattern="f(...)", fix_regex=written))["fix"]
    substitute = {"regex": written["regex"], "by": written["replacement"], "count": 1}
    assert fix == {"substitute": substitute, "safety": "unsafe"}


@pytest.mark.parametrize(
    ("pattern", "spelled"),
    [("f(...)", True), ("a.b", True), ("$X.b()", False), ("$X == $X", False), ('"text"', False)],
)
def test_names_also_count_as_they_are_written(pattern: str, spelled: bool) -> None:
    found = semgrep.converted(rule(pattern=pattern))["match"]
    assert found.get("spelled", False) is spelled
