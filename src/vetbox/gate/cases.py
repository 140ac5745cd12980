"""Cases: one piece of code, one profile, and exactly what one rule must say about it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from vetbox.code.source import Source
from vetbox.findings import Finding, Severity
from vetbox.gate.annotations import ANY_PROFILE, Annotation, Kind
from vetbox.late_dataclasses import dataclass
from vetbox.rules import Profile

Asserted = TypeVar("Asserted")


@dataclass(frozen=True, slots=True)
class Claim:
    """One annotation as it holds in one profile; `place` is where its author wrote it."""

    kind: Kind
    first: int
    last: int
    place: str
    slice: str | None = None
    message: str | None = None
    severity: Severity | None = None
    fix: str | None = None
    confidence: str | None = None

    @classmethod
    def of(
        cls, annotation: Annotation, profile: Profile, path: str, *, doubts: bool = True
    ) -> "Claim":
        """What is said for a profile; how sure the rule is only where it `doubts` anything."""
        return cls(
            annotation.kind,
            annotation.first,
            annotation.last,
            f"{path}:{annotation.line}",
            annotation.slice,
            _held_in(profile, annotation.messages),
            _held_in(profile, annotation.severities),
            annotation.fix,
            annotation.confidence if doubts else None,
        )

    @property
    def consumes(self) -> bool:
        """Whether a finding belongs here; a todo-ok is a false alarm the author knows of."""
        return self.kind in {Kind.EXPECT, Kind.TODO_OK}

    def covers(self, finding: Finding) -> bool:
        return self.first <= finding.location.line <= self.last

    def wants(self, finding: Finding) -> bool:
        return self.covers(finding) and self.slice in {None, finding.source}


def _held_in(profile: Profile, asserted: Mapping[str, Asserted]) -> Asserted | None:
    return asserted.get(profile, asserted.get(ANY_PROFILE))


@dataclass(frozen=True, slots=True)
class Case:
    """Code, the profile it is checked in, and the claims about it; all other lines are silent.

    Generated code may begin with a preamble of so many lines, whose findings do not count.
    """

    label: str
    source: Source
    profile: Profile
    claims: tuple[Claim, ...]
    generated: bool = False
    preamble: int = 0

    @property
    def positives(self) -> int:
        return sum(claim.kind is Kind.EXPECT for claim in self.claims)

    @property
    def benign(self) -> int:
        return sum(claim.kind is Kind.OK for claim in self.claims)


def mismatches(case: Case, findings: Sequence[Finding]) -> Iterator[str]:
    """One sentence for every difference between what was found and what is claimed."""
    left = [finding for finding in findings if finding.location.line > case.preamble]
    # A claim with a slice is choosier, so it picks first.
    for claim in sorted(case.claims, key=lambda claim: claim.slice is None):
        if not claim.consumes:
            yield from _promoted(claim, left)
            continue
        match = next((finding for finding in left if claim.wants(finding)), None)
        if match is None:
            yield _missing(claim, left)
        else:
            left.remove(match)
            yield from _differences(claim, match)
    yield from (_unexpected(case, finding) for finding in left if not _known(case, finding))


def _promoted(claim: Claim, findings: Sequence[Finding]) -> Iterator[str]:
    if claim.kind is Kind.TODO_EXPECT and any(claim.covers(finding) for finding in findings):
        yield f"{claim.place}: the rule finds this now; turn todo-expect into expect"


def _known(case: Case, finding: Finding) -> bool:
    return any(claim.kind is Kind.TODO_EXPECT and claim.covers(finding) for claim in case.claims)


def _missing(claim: Claim, findings: Sequence[Finding]) -> str:
    if claim.kind is Kind.TODO_OK:
        return f"{claim.place}: the rule is silent here now; turn todo-ok into ok"
    near = [finding.source for finding in findings if claim.covers(finding)]
    if near:
        return f"{claim.place}: expected a finding at {claim.slice!r}, the rule found {near[0]!r}"
    return f"{claim.place}: expected a finding, the rule is silent"


def _differences(claim: Claim, finding: Finding) -> Iterator[str]:
    if claim.message is not None and claim.message != finding.message:
        yield f"{claim.place}: expected msg={claim.message!r}, the rule says {finding.message!r}"
    if claim.severity not in {None, finding.severity}:
        yield f"{claim.place}: expected sev={claim.severity}, the rule says {finding.severity}"
    fix = str(finding.fix.safety) if finding.fix else "none"
    if claim.fix not in {None, fix}:
        yield f"{claim.place}: expected fix={claim.fix}, the rule offers {fix}"
    if claim.confidence not in {None, str(finding.confidence)}:
        said = f"expected conf={claim.confidence}, the rule says {finding.confidence}"
        yield f"{claim.place}: {said}"


def _unexpected(case: Case, finding: Finding) -> str:
    place = f"{case.label}:{finding.location.line}"
    return f"{place}: nothing is expected here, the rule found {finding.source!r}"
