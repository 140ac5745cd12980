"""SARIF 2.1.0 as GitHub code scanning wants it: help, CWE tags, severity, fingerprints."""

import json
import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING
from urllib.parse import quote

from vetbox import __version__
from vetbox.counting import counted
from vetbox.findings import Failure, Finding, Location, Severity, Step
from vetbox.fingerprint import fingerprints
from vetbox.reports.escaping import plain_json
from vetbox.reports.model import CheckReport, worst_first

if TYPE_CHECKING:
    from vetbox.rules import Rule

Json = dict[str, object]

SCHEMA_ID = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_RESULTS = 25_000  # GitHub refuses a run with more
ROOT = "%SRCROOT%"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
# GitHub's bands: over 9 critical, 7 high, 4 medium, else low.
SECURITY_SEVERITY = {Severity.ERROR: "8.0", Severity.WARNING: "5.0", Severity.INFO: "2.0"}
CWE_VERSION = "4.18"
FIELD = re.compile(r"\{\w+\}")  # of a message template: {callee}


def render(report: CheckReport) -> str:
    return plain_json(json.dumps(document(report), indent=1, ensure_ascii=False)) + "\n"


def document(report: CheckReport) -> Json:
    return {"$schema": SCHEMA_ID, "version": "2.1.0", "runs": [run(report)]}


