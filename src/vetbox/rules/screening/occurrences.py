"""Occurrences: the words of a syntax tree, and how each of them stands there.

A local variable of a function never means the builtin or module of its name, so its uses are left
out; what it was given is written elsewhere. Everything else errs towards too many words.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from vetbox.nodes import children_of
from vetbox.rules.screening.words import WORD, own_words, unhidden, words_in

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Scope:
    """A module, class, comprehension, or a function with the names bound in it."""

    __slots__ = ("function", "names", "outer")

    def __init__(self, outer: "Scope | None", *, function: bool = False) -> None:
        self.outer = outer
        self.function = function
        self.names: set[str] = set()

    def hides(self, name: str) -> bool:
        """Is it a local variable here or of a function around?"""
        scope: Scope | None = self
        while scope is not None:
            if scope.function and name in scope.names:
                return True
            scope = scope.outer
        return False


class Occurrences:
    """Collected in one pass over a tree.

    `spelt` are the words of code, `free` those that stand for themselves, `members` the owners
    behind whose dot a word stands, `given` what the words may be bound to, `stars` the words of
    modules from which any name may come.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.spelt: set[str] = set()
        self.members: dict[str, list[ast.expr]] = defaultdict(list)
        self.given: dict[str, list[ast.AST | str]] = defaultdict(list)
        self.stars: set[str] = set()
        self.texts: list[str] = []
        self.nodes: list[ast.AST] = []
        self._of: dict[frozenset[type[ast.AST]], list[Any]] = {}
        self._bare: set[str] = set()
        self._elsewhere: set[str] = set()
        self._uses: set[tuple[str, Scope]] = set()
        self._waiting: list[tuple[ast.AST, Scope]] = [(tree, Scope(None))]
        while self._waiting:
            self._read(*self._waiting.pop())

    # One node after the other -----------------------------------------------------------------

    def _read(self, node: ast.AST, scope: Scope) -> None:
        self.nodes.append(node)
        if isinstance(node, ast.Name):
            self._uses.add((node.id, scope))
            if scope.function and type(node.ctx) is ast.Store:
                scope.names.add(node.id)
        elif isinstance(node, ast.Attribute):
            self.spelt.add(node.attr)
            self.members[node.attr].append(node.value)
            self._waiting.append((node.value, scope))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                self.texts.append(node.value)
            elif isinstance(node.value, bytes):
                self.texts.append(node.value.decode("latin-1"))
        else:
            _READERS.get(type(node), Occurrences._below)(self, node, scope)

    def _below(self, node: ast.AST, scope: Scope) -> None:
        self._waiting += [(child, scope) for child in children_of(node)]

    def _later(self, scope: Scope, *nodes: ast.AST | None) -> None:
        self._waiting += [(node, scope) for node in nodes if node is not None]

    def _give(self, target: ast.AST, *values: "ast.AST | str | None") -> None:
        """What a target names may lead to what is named in the values."""
        for name in _targets(target):
            self.given[name] += [value for value in values if value is not None]

    def _bind(self, name: str, scope: Scope, *values: "ast.AST | str | None") -> None:
        self.spelt.add(name)
        scope.names.add(name)
        self.given[name] += [value for value in values if value is not None]

    def _word(self, *words: str | None) -> None:
        """A word that may stand for what it says."""
        self._bare.update(filter(None, words))

    def _assignment(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._give(target, node.value)
        self._below(node, scope)

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._give(node.target, node.value, node.annotation)
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
        self._below(node, scope)

    def _manager(self, node: ast.withitem, scope: Scope) -> None:
        if node.optional_vars is not None:
            self._give(node.optional_vars, node.context_expr)
        self._below(node, scope)

    def _match(self, node: ast.Match, scope: Scope) -> None:
        for case in node.cases:
            self._give(case.pattern, node.subject)
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
                self.stars.update(WORD.findall(module))

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
            self._later(scope, arg.annotation)
        given = [*zip(reversed(positional), reversed(args.defaults), strict=False)]
        for arg, default in (*given, *zip(args.kwonlyargs, args.kw_defaults, strict=True)):
            if default is not None:
                self.given[arg.arg].append(default)
        self._later(scope, *args.defaults, *args.kw_defaults)
        self.nodes.append(args)

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
        self._below(node, scope)

    # What it comes to -------------------------------------------------------------------------

    @cached_property
    def by_kind(self) -> Mapping[type[ast.AST], list[Any]]:
        """The nodes of each type."""
        found = defaultdict[type[ast.AST], list[Any]](list)
        for node in self.nodes:
            found[type(node)].append(node)
        return found

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
    def free(self) -> Set[str]:
        """The words that may stand for what they say."""
        elsewhere = self._elsewhere
        used = {
            name
            for name, scope in self._uses
            if name not in self._bare and (name in elsewhere or not scope.hides(name))
        }
        return used | self._bare

    @cached_property
    def names(self) -> Set[str]:
        """Every identifier, also without the underscores that modules put around their own."""
        found = {*self.spelt, *self._bare, *(name for name, _ in self._uses)}
        return unhidden(found)

    @cached_property
    def labels(self) -> Set[str]:
        """The words of texts that may be a name as they are."""
        plain = (text for text in self.texts if len(text.split()) == 1)
        return unhidden({word for text in plain for word in WORD.findall(text)})

    @cached_property
    def written(self) -> Set[str]:
        """The words of all texts."""
        return {word for text in self.texts for word in WORD.findall(text)}


def parameters(args: ast.arguments) -> Iterator[ast.arg]:
    """All of them, in any way that they are given."""
    given = (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg)
    return (arg for arg in given if arg is not None)


def _targets(target: ast.AST) -> Iterator[str]:
    """The variables and attributes that are given something; of `a[k]` the container."""
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Subscript(value=inner) | ast.Starred(value=inner):
            yield from _targets(inner)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _targets(part)
        case _:
            yield from words_in(target)


_READERS: Mapping[type[ast.AST], Callable[[Occurrences, Any, Scope], None]] = {
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
