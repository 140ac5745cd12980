"""Plain: expressions of a line that surely have one name, told from what the lines of a file bind.

A name that no line binds, or one import that surely ran before, what belongs to that, and what a
call of it gives: step by step as the resolver would.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from vetbox.rules.excerpt.layout import IN_STRING, Layout
from vetbox.rules.excerpt.targets import DEF, IMPORTS, first_word
from vetbox.rules.fragments import Unreadable, nodes_in
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.indirection import LOOKING_UP

_MANY = 60
"""A name on more lines that may bind it is not followed."""
_LENGTH = 12
"""Parts of a name; of very long ones the resolver loses sight."""
_CALLING = frozenset({"operator.call"})
"""What calls what it is given."""
_BUILTINS = frozenset({"builtins", "__builtins__"})
_STAR = re.compile(rb"\bimport[\s\\(]*\*")
_READ = re.compile(rb"[ \t]*[.(\[]")
_BINDING = re.compile(rb"\b(?:def|class|type)[\s\\]+\Z")
_SOFT = (b"case", b"match", b"type")
_WINDOW_BYTES = 40
_COMMENT = b" "[0]
_DOT = b"."[0]


class _Bound(NamedTuple):
    """A line that binds a name, and what it imports for it, if that is all it does."""

    line: int
    imported: str | None


class Plain:
    """Answers for one file."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._known: dict[str, Sequence[_Bound] | None] = {}

    def name(self, node: ast.AST, line: int, room: int = _LENGTH) -> str | None:
        """The only name of an expression of a line; None where there may be others, or none."""
        kind = node.__class__
        if kind is ast.Name:
            return self._variable(node.id, line)  # type: ignore[attr-defined]
        if not room or (kind is not ast.Attribute and kind is not ast.Call):
            return None
        if kind is ast.Call:
            return self._made(node.func, line, room)  # type: ignore[attr-defined]
        base = self.name(node.value, line, room - 1)  # type: ignore[attr-defined]
        if base is None or base in _BUILTINS or base[-1] == ")":
            return None  # an attribute of something made may be of what is let out
        return canonical.attribute(base, node.attr)  # type: ignore[attr-defined]

    def called(self, callee: ast.expr, line: int) -> str | None:
        """The only name of what is called; None where that may be what is handed to it."""
        name = self.name(callee, line)
        return None if name in _CALLING else name

    def _made(self, callee: ast.expr, line: int, room: int) -> str | None:
        """What a call gives that looks nothing up, nor calls what was made to do so."""
        name = None if isinstance(callee, ast.Call) else self.name(callee, line, room - 1)
        if name is None or name in _CALLING or name.rpartition(".")[2] in LOOKING_UP:
            return None
        if isinstance(callee, ast.Attribute) and callee.attr in LOOKING_UP:
            return None
        return canonical.instance(name)

    def _variable(self, name: str, line: int) -> str | None:
        bound = self._bindings(name)
        if bound is None or name in _BUILTINS or name.encode() in self._layout.declared:
            return None
        if not bound:
            return None if self._has_stars else name
        first = bound[0]
        if first.imported is None or (name in canonical.BUILTINS):
            return None
        if len(bound) == 1 and self._has_happened(first.line, line):
            return first.imported
        always = not self._has_stars and all(one.imported == name for one in bound)
        return name if always else None

    def _has_happened(self, bound: int, line: int) -> bool:
        """Has a statement run by itself before each time that a line after it does?"""
        layout = self._layout
        if bound >= line or first_word(layout.codes[bound]) not in IMPORTS:
            return False
        if not layout.indent(bound):
            return True
        around = next(layout.enclosing(bound), None)
        if around is None or not DEF.match(layout.codes[around]):
            return False
        return around in layout.enclosing(line)

    @cached_property
    def _has_stars(self) -> bool:
        codes = (self._layout.codes[line] for line in self._layout.import_words)
        return any(b"*" in code and _STAR.search(code) for code in codes)

    def _bindings(self, name: str) -> Sequence[_Bound] | None:
        """The lines that bind a name; None where they cannot be told."""
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str) -> Sequence[_Bound] | None:
        lines = dict.fromkeys(self._binding_lines(name.encode("ascii", "replace")))
        if len(lines) > _MANY:
            return None
        try:
            return [_Bound(line, imported) for line in lines for imported in self._on(line, name)]
        except Unreadable:
            return None

    def _on(self, line: int, name: str) -> Sequence[str | None]:
        """What a line imports for each time it binds a name; raises Unreadable."""
        soft = first_word(self._layout.codes[line]) in _SOFT
        if soft and not self._layout.opens_block(line):
            raise Unreadable  # `case [x]: y` is something else by itself
        return bound_in(self._layout.written(line)).get(name, ())

    def _binding_lines(self, word: bytes) -> Iterator[int]:
        """The lines where a name stands otherwise than to be read."""
        layout = self._layout
        masked = layout.masked
        for start in layout.occurrences(word):
            kind = masked[start]
            if kind in (_COMMENT, IN_STRING) or masked[start - 1] == _DOT:
                continue
            line = layout.line_at(start)
            if kind == word[0] and _READ.match(masked, start + len(word)):
                before = masked[max(start - _WINDOW_BYTES, layout.starts[line]) : start]
                if not _BINDING.search(before) and b"import" not in layout.codes[line]:
                    continue
            yield line


@lru_cache(maxsize=4_000)
def bound_in(code: str) -> Mapping[str, Sequence[str | None]]:
    """The names that a line binds, each with what it imports for it. Raises Unreadable."""
    found = defaultdict[str, list[str | None]](list)
    for node in nodes_in(code):
        for name, imported in _bound_by(node):
            found[name].append(imported)
    return found


def _bound_by(node: ast.AST) -> Iterator[tuple[str, str | None]]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name, None
        case ast.Import(names=aliases):
            for alias in aliases:
                root = alias.name.partition(".")[0]
                name, whole = (alias.asname, alias.name) if alias.asname else (root, root)
                yield name, canonical.imported(whole)
        case ast.ImportFrom(module=module, names=aliases, level=level):
            base = "." * bool(level) + (module or "")
            for alias in aliases:
                whole = f"{base}.{alias.name}".replace("..", ".")
                yield alias.asname or alias.name, canonical.imported(whole)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from ((name, None) for name in names)
        case ast.MatchMapping(rest=str() as name):
            yield name, None
        case ast.alias():
            pass
        case _ if isinstance(getattr(node, "name", None), str):
            yield node.name, None  # type: ignore[attr-defined]