def run(report: CheckReport) -> Json:
    shown = sorted(report.findings, key=lambda finding: worst_first(finding.severity))
    hidden, known = report.suppressed, report.accepted
    described = {finding.code: finding for finding in reversed([*shown, *hidden, *known])}
    codes = sorted(described)
    numbers = sorted(set(chain.from_iterable(finding.cwe for finding in described.values())))
    entries = [
        *map(failure_result, report.failures),
        *results(shown, codes, report.root),
        *results(hidden, codes, report.root),
        *map(accepted, results(known, codes, report.root)),
    ]
    return {
        "tool": {
            "driver": driver(
                [descriptor(described[c], report.rules.get(c), report.rules_url) for c in codes]
            )
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "taxonomies": [taxonomy(numbers)] if numbers else [],
        "invocations": [invocation(report.failures, len(entries[MAX_RESULTS:]))],
        "results": entries[:MAX_RESULTS],
    }


def driver(rules: list[Json]) -> Json:
    taxonomies = [{"name": "CWE"}]
    return {
        "name": "vetbox",
        "semanticVersion": __version__,
        "supportedTaxonomies": taxonomies,
        "rules": rules,
    }


def descriptor(finding: Finding, rule: "Rule | None", rules_url: str = "") -> Json:
    """A rule as GitHub shows it; a finding of another tool describes its own."""
    entry: Json = {
        "id": finding.code,
        "name": finding.code,
        "shortDescription": {"text": short_text(finding, rule)},
        "help": help_text(finding, rule),
        "defaultConfiguration": {"level": LEVELS[rule.severity if rule else finding.severity]},
        "relationships": [cwe_relationship(number) for number in finding.cwe],
        "properties": {
            "tags": ["security", *(f"external/cwe/cwe-{number:03d}" for number in finding.cwe)],
            "precision": {"high": "high", "medium": "medium", "low": "low"}[finding.confidence],
            "security-severity": SECURITY_SEVERITY[rule.severity if rule else finding.severity],
        },
    }
    if rule and rule.why:
        entry["fullDescription"] = {"text": rule.why}
    page = help_page(rule, rules_url)
    if page:
        entry["helpUri"] = page
    return entry


def short_text(finding: Finding, rule: "Rule | None") -> str:
    """What every finding of a code says."""
    if rule is not None:
        return FIELD.sub("…", rule.message)
    from vetbox.rules.language.comments import MEANINGS

    return MEANINGS.get(finding.code, finding.code)


def help_page(rule: "Rule | None", rules_url: str) -> str | None:
    """The rule's page of the catalogue where one is served, else its first reference."""
    if rule is None:
        return None
    if rules_url and rule.pack:
        return f"{rules_url.rstrip('/')}/{quote(rule.id)}.html"
    return rule.references[0] if rule.references else None


def help_text(finding: Finding, rule: "Rule | None") -> Json:
    if rule is None:
        said = short_text(finding, rule)
        return {"text": finding.message if said == finding.code else said}
    links = "".join(f"\n- <{url}>" for url in rule.references)
    return {
        "text": f"{rule.why} Instead: {rule.instead}",
        "markdown": f"**Why:** {rule.why}\n\n**Instead:** {rule.instead}\n{links}".rstrip(),
    }


def cwe_relationship(number: int) -> Json:
    return {
        "target": {"id": f"CWE-{number}", "toolComponent": {"name": "CWE"}},
        "kinds": ["superset"],
    }


def taxonomy(numbers: list[int]) -> Json:
    site = "https://cwe.mitre.org/data/definitions/"
    return {
        "name": "CWE",
        "version": CWE_VERSION,
        "organization": "MITRE",
        "informationUri": "https://cwe.mitre.org/",
        "isComprehensive": False,
        "taxa": [{"id": f"CWE-{number}", "helpUri": f"{site}{number}.html"} for number in numbers],
    }


def results(findings: Sequence[Finding], codes: list[str], root: Path | None) -> list[Json]:
    named = zip(findings, fingerprints(findings, root), strict=True)
    return [result(finding, name, codes.index(finding.code)) for finding, name in named]


def result(finding: Finding, name: str, index: int) -> Json:
    entry: Json = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": physical(finding.location)}],
        "partialFingerprints": {"primaryLocationLineHash": name},
    }
    if finding.trace:
        steps = [{"location": flow_location(step)} for step in finding.trace]
        entry["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if finding.suppressed is not None:
        reason = finding.suppressed.reason or finding.suppressed.comment
        entry["suppressions"] = [{"kind": "inSource", "justification": reason}]
    return entry


def flow_location(step: Step) -> Json:
    return {"physicalLocation": physical(step.location), "message": {"text": step.note}}


def accepted(entry: Json) -> Json:
    """A result that the baseline hides: GitHub closes it instead of showing it."""
    return entry | {"suppressions": [{"kind": "external", "justification": "in the baseline"}]}


def physical(where: Location) -> Json:
    return {
        "artifactLocation": artifact(where.path),
        "region": {
            "startLine": where.line,
            "startColumn": where.column,
            "endLine": where.end_line,
            "endColumn": where.end_column,
        },
    }


def artifact(path: str) -> Json:
    """Relative to the root as GitHub needs it; an absolute path can only be named as it is."""
    uri = quote(PurePath(path).as_posix(), errors="surrogateescape")  # a name that is no text
    return {"uri": uri} if PurePath(path).is_absolute() else {"uri": uri, "uriBaseId": ROOT}


def failure_result(failure: Failure) -> Json:
    """GitHub shows results only, so a file that was not analysed is one too."""
    line, column = failure.line or 1, failure.column or 1
    where = Location(failure.path, line, column, line, column)
    return {
        "ruleId": failure.kind.value,
        "level": "error",
        "message": {"text": f"Not analysed: {failure.message}"},
        "locations": [{"physicalLocation": physical(where)}],
        "partialFingerprints": {"primaryLocationLineHash": f"{failure.kind.value}:1"},
    }


def invocation(failures: Sequence[Failure], left_out: int) -> Json:
    notes: list[Json] = [
        {
            "level": "error",
            "message": {"text": failure.message},
            "locations": [{"physicalLocation": {"artifactLocation": artifact(failure.path)}}],
        }
        for failure in failures
    ]
    if left_out:
        more = f"{counted(left_out, 'more result')} {'is' if left_out == 1 else 'are'} left out"
        text = f"{more}: no more than {MAX_RESULTS:,} are taken."
        notes.append({"level": "warning", "message": {"text": text}})
    return {"executionSuccessful": not failures, "toolExecutionNotifications": notes}
