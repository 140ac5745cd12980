"""Assignments: what a name may have been given, anywhere in a file or where a line sees it."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Protocol

from vetbox.rules.excerpt.layout import IN_FSTRING, Layout
from vetbox.rules.excerpt.targets import SCOPE
from vetbox.rules.fragments import Unreadable, nodes_in
from vetbox.rules.sifting.binding import assigned_in, bound_loosely_in

_MANY = 40
"""More places than that are not read: anything may be given there."""
_ONE_OF_SEVERAL = rb"\b%s\b[\s\\]*,[^=\n]*=(?!=)|,[\s\\*]*%s\b[^=\n]*=(?!=)"
_LOOSELY = (
    rb"\b%s\b[\s\\]*:(?!=)"  # annotations
    rb"|\b(?:as|for)\b[^=:]{0,300}\b%s\b|"  # with, import, loops
) + _ONE_OF_SEVERAL


_BEFORE_VALUE = re.compile(rb"[\s\\)]*(?::[^=]{0,300})?[-+*/|&^%@:<>]*=(?!=)")
_CASE = re.compile(rb"\s*case\b")
_MODULE = -1  # the scope of what is in no function and no class


class NameAssignments(Protocol):
    """What the names of some code may have been given."""

    def of(self, name: str) -> tuple[ast.expr, ...] | None:
        """The whole values that a name is assigned where it is seen; None: they are not read."""

    def anywhere(self, name: str) -> tuple[ast.expr, ...] | None:
        """The same, wherever it is assigned."""

    def is_member(self, name: str) -> bool:
        """Whether an attribute, or a name a class may hold, is given a value of this name."""

    def is_bound(self, name: str) -> bool:
        """Whether a name may stand for what is called otherwise."""

    def is_unpacked(self, name: str) -> bool:
        """Whether a name is one of several that are assigned together."""

    def is_anything(self, name: str) -> bool:
        """Whether it is bound, or an attribute or a function of the file."""


class Assignments:
    """Looks up the expressions that one file assigns to a name."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._known: dict[str, tuple[ast.expr, ...] | None] = {}
        self._lines: dict[str, Sequence[int]] = {}
        self._of_scope: dict[str, dict[int, list[int]]] = {}
        self._read: dict[tuple[str, int], tuple[ast.expr, ...]] = {}
        self._stood: dict[tuple[str, bytes], bool] = {}

    def of(self, name: str) -> tuple[ast.expr, ...] | None:
        """The whole values that a name is assigned somewhere; None when they are too many."""
        if name not in self._known:
            lines = self._giving(name)
            self._known[name] = None if lines is None else self._given_on(name, lines)
        return self._known[name]

    def anywhere(self, name: str) -> tuple[ast.expr, ...] | None:
        """The same."""
        return self.of(name)

    def scopes_of(self, line: int) -> frozenset[int]:
        """The scopes that a line sees; equal for lines of a function."""
        around = (line, *self.layout.enclosing(line))
        return frozenset((_MODULE, *filter(self._is_scope, around)))

    def of_scopes(self, name: str, scopes: Set[int]) -> tuple[ast.expr, ...] | None:
        """The whole values that a name is assigned in some scopes; None as in `of`."""
        if name.encode() in self.layout.declared:
            return self.of(name)
        lines = self._giving(name)
        if lines is None:
            return None
        if name not in self._of_scope:
            self._of_scope[name] = self._by_scope(lines)
        of_scope = self._of_scope[name]
        giving = [of_scope[scope] for scope in scopes & of_scope.keys()]
        if any(len(some) > _MANY for some in giving):
            return None  # asked of every function, to put them in order would take long
        return self._given_on(name, sorted({line for some in giving for line in some}))

    def _by_scope(self, lines: Sequence[int]) -> dict[int, list[int]]:
        """These lines by the scopes in which they may give names something."""
        found: dict[int, list[int]] = {}
        for line in lines:
            for scope in self._binds_in(line):
                found.setdefault(scope, []).append(line)
        return found

    def _binds_in(self, line: int) -> Iterator[int]:
        """The scopes in which a line may give names something."""
        around = filter(self._is_scope, self.layout.enclosing(line))
        if self._is_scope(line):
            yield line
            if b":=" not in self.layout.codes[line]:
                return
        yield next(around, _MODULE)

    def _is_scope(self, line: int) -> bool:
        return SCOPE.match(self.layout.codes[line]) is not None

    def code(self, line: int) -> str:
        """The text of a logical line without the comment behind it."""
        return self.layout.written(line)

    def is_member(self, name: str) -> bool:
        """Whether an attribute, or a name a class may hold, is given a value of this name."""
        given = rb"\b%s\b[\s\\]*(?::[^=\n]*)?=(?!=)"
        return self._stands(name, given, lambda code: name in assigned_in(code))

    def is_bound(self, name: str) -> bool:
        """Whether a name may stand for what is called otherwise: given, unpacked, looped over."""
        return self.of(name) != () or self._stands(
            name, _LOOSELY, lambda code: name in bound_loosely_in(code)
        )

    def is_unpacked(self, name: str) -> bool:
        """Whether a name is one of several that are assigned together."""
        return self._stands(name, _ONE_OF_SEVERAL, lambda code: name in bound_loosely_in(code))

    def is_anything(self, name: str) -> bool:
        """Whether it is bound, or an attribute or a function of the file."""
        return (
            self.is_bound(name)
            or self.is_member(name)
            or self._stands(name, rb"\bdef[\s\\]+%s\b", lambda code: True)
        )

    def _stands(self, name: str, pattern: bytes, does: Callable[[str], bool]) -> bool:
        """Whether a pattern matches on a line with the name, and the line does something."""
        key = (name, pattern)
        if key not in self._stood:
            word = name.encode("ascii", "replace")
            regex = re.compile(pattern.replace(b"%s", re.escape(word)))
            self._stood[key] = self._does_somewhere(word, regex, does)
        return self._stood[key]

    def _does_somewhere(
        self, word: bytes, regex: "re.Pattern[bytes]", does: Callable[[str], bool]
    ) -> bool:
        layout = self.layout
        kinds = (word[0], IN_FSTRING)
        places = (at for at in layout.occurrences(word) if layout.masked[at] in kinds)
        lines = dict.fromkeys(map(layout.line_at, places))
        if b"?" in word:
            return regex.search(layout.masked) is not None
        if len(lines) > _MANY and not regex.search(layout.masked):
            return False  # to ask each of them would take longer
        codes = ((line, layout.codes[line]) for line in lines)
        found = [line for line, code in codes if regex.search(code) or IN_FSTRING in code]
        return len(found) > _MANY or any(does(self.code(line)) for line in found)

    def _giving(self, name: str) -> Sequence[int] | None:
        """The lines that may give a name a value; None for a name that is not looked for."""
        if not name.isascii():
            return None
        known = self._lines.get(name)
        if known is None:
            known = self._lines[name] = [*dict.fromkeys(self._before_value(name.encode()))]
        return known

    def _given_on(self, name: str, lines: Sequence[int]) -> tuple[ast.expr, ...] | None:
        if len(lines) > _MANY:
            return None
        try:
            return tuple(value for line in lines for value in self._values(name, line))
        except Unreadable:
            return None

    def _values(self, name: str, line: int) -> tuple[ast.expr, ...]:
        """What a line gives a name. Raises Unreadable."""
        known = self._read.get((name, line))
        if known is None:
            known = self._read[name, line] = tuple(_given(name, self.code(line)))
        return known

    def _before_value(self, word: bytes) -> Iterator[int]:
        """The lines where a name stands before what may be its value, or in a case."""
        layout = self.layout
        for start in layout.occurrences(word):
            line = layout.line_at(start)
            kind = layout.masked[start]
            if kind == IN_FSTRING:
                gives = b":=" in layout.data[start : layout.ends[line]]
            elif kind == word[0]:
                before_value = _BEFORE_VALUE.match(layout.masked, start + len(word))
                gives = bool(before_value or _CASE.match(layout.codes[line]))
            else:
                gives = False
            if gives:
                yield line


