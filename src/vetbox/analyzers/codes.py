"""What ruff's codes are about: their CWE and how bad they are, which ruff does not say."""

from vetbox.findings import Severity
from vetbox.rules.language.weaknesses import cwe_of

ERRORS = frozenset({"S201", "S501", "S502", "S602", "S605", "S609", "S701", "S102", "S307"})
NOTES = frozenset({"S101", "S110", "S112", "S311", "S404", "S603", "S606", "S607"})
# Ruff's other families: what breaks at run time is an error.
BROKEN = ("E9", "F63", "F7", "F82", "PLE")


def ruff_cwe(code: str) -> tuple[int, ...]:
    cwe = cwe_of(code)
    return (cwe,) if cwe is not None else ()


def ruff_severity(code: str) -> Severity:
    if code in ERRORS or code.startswith(BROKEN):
        return Severity.ERROR
    if code in NOTES or code.startswith("S40"):
        return Severity.INFO
    return Severity.WARNING
