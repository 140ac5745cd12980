"""Occurrences: the words of a syntax tree, and how each of them stands in the code.

A local variable of a function never means the builtin or module of its name, so its uses are left
out; what it was given is written elsewhere. Everything else errs towards too many words.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from vetbox.code.nodes import children_of
from vetbox.rules.screening.lookups import are_written
from vetbox.rules.screening.scope import Scope
from vetbox.rules.screening.targets import gives_items, targets
from vetbox.rules.screening.words import (
    LOOKED_UP,
    LOOKUPS,
    WORD,
    lookup_in,
    own_words,
    unhidden,
    words_in,
)

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Occurrences:
    """The words of a tree, collected in one pass."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.spelt: set[str] = set()
        """Every word of the code."""
        self.members: dict[str, list[ast.expr]] = defaultdict(list)
        """By word the expressions of which it is read as an attribute."""
        self.given: dict[str, list[ast.AST | str]] = defaultdict(list)
        """By word the values that it may be bound to."""
        self.in_part: dict[str, list[tuple[ast.AST, int]]] = defaultdict(list)
        """By word the containers to whose elements it may be bound, so many levels down."""
        self.loose: set[str] = set()
        """Words that may be bound to any part of a value."""
        self.stars: set[str] = set()
        """The words of modules that are imported by `*`."""
        self.texts: list[str] = []
        self.by_kind = defaultdict[type[ast.AST], list[Any]](list)
        self._of: dict[frozenset[type[ast.AST]], list[Any]] = {}
        self._bare: set[str] = set()
        self._elsewhere: set[str] = set()
        self._uses: set[tuple[str, Scope]] = set()
        self._waiting: list[tuple[Sequence[ast.AST], Scope]] = [((tree,), Scope(None))]
        self._read_all(self._waiting)

    def _read_all(self, waiting: list[tuple[Sequence[ast.AST], Scope]]) -> None:
        by_kind, reader, below = self.by_kind, _READERS.get, Occurrences._below
        while waiting:
            nodes, scope = waiting.pop()
            for node in nodes:
                by_kind[node.__class__].append(node)
                reader(node.__class__, below)(self, node, scope)

    # One node after the other -----------------------------------------------------------------

    def _name(self, node: ast.Name, scope: Scope) -> None:
        self._uses.add((node.id, scope))
        if scope.function and type(node.ctx) is ast.Store:
            scope.names.add(node.id)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> None:
        self.spelt.add(node.attr)
        self.members[node.attr].append(node.value)
        self._waiting.append(((node.value,), scope))

    def _constant(self, node: ast.Constant, scope: Scope) -> None:
        if isinstance(node.value, str):
            self.texts.append(node.value)
        elif isinstance(node.value, bytes):
            self.texts.append(node.value.decode("latin-1"))

    def _below(self, node: ast.AST, scope: Scope) -> None:
        self._waiting.append((children_of(node), scope))

    def _later(self, scope: Scope, *nodes: ast.AST | None) -> None:
        self._waiting.append(([node for node in nodes if node is not None], scope))

    def _give(self, target: ast.AST, *values: "ast.AST | str | None") -> None:
        """What a target names may lead to what is named in the values."""
        for name in targets(target):
            self.given[name] += [value for value in values if value is not None]

    def _give_whole(self, target: ast.AST, value: ast.AST) -> None:
        """The value, or its elements to several targets."""
        self._give(target, value)
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._give_part(part, value)
        elif not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
            self.loose.update(targets(target))

    def _give_part(self, target: ast.AST, value: ast.AST, levels: int = 1) -> None:
        """An element of the value, to several targets the elements of that."""
        if isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
            for name in targets(target):
                self.in_part[name].append((value, levels))
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._give_part(part, value, levels + 1)
        else:
            self.loose.update(targets(target))

    def _bind(self, name: str, scope: Scope, *values: "ast.AST | str | None") -> None:
        self.spelt.add(name)
        scope.names.add(name)
        self.given[name] += [value for value in values if value is not None]

    def _word(self, *words: str | None) -> None:
        """A word that may stand for what it says."""
        self._bare.update(filter(None, words))

    def _assignment(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._give_whole(target, node.value)
        self._below(node, scope)

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._give(node.target, node.value, node.annotation)
        self.loose.update(targets(node.target))
        if node.value is None and isinstance(node.target, ast.Name):
            self._uses.add((node.target.id, scope))
            self._later(scope, node.annotation)
        else:
            self._below(node, scope)

    def _augmented(self, node: ast.AugAssign | ast.NamedExpr, scope: Scope) -> None:
        self._give(node.target, node.value)
        self._below(node, scope)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.comprehension, scope: Scope) -> None:
        self._give(node.target, node.iter)
        if gives_items(node):
            for part in node.target.elts:  # type: ignore[attr-defined]
                self._give_part(part, node.iter)
        else:
            self._give_part(node.target, node.iter)
        self._below(node, scope)

    def _manager(self, node: ast.withitem, scope: Scope) -> None:
        if node.optional_vars is not None:
            self._give(node.optional_vars, node.context_expr)
            if not isinstance(node.optional_vars, ast.Name):
                self.loose.update(targets(node.optional_vars))
        self._below(node, scope)

    def _match(self, node: ast.Match, scope: Scope) -> None:
        for case in node.cases:
            looked_up = lookup_in(case.pattern)
            self._word(looked_up)
            self._give(case.pattern, node.subject, case.pattern, looked_up)
            self.loose.update(targets(case.pattern))
        self._below(node, scope)

    def _pattern(self, node: ast.AST, scope: Scope) -> None:
        for word in own_words(node):
            self._word(word)
        self._below(node, scope)

    def _keyword(self, node: ast.keyword, scope: Scope) -> None:
        if node.arg is not None:
            self.given[node.arg].append(node.value)
            self.spelt.add(node.arg)
        self._later(scope, node.value)

    def _imports(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        module = getattr(node, "module", None) or ""
        for alias in node.names:
            dotted = f"{module}.{alias.name}"
            self._word(*WORD.findall(dotted), alias.asname)
            bound = alias.asname or alias.name.partition(".")[0]
            self._bind(bound, scope, dotted)
            if alias.name == "*":
                self.stars.update(WORD.findall(module) or ("",))

    def _handler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name is not None:
            self._bind(node.name, scope, node.type)
        self._below(node, scope)

    def _declaration(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        self._elsewhere.update(node.names)
        self._word(*node.names)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        self._bind(node.name, scope, node)
        inner = Scope(scope, function=True)
        self._parameters(node.args, scope, inner)
        types = getattr(node, "type_params", ())
        self._later(scope, *node.decorator_list, node.returns, *types)
        self._later(inner, *node.body)
        for decorator in node.decorator_list:
            self.given[node.name].append(decorator)

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        inner = Scope(scope, function=True)
        self._parameters(node.args, scope, inner)
        self._later(inner, node.body)

    def _parameters(self, args: ast.arguments, scope: Scope, inner: Scope) -> None:
        positional = (*args.posonlyargs, *args.args)
        for arg in parameters(args):
            self._bind(arg.arg, inner, arg.annotation)
            if arg.annotation is not None:
                self.loose.add(arg.arg)
            self._later(scope, arg.annotation)
        given = [*zip(reversed(positional), reversed(args.defaults), strict=False)]
        for arg, default in (*given, *zip(args.kwonlyargs, args.kw_defaults, strict=True)):
            if default is not None:
                self.given[arg.arg].append(default)
        self._later(scope, *args.defaults, *args.kw_defaults)
        self.by_kind[ast.arguments].append(args)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        self._bind(node.name, scope, node)
        for method in node.body:
            if isinstance(method, _FUNCTIONS):
                for own in (*method.args.posonlyargs, *method.args.args)[:1]:
                    self.given[own.arg].append(node)
        self.given["super"].append(node)
        self._later(scope, *node.decorator_list, *node.bases, *node.keywords)
        self._later(scope, *getattr(node, "type_params", ()))
        self._later(Scope(scope), *node.body)

    def _inner(self, node: ast.AST, scope: Scope) -> None:
        self._below(node, Scope(scope))

    def _other(self, node: ast.AST, scope: Scope) -> None:
        """A type parameter or alias: a name among its fields, whatever the version calls it."""
        name = getattr(node, "name", None)
        if isinstance(name, str):
            self._word(name)
        elif isinstance(name, ast.Name):
            self._word(name.id)
            self._give(name, *children_of(node))
            self.loose.add(name.id)
        self._below(node, scope)

    # What it comes to -------------------------------------------------------------------------

    @cached_property
    def nodes(self) -> Sequence[ast.AST]:
        """All of them."""
        return [node for nodes in self.by_kind.values() for node in nodes]

    def of(self, kinds: frozenset[type[ast.AST]] | None) -> Sequence[Any]:
        """The nodes of some types; None: of any."""
        if kinds is None:
            return self.nodes
        known = self._of.get(kinds)
        if known is None:
            found = (self.by_kind[kind] for kind in kinds if kind in self.by_kind)
            known = self._of[kinds] = [node for nodes in found for node in nodes]
        return known

    @cached_property
    def free(self) -> frozenset[str]:
        """The words that may stand for what they say."""
        elsewhere = self._elsewhere
        used = {
            name
            for name, scope in self._uses
            if name not in self._bare and (name in elsewhere or not scope.hides(name))
        }
        return frozenset(used | self._bare)

    @cached_property
    def in_classes(self) -> Set[str]:
        """The words within classes, which may be given to their objects there."""
        return {word for one in self.by_kind.get(ast.ClassDef, ()) for word in words_in(one)}

    @cached_property
    def names(self) -> Set[str]:
        """Every identifier, also without the underscores that modules put around their own."""
        found = {*self.spelt, *self._bare, *(name for name, _ in self._uses)}
        if LOOKUPS.isdisjoint(found) or not are_written(self.by_kind, self.spelt | self._bare):
            return unhidden(found)
        return unhidden(found) - LOOKED_UP

    @cached_property
    def standing(self) -> Set[str]:
        """The identifiers that are not only those of what is called, which is handed to nothing."""
        called = {id(call.func) for call in self.by_kind.get(ast.Call, ())}
        names = (one.id for one in self.by_kind.get(ast.Name, ()) if id(one) not in called)
        members = (one.attr for one in self.by_kind.get(ast.Attribute, ()) if id(one) not in called)
        return unhidden({*names, *members, *self.given, *self.in_part, *self._bare, *self.stars})

    @cached_property
    def labels(self) -> frozenset[str]:
        """The words of texts that may be a name as they are."""
        plain = (text for text in self.texts if len(text.split()) == 1)
        return frozenset(unhidden({word for text in plain for word in WORD.findall(text)}))

    @cached_property
    def written(self) -> Set[str]:
        """The words of all texts."""
        return {word for text in self.texts for word in WORD.findall(text)}


def parameters(args: ast.arguments) -> Iterator[ast.arg]:
    """All of them, in any way that they are given."""
    given = (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg)
    return (arg for arg in given if arg is not None)


_READERS: Mapping[type[ast.AST], Callable[[Occurrences, Any, Scope], None]] = {
    ast.Name: Occurrences._name,
    ast.Attribute: Occurrences._attribute,
    ast.Constant: Occurrences._constant,
    ast.Assign: Occurrences._assignment,
    ast.AnnAssign: Occurrences._annotated,
    ast.AugAssign: Occurrences._augmented,
    ast.NamedExpr: Occurrences._augmented,
    ast.For: Occurrences._loop,
    ast.AsyncFor: Occurrences._loop,
    ast.comprehension: Occurrences._loop,
    ast.withitem: Occurrences._manager,
    ast.Match: Occurrences._match,
    ast.keyword: Occurrences._keyword,
    ast.Import: Occurrences._imports,
    ast.ImportFrom: Occurrences._imports,
    ast.ExceptHandler: Occurrences._handler,
    ast.Global: Occurrences._declaration,
    ast.Nonlocal: Occurrences._declaration,
    ast.FunctionDef: Occurrences._function,
    ast.AsyncFunctionDef: Occurrences._function,
    ast.Lambda: Occurrences._lambda,
    ast.ClassDef: Occurrences._class,
    **dict.fromkeys(_COMPREHENSIONS, Occurrences._inner),
    **dict.fromkeys(
        (ast.MatchAs, ast.MatchStar, ast.MatchMapping, ast.MatchClass), Occurrences._pattern
    ),
    **{
        kind: Occurrences._other
        for kind in (
            getattr(ast, n, None) for n in ("TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple")
        )
        if kind is not None
    },
}
