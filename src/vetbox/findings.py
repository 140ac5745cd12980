"""What an analysis found: the one vocabulary every tool, report and verdict is written in."""

from dataclasses import dataclass, replace

from vetbox.enums import TextEnum


class Profile(TextEnum):
    """What is asked: may this agent's code run, or what is wrong in this code base."""

    AGENT = "agent"
    REPO = "repo"


class Severity(TextEnum):
    """How bad it is, in the words of the tool_results schema."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Confidence(TextEnum):
    """How sure the rule is; `high` means an engineer would fix it."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class FailureKind(TextEnum):
    """Why a file could not be analysed."""

    SYNTAX = "syntax-error"
    ENCODING = "encoding-error"
    TOO_DEEP = "too-deep"
    TOO_LARGE = "too-large"
    UNSUPPORTED = "unsupported"
    UNREADABLE = "unreadable"
    TIMEOUT = "timeout"
    CRASHED = "crashed"


class Safety(TextEnum):
    """Whether a fix keeps the program's behaviour."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Location:
    """A span of a file: 1-based lines and columns, counted in characters; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, other: "Location") -> bool:
        """Does the other span of the same file lie within this one?"""
        start, end = (self.line, self.column), (self.end_line, self.end_column)
        return start <= (other.line, other.column) and (other.end_line, other.end_column) <= end


@dataclass(frozen=True, slots=True)
class Step:
    """One stop of a taint trace."""

    location: Location
    note: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of a span."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A correction that leaves every other byte of the file alone."""

    edits: tuple[Edit, ...]
    safety: Safety
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suppression:
    """The comment that hides a finding."""

    comment: str
    line: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a tool says about one place.

    `code` is the rule's id; `callee` the canonical name the resolver gave (`eval`, `os.system`);
    `source` the matched text; `native_severity` the tool's own word where it has one.
    """

    tool: str
    code: str
    message: str
    severity: Severity
    location: Location
    confidence: Confidence = Confidence.HIGH
    cwe: tuple[int, ...] = ()
    native_severity: str | None = None
    callee: str | None = None
    source: str = ""
    fix: Fix | None = None
    trace: tuple[Step, ...] = ()
    suppressed: Suppression | None = None
    also_reported_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that was not analysed, and why: it must never be reported clean."""

    path: str
    kind: FailureKind
    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What one tool said about a set of files; `error` means the tool itself could not run."""

    tool: str
    findings: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()
    error: str | None = None


_LESS = {Confidence.HIGH: Confidence.MEDIUM, Confidence.MEDIUM: Confidence.LOW}


def less_sure(finding: Finding) -> Finding:
    """The finding, of medium confidence where it was of high, and of low where of medium."""
    return replace(finding, confidence=less(finding.confidence))


def less(confidence: Confidence) -> Confidence:
    """One step down; there is nothing below low."""
    return _LESS.get(confidence, confidence)


def position(finding: Finding) -> tuple[object, ...]:
    """Path, line, column, tool and code, then whatever tells two findings apart: a total order."""
    at = finding.location
    rest = (finding.message, at.end_line, at.end_column, finding.source, finding.callee or "")
    steps = tuple(
        (s.location.line, s.location.column, s.location.path, s.note) for s in finding.trace
    )
    return at.path, at.line, at.column, finding.tool, finding.code, *rest, steps
