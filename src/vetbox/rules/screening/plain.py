"""Plain names: expressions that surely have one full name, as the resolver would find.

A name that the program binds nowhere, or only by an import at its top, what belongs to that, and
what a call of it gives.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from vetbox.code.nodes import nodes_of
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.canonical import HOLDING
from vetbox.rules.resolve.escaped_modules import VARIABLES
from vetbox.rules.resolve.indirection import LOOKING_UP
from vetbox.rules.screening.escaped_modules import EscapedModules
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.pieces import FAR, bound_by

_LENGTH = 12
"""Parts of a name; of very long ones the resolver loses sight."""
_BUILTINS = frozenset({"builtins", "__builtins__"})
_TEXTS = frozenset({"os.environ.get", "os.environ.pop", "os.environ.setdefault"})
"""What looks up nothing but texts."""
CALLING = frozenset({"operator.call"})
"""What calls what it is given."""


class Plain:
    """Answers for one tree, each worked out once."""

    def __init__(self, words: Occurrences, escaped: EscapedModules) -> None:
        self._words, self._escaped = words, escaped
        self._known: dict[ast.AST, tuple[str, ...]] = {}
        self._is_told = not words.stars and FAR.isdisjoint(words.by_kind)

    def name(self, node: ast.AST) -> str | None:
        """The only name of an expression; None where there may be others, or none."""
        known = self.spellings(node)
        return known[0] if known else None

    def spellings(self, node: ast.AST) -> tuple[str, ...]:
        """That name, and how it is written where this is something else; none where it is unsure.

        A rule may ask for no more than what is written.
        """
        known = self._known.get(node)
        if known is None:
            name = self._name(node, _LENGTH) if self._is_told else None
            written = name and _written(node)
            known = (
                () if name is None else (name, written) if written and written != name else (name,)
            )
            self._known[node] = known
        return known

    def _name(self, node: ast.AST, room: int) -> str | None:
        kind = node.__class__
        if kind is ast.Name:
            return self._variable(node)  # type: ignore[arg-type]
        if not room or (kind is not ast.Attribute and kind is not ast.Call):
            return None
        if kind is ast.Call:
            return self._made(node.func, room)  # type: ignore[attr-defined]
        base = self._name(node.value, room - 1)  # type: ignore[attr-defined]
        if base is None or base in _BUILTINS or base[-1] == ")" or base.startswith(HOLDING):
            return None  # an attribute of something made may be of a module that escapes
        if node.attr in self._put and self._escaped.is_any:  # type: ignore[attr-defined]
            return None  # it may be one, as after `exit.m = os`
        return canonical.attribute(base, node.attr)  # type: ignore[attr-defined]

    def _made(self, callee: ast.expr, room: int) -> str | None:
        """What a call gives that looks nothing up, nor calls what was made to do so."""
        name = None if isinstance(callee, ast.Call) else self._name(callee, room - 1)
        if name in _TEXTS:
            return canonical.instance(name)
        if name is None or name in CALLING or name.rpartition(".")[2] in LOOKING_UP:
            return None
        if isinstance(callee, ast.Attribute) and callee.attr in LOOKING_UP:
            return None
        return canonical.instance(name)

    def _variable(self, node: ast.Name) -> str | None:
        name = node.id
        if name == "__builtins__" or name in self._deleted:
            return None
        if name not in self._words.given:
            return None if self._given_by_text and name not in canonical.BUILTINS else name
        imported = self._imported.get(name)
        if imported is None or imported[1] >= node.lineno or self._bound[name] > 1:
            return None
        return None if name in canonical.BUILTINS else imported[0]

    @cached_property
    def _put(self) -> Set[str]:
        """The names of attributes, arguments and keys by which something may be put somewhere."""
        kinds = self._words.by_kind
        attributes = (a.attr for a in kinds.get(ast.Attribute, ()) if type(a.ctx) is ast.Store)
        arguments = (one.arg for call in kinds.get(ast.Call, ()) for one in call.keywords)
        return {*attributes, *arguments} | self._words.labels

    @cached_property
    def _given_by_text(self) -> bool:
        """May a variable be bound that no statement names?"""
        return not VARIABLES.isdisjoint(self._words.names) and self._escaped.is_any

    @cached_property
    def _deleted(self) -> frozenset[str]:
        deleting = self._words.by_kind.get(ast.Delete, ())
        return frozenset(
            target.id
            for one in deleting
            for target in nodes_of(one)
            if isinstance(target, ast.Name)
        )

    @cached_property
    def _bound(self) -> Mapping[str, int]:
        """How often each name is bound, if it is imported."""
        return Counter(map(bound_by, nodes_of(self._words.tree)))

    @cached_property
    def _imported(self) -> Mapping[str, tuple[str, int]]:
        """The names that the statements of the module itself import, and their last lines."""
        return {
            bound: (canonical.imported(name), stmt.end_lineno or stmt.lineno)
            for stmt in self._words.tree.body
            for bound, name in _imports(stmt)
        }


def _written(node: ast.AST) -> str:
    """A plain chain of names; nothing for what is none."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ast.Name) else ""


def _imports(stmt: ast.stmt) -> Iterator[tuple[str, str]]:
    """What an import binds, and the dotted name of that."""
    if isinstance(stmt, ast.Import):
        for alias in stmt.names:
            root = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (root, root)
    elif isinstance(stmt, ast.ImportFrom) and stmt.module and not stmt.level:
        yield from ((one.asname or one.name, f"{stmt.module}.{one.name}") for one in stmt.names)
