"""The page: a text that was judged, with positions, and the findings of rules in it."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeAlias

from vetbox.code.source import Source
from vetbox.findings import Finding, Location
from vetbox.late_dataclasses import dataclass
from vetbox.rules.language import formula as f
from vetbox.rules.language.rule import Profile, Rule

_LINE_END = re.compile(r"\r\n?|\n")
_PLACEHOLDER = re.compile(r"\{(\w+)\}|(\$[A-Z_][A-Z0-9_]*)")
Span: TypeAlias = tuple[int, int]
"""Offsets of the first character and of the one after the last."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Line starts of a text as Python counts lines: LF, CR LF, CR."""

    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Lines":
        if "\r" in text:
            return cls((0, *(end.end() for end in _LINE_END.finditer(text))))
        lengths = [len(line) + 1 for line in text.split("\n")]
        return cls((0, *accumulate(lengths[:-1])))

    def place(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


@dataclass(frozen=True)
class Page:
    """A text that was judged; `origin[n]` is the file's line of its line n where they differ."""

    path: str
    text: str
    profile: Profile
    origin: Sequence[int] | None = None
    left_out: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, profile: Profile, origin: Sequence[int] | None = None) -> "Page":
        """The page of a source's parsed code."""
        return cls(source.path, source.code, profile, origin, source.left_out)

    @cached_property
    def lines(self) -> Lines:
        return Lines.of(self.text)

    def finding(self, rule: Rule, words: f.Words, span: Span) -> Finding:
        """What a rule says about a span of the text."""
        written = self.text[span[0] : span[1]].replace("\r\n", "\n")
        words = {name: f.whole_characters(word) for name, word in words.items()}
        message = _filled(rule.message_in(self.profile), {"source": written, **words})
        return Finding(
            tool="rules",
            code=rule.id,
            message=message,
            severity=rule.profiles[self.profile] or rule.severity,
            location=self.location(span),
            confidence=rule.confidence,
            cwe=rule.cwe,
            callee=words.get("callee"),
            source=written,
        )

    def span_of(self, node: Any) -> Span:
        """The span of a node of the text's syntax tree, whose columns are counted in bytes."""
        start = self._offset(node.lineno, node.col_offset)
        return start, self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        start = self.lines.starts[line - 1]
        if not self.text.isascii():
            before = self.text[start : start + column].encode()[:column]
            column = len(before.decode(errors="ignore"))
        return start + column

    def location(self, span: Span) -> Location:
        """Where a span of the text stands in the file."""
        return Location(self.path, *self._place(span[0]), *self._place(span[1]))

    def _place(self, offset: int) -> tuple[int, int]:
        line, column = self.lines.place(offset)
        column += self.left_out.get(line, 0)
        return (self.origin[line] if self.origin else line), column


def _filled(template: str, words: f.Words) -> str:
    return _PLACEHOLDER.sub(lambda found: words.get(found[1] or found[2], found[0]), template)
