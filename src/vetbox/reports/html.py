"""The report as one HTML file to share: no network, no library, every value escaped."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from vetbox import __version__
from vetbox.findings import Finding, Severity
from vetbox.late_dataclasses import dataclass
from vetbox.reports.escaping import visible
from vetbox.reports.frames import CONTEXT, last_line, marked, window
from vetbox.reports.model import CheckReport

TEMPLATE = "report.html.j2"
# Enough to read; a file of 20,000 findings is for a machine, which has JSON.
MAX_FINDINGS = 5_000

SCRIPT = """
const box = document.querySelector("input");
box?.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/);
  for (const item of document.querySelectorAll("article")) {
    const text = (item.textContent + item.closest("section")?.firstElementChild.textContent)
      .toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
});
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of code in a frame."""

    number: int
    code: Markup


def render(report: CheckReport) -> str:
    """The page; what does not fit in MAX_FINDINGS is counted in it, not shown."""
    page = environment().get_template(TEMPLATE)
    shown = report.findings[:MAX_FINDINGS]
    return page.render(
        report=report,
        script=Markup(SCRIPT),  # noqa: S704 - a constant of ours
        script_hash=digest(SCRIPT),
        version=__version__,
        files=by_file(shown),
        left_out=len(report.findings) - len(shown),
        totals={level: report.count(level) for level in Severity},
        rules=report.by_rule.most_common(),
        rows=lambda finding: list(rows(finding, report.lines(finding.location.path))),
    )


def environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("vetbox.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = visible
    return environment


def digest(script: str) -> str:
    """What the page's own policy lets run: this script and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def by_file(findings: Sequence[Finding]) -> list[tuple[str, list[Finding]]]:
    grouped = groupby(findings, key=lambda finding: finding.location.path)
    return [(path, list(group)) for path, group in grouped]


def rows(finding: Finding, lines: Sequence[str]) -> Iterator[Row]:
    """The lines around a finding with its own code marked."""
    where = finding.location
    last = last_line(where, lines)
    for number in range(max(1, where.line - CONTEXT), last + 1):
        line, start, end = window(lines[number - 1], *marked(where, number, lines[number - 1]))
        before, inside, after = line[:start], line[start:end], line[end:]
        mark = Markup("<mark>{}</mark>").format(visible(inside)) if inside else Markup("")
        yield Row(number, escape(visible(before)) + mark + escape(visible(after)))
