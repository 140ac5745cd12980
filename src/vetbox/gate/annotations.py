"""Annotations: the comments of a fixture that say what a rule must find, and what it must not."""

import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from itertools import takewhile

from vetbox.errors import VetboxError
from vetbox.findings import Severity
from vetbox.late_dataclasses import dataclass


class AnnotationError(VetboxError):
    """A comment that looks like an annotation and is not one: `path:line: sentence`."""


class Kind(StrEnum):
    """What an annotation claims about the logical line it stands at."""

    EXPECT = "expect"
    OK = "ok"
    TODO_EXPECT = "todo-expect"
    TODO_OK = "todo-ok"


SYNONYMS: Mapping[str, Kind] = {
    **{kind.value: kind for kind in Kind},
    "ruleid": Kind.EXPECT,
    "todoruleid": Kind.TODO_EXPECT,
    "todook": Kind.TODO_OK,
}
# These come from other tools' fixtures, whose `ok` lines carry no reason.
FOREIGN = frozenset({"ruleid", "todoruleid", "todook"})
ANY_PROFILE = ""

_HEAD = re.compile(rf"#\s*({'|'.join(SYNONYMS)}):\s*(\S.*)")
_RULE = re.compile(r"[\w.-]+")
_SLICE = re.compile(r"""@\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_MESSAGE = re.compile(r'msg(?:\.(\w+))?=("(?:[^"\\]|\\.)*")')
_SEVERITY = re.compile(r"sev=([\w:,]+)")
_FIX = re.compile(r"fix=(safe|unsafe|none)\b")
_CONFIDENCE = re.compile(r"conf=(high|medium|low)\b")
_UNREAD = re.compile(r"\S*[@=]\S*")
_REASON = re.compile(r"\((.+)\)\s*$")
_EACH = re.compile(r"#\s*(each|each-ok):\s*(\w+)\s+in\s+(\S+)\s*->\s*(\S.*)")
_PATH = re.compile(r"#\s*fixture-path:\s*(\S+)\s*$")
_LAYOUT = frozenset({tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT})


@dataclass(frozen=True, slots=True)
class Annotation:
    """One claim: about rule `rule`, on the logical line that spans `first`..`last` (1-based).

    `severities` and `messages` map a profile's name, or "" for every profile, to what is asserted
    there; `fix` is the safety of the fix that must be offered, or "none"; `confidence` is
    asserted where a rule is surer of some flows than of others.
    """

    kind: Kind
    rule: str
    line: int
    first: int
    last: int
    slice: str | None = None
    messages: Mapping[str, str] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)
    fix: str | None = None
    confidence: str | None = None


@dataclass(frozen=True, slots=True)
class Each:
    """A template that makes one line per entry of a list of the rule: `{name}(x)` for each name."""

    variable: str
    clause: str
    template: str
    line: int
    silent: bool


@dataclass(frozen=True, slots=True)
class Annotations:
    """All that the comments of one fixture say; `path` is the path the code pretends to be at."""

    claims: tuple[Annotation, ...]
    each: tuple[Each, ...]
    path: str | None = None

    def about(self, rule: str) -> tuple[Annotation, ...]:
        return tuple(claim for claim in self.claims if claim.rule == rule)


def read_annotations(text: str, path: str) -> Annotations:
    """The annotations of a fixture's text; raises AnnotationError at the first malformed one."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    lines = _logical_lines(tokens)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    claims = [claim for token in comments for claim in _claims(token, lines, path)]
    each = [_each(token) for token in comments if _EACH.match(token.string)]
    paths = [match[1] for token in comments if (match := _PATH.match(token.string))]
    return Annotations(tuple(claims), tuple(each), paths[0] if paths else None)


def _logical_lines(tokens: Sequence[tokenize.TokenInfo]) -> list[tuple[int, int]]:
    """(first, last) physical line of every logical line, in order."""
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for token in tokens:
        if token.type == tokenize.NEWLINE and start is not None:
            spans.append((start, token.start[0]))
            start = None
        elif start is None and token.type not in _LAYOUT:
            start = token.start[0]
    return spans


def _claims(
    token: tokenize.TokenInfo, lines: Sequence[tuple[int, int]], path: str
) -> Iterator[Annotation]:
    match = _HEAD.match(token.string)
    if match is None:
        return
    word, body = match.groups()
    first, last = _target(token.start[0], lines, path)
    for part in _parts(body):
        yield _claim(word, part, token.start[0], (first, last), path)


def _parts(body: str) -> list[str]:
    """`a, b` names two rules; anything richer than bare ids is one claim."""
    names = [name.strip() for name in body.split(",")]
    return names if all(_RULE.fullmatch(name) for name in names) else [body]


def _target(line: int, lines: Sequence[tuple[int, int]], path: str) -> tuple[int, int]:
    """The logical line a comment speaks of: its own when it trails code, else the next."""
    before = list(takewhile(lambda span: span[1] < line, lines))
    if len(before) == len(lines):
        raise AnnotationError(f"{path}:{line}: the annotation is followed by no code; delete it")
    return lines[len(before)]


def _claim(word: str, body: str, line: int, target: tuple[int, int], path: str) -> Annotation:
    rule = _RULE.match(body)
    if rule is None:
        raise AnnotationError(f"{path}:{line}: name the rule after `{word}:`")
    rest = body[rule.end() :]
    kind = SYNONYMS[word]
    if kind in {Kind.OK, Kind.TODO_OK} and word not in FOREIGN and not _REASON.search(rest):
        raise AnnotationError(f"{path}:{line}: say in brackets why the line is fine")
    if kind in {Kind.EXPECT, Kind.TODO_EXPECT}:
        _check_read(rest, f"{path}:{line}")
    return Annotation(
        kind,
        rule[0],
        line,
        *target,
        slice=next((_unquoted(quoted) for quoted in _SLICE.findall(rest)), None),
        messages={profile: _unquoted(quoted) for profile, quoted in _MESSAGE.findall(rest)},
        severities=_severities(rest, f"{path}:{line}"),
        fix=next(iter(_FIX.findall(rest)), None),
        confidence=next(iter(_CONFIDENCE.findall(rest)), None),
    )


def _check_read(rest: str, place: str) -> None:
    """Raise AnnotationError for an assertion that nobody would check."""
    for known in (_SLICE, _MESSAGE, _SEVERITY, _FIX, _CONFIDENCE):
        rest = known.sub("", rest)
    unread = _UNREAD.search(rest)
    if unread is not None:
        form = 'write @"text", msg="...", sev=error, conf=medium or fix=safe'
        raise AnnotationError(f"{place}: '{unread[0]}' asserts nothing; {form}")


def _unquoted(text: str) -> str:
    quote = text[0]
    return text[1:-1].replace(f"\\{quote}", quote).replace("\\n", "\n").replace("\\\\", "\\")


def _severities(rest: str, place: str) -> dict[str, Severity]:
    """`sev=error` holds in every profile, `sev=agent:error,repo:warning` in those named."""
    match = _SEVERITY.search(rest)
    if match is None:
        return {}
    pairs = [entry.rpartition(":") for entry in match[1].split(",")]
    unknown = [word for _, _, word in pairs if word not in list(Severity)]
    if unknown:
        raise AnnotationError(f"{place}: {unknown[0]!r} is not one of error, warning, info")
    return {profile: Severity(word) for profile, _, word in pairs}


def _each(token: tokenize.TokenInfo) -> Each:
    match = _EACH.match(token.string)
    if match is None:  # the caller filters; a mismatch here is a bug of ours
        raise AssertionError(token.string)
    word, variable, clause, template = match.groups()
    return Each(variable, clause, template, token.start[0], silent=word == "each-ok")
