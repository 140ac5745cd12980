"""What stays the same about a finding while the lines around it move."""

import hashlib
from collections import Counter
from collections.abc import Iterable

from vetbox.findings import Finding

HEX_DIGITS = 16  # 64 bits: a repository has thousands of findings, not billions


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """One stable name per finding, in order: path, rule, matched code, and which of its equals.

    The last part tells the second `eval(x)` of a file from the first without naming a line.
    """
    seen: Counter[str] = Counter()
    names = []
    for finding in findings:
        digest = content_digest(finding)
        seen[digest] += 1
        names.append(f"{digest}:{seen[digest]}")
    return names


def content_digest(finding: Finding) -> str:
    code = " ".join(finding.source.split())
    parts = (finding.location.path, finding.tool, finding.code, code or finding.message)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:HEX_DIGITS]
