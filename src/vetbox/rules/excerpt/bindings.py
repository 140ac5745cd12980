"""Bindings: the logical lines that say what the names of the chosen lines may stand for."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from vetbox.rules.excerpt.carriers import carried, carriers_in
from vetbox.rules.excerpt.layout import IN_FSTRING, Layout
from vetbox.rules.excerpt.targets import CLASS, KEYWORDS, SCOPE, bindings_of

_NAME = re.compile(rb"(?<![\w.])[A-Za-z_]\w*")
_MEMBER = re.compile(rb"\.[\s\\]*(\w+)")
_FIELD = re.compile(rb"\.[ \t\\]*(\w+)[ \t]*(?::[^=\n]*)?=(?!=)")
_DECLARES = re.compile(rb"\s*(?:global|nonlocal)\b")
_DEF = re.compile(rb"\s*(?:async\s+)?def\b")
_PARAMETER = re.compile(rb"([(,][ \t\n]*\*{0,2})\w+")
_MODULE = -1  # the scope of lines outside every def and class


class Bindings:
    """Answers, for one file, which lines bind a name in the scopes that a line can see."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._bound_in: dict[int, Mapping[bytes, list[int]]] = {}

    def closure(self, lines: Set[int], *, only: Set[bytes] | None = None) -> set[int]:
        """The lines and all bindings of the names on them, or of some names only, transitively."""
        around = {outer for line in lines for outer in self._layout.enclosing(line)} - lines
        found, new = set(lines), set(lines)
        while new:
            new = {
                bound
                for line in new
                for bound in self._seen_from(line, only, hit=line in lines, around=around)
            } - found
            found |= new
        return found

    def _seen_from(
        self, line: int, only: Set[bytes] | None, *, hit: bool, around: Set[int]
    ) -> Iterator[int]:
        code = self._code(line)
        if not hit:
            code = carried(_own_parameters(code), self._carriers)
        names = set(_NAME.findall(code)) - KEYWORDS
        if only is not None:
            names &= only
        for scope in self._visible(line):
            bound = self._bound(scope)
            for name in names | {b"*"}:
                yield from bound.get(name, ())
        for name in names & self._layout.declared:
            yield from self._bound_anywhere(name)
        for name in set(_MEMBER.findall(code)) & self._members.keys():
            yield from self._members[name]
        if self._is_scope(line) and line not in around:
            yield from self._returns(line)

    def _code(self, line: int) -> bytes:
        code = self._layout.codes[line]
        if IN_FSTRING in code:  # any word of the string may be code
            return self._layout.data[self._layout.starts[line] : self._layout.ends[line]]
        return code

    def _bound_anywhere(self, name: bytes) -> Iterator[int]:
        """The lines that may bind a name which some function declares to be of another scope."""
        for start in self._layout.occurrences(name):
            line = self._layout.line_at(start)
            code = self._layout.codes[line]
            if _DECLARES.match(code) or name in bindings_of(code):
                yield line

    @cached_property
    def _carriers(self) -> Set[bytes]:
        return carriers_in(self._layout)

    @cached_property
    def _members(self) -> Mapping[bytes, list[int]]:
        """The lines that give an attribute of this name to a class of the file or to an object."""
        by_name = defaultdict[bytes, list[int]](list)
        for match in _FIELD.finditer(self._layout.masked):
            by_name[match[1]].append(self._layout.line_at(match.start(1)))
        for line, code in enumerate(self._layout.codes):
            if CLASS.match(code):
                for name, lines in self._bound(line).items():
                    by_name[name].extend(lines)
        return by_name

    def _returns(self, scope: int) -> Iterator[int]:
        """What a call of a function gives: its return statements."""
        for line in self._own_lines(scope):
            if b"return" in self._layout.codes[line]:
                yield line

    def _visible(self, line: int) -> Iterator[int]:
        """The scopes whose names can be read on a line: its defs and classes, and the module."""
        if self._is_scope(line):
            yield line
        yield from (outer for outer in self._layout.enclosing(line) if self._is_scope(outer))
        yield _MODULE

    def _is_scope(self, line: int) -> bool:
        return SCOPE.match(self._layout.codes[line]) is not None

    def _bound(self, scope: int) -> Mapping[bytes, list[int]]:
        """The lines of a scope by the names they bind; `*` for star imports."""
        known = self._bound_in.get(scope)
        if known is None:
            by_name = defaultdict[bytes, list[int]](list)
            for line in self._own_lines(scope):
                for name in bindings_of(self._layout.codes[line], within=line == scope):
                    by_name[name].append(line)
            known = self._bound_in[scope] = by_name
        return known

    def _own_lines(self, scope: int) -> Iterator[int]:
        """The lines of a scope, its header included, without those of the scopes inside it."""
        layout = self._layout
        line = max(scope, 0)
        depth = layout.indent(scope) if scope >= 0 else -1
        while line < len(layout) and (line == scope or layout.indent(line) > depth):
            yield line
            if line != scope and self._is_scope(line):
                line = layout.after_suite(line)
            else:
                line += 1


def _own_parameters(code: bytes) -> bytes:
    """The header of a function without the names of its parameters; other code as it is."""
    if not _DEF.match(code):
        return code
    return _PARAMETER.sub(rb"\1", code).replace(b"(", b" ", 1).replace(b")", b" ")
