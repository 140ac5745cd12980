"""The findings a project has accepted for now; only new ones are reported against it."""

import json
from collections.abc import Sequence
from pathlib import Path

from vetbox.errors import VetboxError
from vetbox.files.replacement import write_file
from vetbox.findings import Finding
from vetbox.fingerprint import below, fingerprints
from vetbox.late_dataclasses import dataclass

SCHEMA = 1


class BaselineError(VetboxError):
    """The baseline file cannot be read."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Fingerprints of accepted findings, whose files lie below `root`."""

    accepted: frozenset[str]
    root: Path | None = None

    def split(self, findings: Sequence[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """The new findings and the accepted ones, each in their order."""
        named = list(zip(fingerprints(findings, self.root), findings, strict=True))
        new = tuple(finding for name, finding in named if name not in self.accepted)
        known = tuple(finding for name, finding in named if name in self.accepted)
        return new, known


def read_baseline(path: Path, root: Path | None = None) -> Baseline:
    """Load what `write_baseline` wrote; BaselineError says what is wrong with the file."""
    try:
        if path.exists() and not path.is_file():
            raise BaselineError(f"{path}: not a file")  # a pipe would be waited for
        data = json.loads(path.read_bytes())
        if data["schema"] != SCHEMA:
            raise BaselineError(f"{path}: schema {data['schema']} is not {SCHEMA}; write it again")
        return Baseline(frozenset(entry["fingerprint"] for entry in data["findings"]), root)
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror}; make it with --write-baseline") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BaselineError(f"{path}: not a baseline; make it with --write-baseline") from error


def write_baseline(path: Path, findings: Sequence[Finding], root: Path | None = None) -> None:
    """One line per finding, so that a review of the file shows what was accepted.

    Paths are from `root`, wherever the check was called.

    BaselineError says why it could not be written; what was there before is there still.
    """
    entries = [
        json.dumps(entry(name, finding, root), ensure_ascii=False)
        for name, finding in zip(fingerprints(findings, root), findings, strict=True)
    ]
    body = ",\n".join(f"    {line}" for line in entries)
    text = f'{{\n  "schema": {SCHEMA},\n  "findings": [\n{body}\n  ]\n}}\n'
    data = text.encode("utf-8", "backslashreplace")  # which JSON reads back
    if path.exists() and not path.is_file():
        raise BaselineError(f"{path}: not a file")
    try:
        write_file(path, data)
    except OSError as error:
        sentence = f"{path}: could not be written: {error.strerror}"
        raise BaselineError(f"{sentence}; make room, or name another place") from error


def entry(name: str, finding: Finding, root: Path | None) -> dict[str, object]:
    return {
        "fingerprint": name,
        "code": finding.code,
        "file_path": below(finding.location.path, root),
        "line_number": finding.location.line,
    }
