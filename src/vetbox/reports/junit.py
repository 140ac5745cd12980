"""JUnit XML: a test suite per file, a failed case per finding, an error per unreadable file."""

import re
from itertools import groupby

# Written, never read: the standard library's writer has none of its parser's dangers.
from xml.etree.ElementTree import Element, SubElement, indent, tostring  # nosec B405

from vetbox.findings import Failure, Finding
from vetbox.reports.escaping import HIDDEN, visible_lines
from vetbox.reports.model import CheckReport

XML_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: CheckReport) -> str:
    root = Element("testsuites", name="vetbox")
    for path, group in groupby(report.findings, key=lambda finding: finding.location.path):
        add_file(root, path, list(group))
    for failure in report.failures:
        add_failure(root, failure)
    if report.clean:  # consumers reject a file without a single case
        clean = SubElement(root, "testsuite", name="vetbox", tests="1", failures="0", errors="0")
        SubElement(clean, "testcase", name=f"{report.files} files", classname="vetbox")
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def add_file(root: Element, path: str, findings: list[Finding]) -> None:
    count = str(len(findings))
    suite = SubElement(
        root, "testsuite", name=xml_text(path), tests=count, failures=count, errors="0"
    )
    for finding in findings:
        where = finding.location
        name = f"{finding.code} {where.line}:{where.column}"
        case = SubElement(suite, "testcase", name=name, classname=xml_text(path))
        message = xml_text(finding.message)
        failure = SubElement(case, "failure", type=finding.severity.value, message=message)
        failure.text = f"{xml_text(path)}:{where.line}:{where.column}: {message}"


def add_failure(root: Element, failure: Failure) -> None:
    path = xml_text(failure.path)
    suite = SubElement(root, "testsuite", name=path, tests="1", failures="0", errors="1")
    case = SubElement(suite, "testcase", name=failure.kind.value, classname=path)
    message = xml_text(failure.message)
    error = SubElement(case, "error", type=failure.kind.value, message=message)
    where = ":".join(str(part) for part in (failure.line, failure.column) if part)
    error.text = f"{path}:{where}: {message}" if where else f"{path}: {message}"


def xml_text(text: str) -> str:
    """Text in which every character is visible; no name becomes that of another file."""
    return visible_lines(XML_FORBIDDEN.sub(HIDDEN, text))
