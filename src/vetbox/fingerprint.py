"""What stays the same about a finding while the lines around it move."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from vetbox.findings import Finding

HEX_DIGITS = 16  # 64 bits: a repository has thousands of findings, not billions


def fingerprints(findings: Iterable[Finding], root: Path | None = None) -> list[str]:
    """One stable name per finding, in order: path, rule, matched code, and which of its equals.

    The last part tells the second `eval(x)` of a file from the first without naming a line. With
    `root`, an absolute path, a file below it has the same name however its path was typed.
    """
    seen: Counter[str] = Counter()
    names = []
    for finding in findings:
        digest = content_digest(finding, root)
        seen[digest] += 1
        names.append(f"{digest}:{seen[digest]}")
    return names


def content_digest(finding: Finding, root: Path | None = None) -> str:
    code = " ".join(finding.source.split())
    parts = (
        below(finding.location.path, root),
        finding.tool,
        finding.code,
        code or finding.message,
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:HEX_DIGITS]


def below(path: str, root: Path | None) -> str:
    """The path from the root; of a file that is not below it, as it was typed."""
    if root is None:
        return path
    folder, absolute = f"{os.fspath(root).rstrip('/')}/", os.path.abspath(path)
    return absolute.removeprefix(folder) if absolute.startswith(folder) else path