class VisibleAssignments:
    """What the lines of one function can see; what is bound at all is told of the whole file."""

    def __init__(self, everywhere: Assignments, scopes: frozenset[int]) -> None:
        self._everywhere, self._scopes = everywhere, scopes
        self._known: dict[str, tuple[ast.expr, ...] | None] = {}
        self.anywhere = everywhere.of
        self.is_member = everywhere.is_member
        self.is_bound = everywhere.is_bound
        self.is_unpacked = everywhere.is_unpacked
        self.is_anything = everywhere.is_anything

    def of(self, name: str) -> tuple[ast.expr, ...] | None:
        """The whole values that a name is assigned where it is seen; None as everywhere."""
        if name not in self._known:
            self._known[name] = self._everywhere.of_scopes(name, self._scopes)
        return self._known[name]


def _given(name: str, code: str) -> Iterator[ast.expr]:
    for node in nodes_in(code):
        for bound, value in given_by(node):
            if bound == name:
                if value is None:
                    raise Unreadable
                yield value


GIVING = frozenset(
    {ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.arguments, ast.MatchAs}
    | {kind for kind in (getattr(ast, "TypeAlias", None),) if kind is not None}
)
"""The types of nodes that give names whole values."""


def given_by(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The whole values that a node gives to names; None for one that is not read."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            yield name, ast.BinOp(ast.Name(name), op, value)
        case ast.arguments():
            yield from defaults(node)
        case ast.MatchAs(name=str() as name):
            yield name, None
        case ast.stmt() if type(node).__name__ == "TypeAlias":
            yield node.name.id, None  # type: ignore[attr-defined]


def defaults(node: ast.arguments) -> list[tuple[str, ast.expr]]:
    """The parameters that have a default, and what it is."""
    positional = (*node.posonlyargs, *node.args)
    given = [*zip(reversed(positional), reversed(node.defaults), strict=False)]
    named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
    return [(arg.arg, value) for arg, value in (*given, *named) if value is not None]
