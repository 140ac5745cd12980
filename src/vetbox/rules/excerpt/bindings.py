"""Bindings: the logical lines that decide what the names on the chosen lines stand for."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TypeAlias

from vetbox.rules.excerpt.carriers import carried, carriers_in
from vetbox.rules.excerpt.layout import IN_FSTRING, Layout
from vetbox.rules.excerpt.targets import CLASS, KEYWORDS, SCOPE, bindings_of

_NAME = re.compile(rb"(?<![\w.])[A-Za-z_]\w*")
_MEMBER = re.compile(rb"(?:(?<![\w.])([A-Za-z_]\w*))?[\s\\]*\.[\s\\]*(\w+)")
_INSTANCES = frozenset({b"self", b"cls"})
_ONLY_IMPORTS = re.compile(rb"[ \t]*(?:import|from)\b[^=;]*\Z")
_FIELD = re.compile(rb"\.[ \t\\]*(\w+)[ \t]*(?::[^=\n]*)?=(?!=)")
_DECLARES = re.compile(rb"\s*(?:global|nonlocal)\b")
_DEF = re.compile(rb"\s*(?:async\s+)?def\b")
_SCOPES = re.compile(rb"\n[ \t]*(?:async|def|class)\b")
_PARAMETER = re.compile(rb"([(,][ \t\n]*\*{0,2})\w+")
_GIVES = re.compile(rb"\b(?:return|yield)\b")
_MODULE = -1  # the scope of lines outside every def and class
_TWICE = 2

_Asked: TypeAlias = bytes | tuple[int, bytes] | tuple[bytes, bytes, tuple[int, ...]]
"""A name anywhere, in a scope, or behind a receiver seen from some scopes."""


class Bindings:
    """Answers, for one file, which lines bind a name in the scopes that a line can see."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._bound_in: dict[int, Mapping[bytes, list[int]]] = {}
        self._anywhere: dict[bytes, list[int]] = {}

    def closure(self, lines: Set[int], asked: Mapping[int, bytes | None]) -> set[int]:
        """The lines and all bindings of the names on them, transitively.

        Of a line that has some words in `asked`, only of the names among these; of all on it where
        it binds what is looked for.
        """
        found, new = set(lines), set(lines)
        in_part = {line: words for line, words in asked.items() if words is not None}
        called: set[int] = set()
        times: dict[_Asked, int] = {}
        while new:
            below: set[int] = set()
            for line in new:
                code = in_part.get(line, self._code(line))
                if line not in lines:
                    code = carried(_own_parameters(code), self._carriers)
                for scope, bound in self._seen_from(line, code, times):
                    below.add(bound)
                    if bound in (scope, line) or bound in called:
                        continue
                    if self._is_scope(bound):
                        called.add(bound)
                        below.update(self._returns(bound))
            binding = below & in_part.keys()
            for line in binding:
                del in_part[line]
            new = (below - found) | binding
            found |= new
        return found

    def _seen_from(
        self, line: int, code: bytes, times: dict["_Asked", int]
    ) -> Iterator[tuple[int, int]]:
        """The lines that bind a name of some code, each with the scope it is bound in.

        `times` counts how often each was looked up: twice is enough, as the first of the lines
        may have been its own binding.
        """
        names = set(_NAME.findall(code)) - KEYWORDS
        scopes = list(self._visible(line))
        for scope in scopes:
            bound = self._bound(scope)
            for name in names | {b"*"}:
                if name in bound and _is_new((scope, name), times):
                    for one in bound[name]:
                        yield scope, one
        for name in names & self._layout.declared:
            if _is_new(name, times):
                for one in self._bound_anywhere(name):
                    yield _MODULE, one
        if b"." in code:
            for receiver, name in set(_MEMBER.findall(code)):
                given = (name, receiver, tuple(scopes))
                if _is_new(given, times):
                    for one in self._given_to(*given):
                        yield _MODULE, one

    def _given_to(self, name: bytes, receiver: bytes, scopes: tuple[int, ...]) -> Iterable[int]:
        """The lines that may give an attribute to what a receiver is called."""
        if not receiver or receiver in self._layout.declared:
            return self._members.get(name, ())
        codes = self._layout.codes
        bound = {line for scope in scopes for line in self._bound(scope).get(receiver, ())}
        if all(_ONLY_IMPORTS.match(codes[line]) for line in bound):
            return ()  # no object or class of this file
        lines = self._members.get(name, ())
        if receiver not in _INSTANCES or not all(_DEF.match(codes[line]) for line in bound):
            return lines
        classes = [self._layout.suite(scope) for scope in scopes if self._is_class(scope)]
        return [line for line in lines if any(line in suite for suite in classes)]

    def _is_class(self, scope: int) -> bool:
        return scope >= 0 and CLASS.match(self._layout.codes[scope]) is not None

    def _code(self, line: int) -> bytes:
        code = self._layout.codes[line]
        if IN_FSTRING in code:  # any word of the string may be code
            return self._layout.data[self._layout.starts[line] : self._layout.ends[line]]
        return code

    def _bound_anywhere(self, name: bytes) -> Sequence[int]:
        """The lines that may bind a name which some function declares to be of another scope."""
        known = self._anywhere.get(name)
        if known is None:
            known = self._anywhere[name] = list(self._binding_anywhere(name))
        return known

    def _binding_anywhere(self, name: bytes) -> Iterator[int]:
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
        for line in sorted(self._scopes):
            if self._is_class(line):
                for name, lines in self._bound(line).items():
                    by_name[name].extend(lines)
        return by_name

    def _returns(self, scope: int) -> Iterator[int]:
        """What a call of a function gives: what it returns and yields."""
        for line in self._own_lines(scope):
            if _GIVES.search(self._layout.codes[line]):
                yield line

    def _visible(self, line: int) -> Iterator[int]:
        """The scopes whose names can be read on a line: its defs and classes, and the module."""
        if self._is_scope(line):
            yield line
        yield from (outer for outer in self._layout.enclosing(line) if self._is_scope(outer))
        yield _MODULE

    def _is_scope(self, line: int) -> bool:
        return line in self._scopes

    @cached_property
    def _scopes(self) -> Set[int]:
        """The lines that begin a function or a class."""
        layout = self._layout
        begun = {layout.line_at(found.end()) for found in _SCOPES.finditer(layout.masked)}
        return {line for line in begun | {0} if SCOPE.match(layout.codes[line])}

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


def _is_new(question: _Asked, times: dict[_Asked, int]) -> bool:
    times[question] = times.get(question, 0) + 1
    return times[question] <= _TWICE


def _own_parameters(code: bytes) -> bytes:
    """The header of a function without the names of its parameters; other code as it is."""
    if not _DEF.match(code):
        return code
    return _PARAMETER.sub(rb"\1", code).replace(b"(", b" ", 1).replace(b")", b" ")
