"""SARIF 2.1.0 as GitHub takes it: a closed schema of the parts we write, and GitHub's own needs."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from tests.reports.samples import CLEAN, EVAL, FLOWING, FULL, SHELL
from vetbox.reports import render, sarif
from vetbox.reports.model import CheckReport
from vetbox.rules import load_rules

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
POSITION = {"type": "integer", "minimum": 1}


def closed(required: str, **properties: object) -> dict[str, object]:
    """An object with exactly these properties, the named ones required."""
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def listed(items: object) -> dict[str, object]:
    return {"type": "array", "items": items, "uniqueItems": True}


# Written from the OASIS standard, section numbers in the comments; only what vetbox emits.
ARTIFACT = closed("uri", uri={"type": "string", "format": "uri-reference"}, uriBaseId=TEXT)
ARTIFACT["properties"]["uriBaseId"] = {"type": "string", "pattern": "^%.+%$"}  # 3.4
REGION = closed(  # 3.30
    "startLine startColumn endLine endColumn",
    **dict.fromkeys(["startLine", "startColumn", "endLine", "endColumn"], POSITION),
)
PHYSICAL = closed("artifactLocation", artifactLocation=ARTIFACT, region=REGION)  # 3.29
LOCATIONS = listed(closed("physicalLocation", physicalLocation=PHYSICAL))  # 3.28
COMPONENT = closed("name", name={"type": "string"})  # 3.54
RELATION = closed(  # 3.53
    "target",
    target=closed("id toolComponent", id={"pattern": r"^CWE-\d+$"}, toolComponent=COMPONENT),
    kinds=listed({"enum": ["superset", "subset", "equal", "relevant"]}),
)
PROPERTIES = {
    "type": "object",
    "required": ["tags", "precision", "security-severity"],
    "properties": {
        "tags": {**listed({"type": "string"}), "maxItems": 20},
        "precision": {"enum": ["very-high", "high", "medium", "low"]},
        "security-severity": {"type": "string", "pattern": r"^\d\d?\.\d$"},
    },
}
RULE = closed(  # 3.49
    "id shortDescription help",
    id={"type": "string"},
    name={"type": "string"},
    shortDescription=TEXT,
    fullDescription=TEXT,
    help=TEXT,
    helpUri={"type": "string", "format": "uri"},
    defaultConfiguration=closed("level", level=LEVEL),
    relationships=listed(RELATION),
    properties=PROPERTIES,
)
DRIVER = closed(  # 3.19
    "name rules",
    name={"type": "string"},
    semanticVersion={"type": "string"},
    supportedTaxonomies=listed(COMPONENT),
    rules=listed(RULE),
)
RESULT = closed(  # 3.27
    "ruleId level message locations partialFingerprints",
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=TEXT,
    locations=LOCATIONS,
    partialFingerprints=closed(
        "primaryLocationLineHash", primaryLocationLineHash={"type": "string"}
    ),
    codeFlows=listed(
        closed(
            "threadFlows",
            threadFlows=listed(
                closed(
                    "locations",
                    locations=listed(
                        closed(
                            "location",
                            location=closed(
                                "physicalLocation message",
                                physicalLocation=PHYSICAL,
                                message=TEXT,
                            ),
                        )
                    ),
                )
            ),
        )
    ),  # 3.36 to 3.38
    suppressions=listed(
        closed(
            "kind", kind={"enum": ["inSource", "external"]}, justification={"type": "string"}
        )  # 3.35
    ),
)
NOTIFICATION = closed("message", level=LEVEL, message=TEXT, locations=LOCATIONS)  # 3.58
TAXONOMY = {"type": "object", "required": ["name", "taxa"]}
RUN = closed(  # 3.14
    "tool results",
    tool=closed("driver", driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={"type": "object"},
    taxonomies=listed(TAXONOMY),
    invocations=listed(
        closed(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=listed(NOTIFICATION),
        )
    ),
    results={"type": "array", "items": RESULT, "maxItems": 25_000},
)
LOG = closed(  # 3.13
    "version runs",
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs={"type": "array", "items": RUN},
)


def run_of(report: CheckReport) -> dict:
    return json.loads(render(report, "sarif"))["runs"][0]


@pytest.mark.parametrize("report", [FULL, FLOWING, CLEAN], ids=["full", "flow", "clean"])
def test_the_log_is_valid(report: CheckReport) -> None:
    Draft202012Validator(LOG).validate(json.loads(render(report, "sarif")))


def test_results_point_at_their_rules_by_index() -> None:
    run = run_of(FULL)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    indexed = [(rules[r["ruleIndex"]], r["ruleId"]) for r in run["results"] if "ruleIndex" in r]
    assert indexed == [(name, name) for name in ("eval-call", "shell-true", "assert-used")]


def test_paths_are_relative_to_the_root_and_encoded() -> None:
    odd = replace(SHELL, location=replace(SHELL.location, path="a b/ü%.py"))
    [result] = run_of(CheckReport((odd,)))["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "a%20b/%C3%BC%25.py", "uriBaseId": "%SRCROOT%"}


def test_a_cwe_is_a_tag_a_taxon_and_a_relation() -> None:
    run = run_of(CheckReport((SHELL,)))
    [rule] = run["tool"]["driver"]["rules"]
    assert rule["properties"]["tags"] == ["security", "external/cwe/cwe-078"]
    assert rule["relationships"][0]["target"]["id"] == "CWE-78"
    assert [taxon["id"] for taxon in run["taxonomies"][0]["taxa"]] == ["CWE-78"]


def test_equal_findings_have_different_fingerprints_that_survive_a_move() -> None:
    again = replace(EVAL, location=replace(EVAL.location, line=50, end_line=51))
    first, second = (
        r["partialFingerprints"]["primaryLocationLineHash"]
        for r in run_of(CheckReport((EVAL, again)))["results"]
    )
    [moved] = run_of(CheckReport((again,)))["results"]
    assert first != second
    assert moved["partialFingerprints"]["primaryLocationLineHash"] == first


def test_a_suppressed_finding_says_why() -> None:
    [result] = [r for r in run_of(FULL)["results"] if "suppressions" in r]
    assert result["suppressions"] == [
        {"kind": "inSource", "justification": "checked by the caller"}
    ]


def test_what_is_said_of_comments_is_described_for_all_of_them() -> None:
    one = replace(EVAL, code="unused-suppression", message="This one is in vain", cwe=())
    (rule,) = run_of(CheckReport((one,)))["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"].startswith("A suppression that accepts nothing")
    assert rule["help"] == rule["shortDescription"]


def test_a_finding_that_the_baseline_accepts_is_closed() -> None:
    [result] = run_of(CheckReport((), accepted=(EVAL,)))["results"]
    assert result["suppressions"] == [{"kind": "external", "justification": "in the baseline"}]


def test_a_broken_file_is_a_result_and_a_notification() -> None:
    run = run_of(FULL)
    assert run["invocations"][0]["executionSuccessful"] is False
    assert [r["level"] for r in run["results"] if r["ruleId"] == "syntax-error"] == ["error"]


def test_more_results_than_github_takes_keep_the_worst() -> None:
    many = CheckReport((*[SHELL] * sarif.MAX_RESULTS, EVAL))
    results = run_of(many)["results"]
    assert len(results) == sarif.MAX_RESULTS
    assert results[0]["ruleId"] == "eval-call"
    [note] = run_of(many)["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "1 more result is left out: no more than 25,000 are taken."


def helps(report: CheckReport) -> list[object]:
    (run,) = sarif.document(report)["runs"]  # type: ignore[misc]
    return [rule.get("helpUri") for rule in run["tool"]["driver"]["rules"]]


SHIPPED = replace(FULL, rules=load_rules().rules)


def test_help_is_the_first_reference_where_no_pages_are_served() -> None:
    addresses = helps(SHIPPED)
    assert load_rules().rules["eval-call"].references[0] in addresses


@pytest.mark.parametrize("url", ["https://pages.example/rules", "https://pages.example/rules/"])
def test_help_is_the_page_of_the_catalogue_where_it_is_served(url: str) -> None:
    addresses = helps(replace(SHIPPED, rules_url=url))
    assert "https://pages.example/rules/eval-call.html" in addresses
