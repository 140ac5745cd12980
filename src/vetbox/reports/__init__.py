"""What a check found, written for people and for machines; the table of formats.

- what all are written from: `model`.
- for people: `text` and `terminal`, with `frames` of code (from `lines`), `traces` of data and a
  `summary`; `html`, and the `site` of all rules. `escaping` keeps hostile content harmless.
- for machines: `json_report`, `sarif`, `junit`, `github`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from vetbox.reports.model import CheckReport

# Each format is a function of the report; imported when it is asked for.
FORMATS: Mapping[str, str] = {
    "text": "vetbox.reports.text",
    "json": "vetbox.reports.json_report",
    "sarif": "vetbox.reports.sarif",
    "github": "vetbox.reports.github",
    "junit": "vetbox.reports.junit",
    "html": "vetbox.reports.html",
}


def render(report: CheckReport, form: str) -> str:
    """The report as text in one of FORMATS, ending in a line end."""
    writer: Callable[[CheckReport], str] = import_module(FORMATS[form]).render
    return writer(report)
