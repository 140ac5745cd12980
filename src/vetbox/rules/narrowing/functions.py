"""The call graph of a syntax tree: its functions, and which of them a call means.

The flow analysis finds definitions in the same way (`taint/functions.py`), on its own tree.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.callbacks import CHOICES
from vetbox.rules.narrowing.names import dotted, last_word

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_INSTANCES = ("self", "cls")


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A definition, the class it stands in, and the function around it."""

    node: Definition
    owner: str | None
    outer: "Function | None"

    @property
    def whole(self) -> Definition:
        """The outermost definition that it is a part of."""
        return self.outer.whole if self.outer is not None else self.node

    @property
    def whole_owner(self) -> str | None:
        """The class that it stands in, in whatever function of it."""
        return self.outer.whole_owner if self.outer is not None else self.owner

    @property
    def parameters(self) -> list[str]:
        """Every parameter by name; a method's `self` or `cls` is the first."""
        return parameters(self.node.args)

    @property
    def stars(self) -> set[str]:
        """The names of `*args` and `**kwargs`."""
        args = self.node.args
        return {arg.arg for arg in (args.vararg, args.kwarg) if arg is not None}

    def receiver(self, call: ast.Call) -> ast.expr | None:
        """The object whose method a call means; it is an argument in `D.method(d, …)`."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=of) as named) if of == self.owner:
                decorated = map(last_word, self.node.decorator_list)
                return named if "classmethod" in decorated or not call.args else None
            case ast.Attribute(value=ast.Name()) if self._is_filled_by(call):
                return None  # of a class that inherits it: an object would be one too many
            case ast.Attribute(value=of_any):
                return of_any
        return None

    def _is_filled_by(self, call: ast.Call) -> bool:
        """Does a call fill all parameters of a method, its first as well, and nothing else?"""
        given = len(call.args) + len(call.keywords)
        is_plain = not any(isinstance(one, ast.Starred) for one in call.args) and not self.stars
        if not is_plain or not given or given != len(self.parameters):
            return False
        words = map(last_word, self.node.decorator_list)
        named = all(keyword.arg for keyword in call.keywords)
        return named and self.takes_instance and "classmethod" not in words

    @property
    def takes_instance(self) -> bool:
        """Is the first parameter given by the call's receiver?"""
        static = any(dotted(one) == "staticmethod" for one in self.node.decorator_list)
        return self.owner is not None and not static

    @property
    def is_bound_task(self) -> bool:
        """Is the first parameter the task itself, which callers do not pass: `@task(bind=True)`?"""
        made = (one for one in self.node.decorator_list if isinstance(one, ast.Call))
        return any(
            keyword.arg == "bind" and getattr(keyword.value, "value", None) is True
            for one in made
            for keyword in one.keywords
        )


class Functions:
    """Finds the definition that a call means: by name, by `self.name`, or as the only method."""

    def __init__(self, tree: ast.Module) -> None:
        self._inner: dict[str, set[Function]] = defaultdict(set)
        self._bases: dict[str, set[str | None]] = defaultdict(set)
        self.all: Sequence[Function] = tuple(
            _definitions(tree.body, None, None, self._inner, self._bases)
        )
        self.made: dict[str, list[Function]] = defaultdict(list)
        """What `v = property(get, put)` makes: getters by `v`, setters by `v.setter`."""
        self._registered = [*_registered(self.all)]
        self._named: dict[str, list[Function]] = defaultdict(list)
        for function in self.all:
            self._named[function.node.name].append(function)
        for owner, name, word in made_properties(tree):
            self.made[word] += [one for one in self._named.get(name, ()) if one.owner == owner]
        self._constructors: dict[frozenset[str], tuple[Function, ...]] = {}

    def of(self, node: Definition) -> Function | None:
        """The function of a definition."""
        return next((one for one in self.named(node.name) if one.node is node), None)

    def within(self, function: Function) -> Iterator[Function]:
        """Those that are defined in a function."""
        yield from (one for one in self.all if one.outer is function)

    def named(self, name: str) -> Sequence[Function]:
        """All definitions of a name."""
        return self._named.get(name, ())

    def around(self, name: str) -> Set[Function]:
        """The functions in which something of a name is defined."""
        return self._inner.get(name, set())

    def called(self, func: ast.expr, owner: str | None) -> Function | None:
        """The definition, where exactly one fits."""
        match func:
            case ast.Name(id=name) if name in self._named:
                return _only([f for f in self._named[name] if f.owner is None])
            case ast.Attribute(value=receiver, attr="start") if "start" not in self._named:
                return self.called(ast.Attribute(receiver, "run"), owner)
            case ast.Attribute(value=receiver, attr=name) if name in self._named:
                methods = [f for f in self._named[name] if f.owner is not None]
                own: Sequence[Function] = ()
                if isinstance(receiver, ast.Name) and receiver.id in _INSTANCES:
                    own = [f for f in methods if f.owner == owner]
                return _only(own) or _only(methods)
        return None

    def homonyms(self, func: ast.expr, around: Function | None) -> Sequence[Function]:
        """All functions that a name may mean where it stands; none where there are too many."""
        if not isinstance(func, ast.Name):
            return ()
        seen: set[Function | None] = {None}
        while around is not None:
            seen.add(around)
            around = around.outer
        named = (one for one in self.named(func.id) if one.owner is None and one.outer in seen)
        found = [*named]
        return found if len(found) <= CHOICES else ()

    def wrappers(self, function: Function) -> Iterator[Function]:
        """The functions within its decorators, any of which may be called in its place."""
        for one in function.node.decorator_list:
            func = one.func if isinstance(one, ast.Call) else one
            for outer in self.named(last_word(func)):
                for inner in self.within(outer):
                    yield inner
                    yield from self.within(inner)

    def decorated_by(self, function: Function) -> Iterator[Function]:
        """The functions that a function, or the one around it, decorates."""
        names = {function.node.name} | ({function.outer.node.name} if function.outer else set())
        for one in self.all:
            for decorator in one.node.decorator_list:
                func = decorator.func if isinstance(decorator, ast.Call) else decorator
                if last_word(func) in names:
                    yield one

    def setters(self, name: str) -> Iterator[Function]:
        """The property setters for attributes of a name."""
        for one in self.named(name):
            if "setter" in map(last_word, one.node.decorator_list):
                yield one
        yield from self.made.get(f"{name}.setter", ())

    def registered_for(self, function: Function) -> Sequence[Function]:
        """The functions that `@f.register` makes a call of f choose from."""
        return [one for name, one in self._registered if name == function.node.name]

    def overriding(self, func: ast.expr, owner: str | None) -> Iterator[Function]:
        """The definitions of `self.name` in the classes that inherit from a class."""
        match func:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                for other in self._named.get(name, ()):
                    if other.owner not in (None, owner) and owner in self._bases[other.owner]:
                        yield other

    def lineage(self, classes: Set[str]) -> Set[str]:
        """Classes with all that they inherit from."""
        found, new = set[str](), {*classes}
        while new:
            found |= new
            bases = (base for one in new for base in self._bases.get(one, ()) if base)
            new = {*bases} - found
        return found

    def family(self, owner: str | None) -> Set[str | None]:
        """A class with all that it inherits from, and all that inherit from it."""
        if owner is None:
            return {None}
        above, below = {*self.lineage({owner})}, {owner}
        while new := {n for n, bases in self._bases.items() if bases & below} - below:
            below |= new
        return {*above, *below}

    def is_class(self, name: str) -> bool:
        """Is a class of that name defined?"""
        return name in self._bases

    def constructors(self, func: ast.expr, owner: str | None = None) -> Sequence[Function]:
        """The constructors that a call of a class may run: its own and inherited ones.

        In a class `cls` stands for any of its family.
        """
        match func:
            case ast.Name(id="cls") if owner is not None:
                return self._constructors_of(frozenset(filter(None, self.family(owner))))
            case ast.Name(id=name) if name in self._bases:
                return self._constructors_of(frozenset({name}))
        return ()

    def _constructors_of(self, classes: frozenset[str]) -> Sequence[Function]:
        known = self._constructors.get(classes)
        if known is None:
            of = self.lineage(classes)
            made = (one for one in self._named.get("__init__", ()) if one.owner in of)
            known = self._constructors[classes] = tuple(made)
        return known

    def properties(self, owner: str | None, name: str) -> list[Function]:
        """The methods of a class that reading `self.name` may call."""
        return [f for f in self._named.get(name, ()) if f.owner is not None and f.owner == owner]

    @cached_property
    def wholes(self) -> dict[Definition, list[Function]]:
        """The outermost definitions, each with all that are defined in it."""
        found: dict[Definition, list[Function]] = defaultdict(list)
        for function in self.all:
            found[function.whole].append(function)
        return found


def parameters(args: ast.arguments) -> list[str]:
    """Every parameter by name, in the order of the signature."""
    stars = [arg for arg in (args.vararg,) if arg is not None]
    rest = [arg for arg in (args.kwarg,) if arg is not None]
    return [arg.arg for arg in [*args.posonlyargs, *args.args, *stars, *args.kwonlyargs, *rest]]


def bound_arguments(function: Function, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Each argument with a parameter that it may fill; a splat may fill all that are left."""
    stars = function.stars
    left = [name for name in function.parameters if name not in stars]
    receiver = function.receiver(call) if function.takes_instance and left else None
    if receiver is not None:
        yield left.pop(0), receiver
    elif function.is_bound_task and left:
        left.pop(0)
    named = {arg.arg for arg in function.node.args.kwonlyargs}
    splats: list[ast.expr] = []
    for keyword, value in _given(call):
        name = keyword or next((name for name in left if name not in named), None)
        if isinstance(value, ast.Starred) or keyword == _SPLAT:
            splats.append(value)
        elif name in left:
            yield left.pop(left.index(name)), value
        else:
            yield from ((star, value) for star in stars)
    yield from ((name, value) for value in splats for name in (*left, *stars))


_SPLAT = "**"


def _given(call: ast.Call) -> Iterator[tuple[str | None, ast.expr]]:
    """The arguments in order, each with its keyword."""
    yield from ((None, value) for value in call.args)
    yield from ((keyword.arg or _SPLAT, keyword.value) for keyword in call.keywords)


def _definitions(
    body: Sequence[ast.stmt],
    owner: str | None,
    outer: Function | None,
    inner: Mapping[str, set[Function]],
    bases: Mapping[str, set[str | None]],
) -> Iterator[Function]:
    """Every function; those around others, or around classes, are added to `inner` by the name.

    What classes inherit from is added to `bases`.
    """
    for node in body:
        if isinstance(node, (*_DEFINITIONS, ast.ClassDef)) and outer is not None:
            inner[node.name].add(outer)
        if isinstance(node, _DEFINITIONS):
            function = Function(node, owner, outer)
            yield function
            yield from _definitions(node.body, None, function, inner, bases)
        elif isinstance(node, ast.ClassDef):
            bases[node.name].update(map(dotted, node.bases))
            yield from _definitions(node.body, node.name, outer, inner, bases)
        elif not isinstance(node, _SIMPLE):
            for block in _blocks(node):
                yield from _definitions(block, owner, outer, inner, bases)


_SIMPLE = (ast.Expr, ast.Assign, ast.Return, ast.Import, ast.ImportFrom, ast.Raise, ast.Assert)
"""Most statements: nothing is defined in them."""


def made_properties(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """By `v = property(get, put)` in a class: the class, a method, and v or `v.setter`."""
    for of in (one for one in tree.body if isinstance(one, ast.ClassDef)):
        for statement in of.body:
            match statement:
                case ast.Assign([ast.Name(name)], ast.Call(ast.Name("property"), args)):
                    for arg, word in zip(args, (name, f"{name}.setter"), strict=False):
                        yield of.name, last_word(arg), word


def _registered(functions: Sequence[Function]) -> Iterator[tuple[str, Function]]:
    """The functions that `@f.register` decorates, each with the name f."""
    for function in functions:
        for one in function.node.decorator_list:
            func = one.func if isinstance(one, ast.Call) else one
            if isinstance(func, ast.Attribute) and func.attr == "register":
                yield last_word(func.value), function


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for clause in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield clause.body


def _only(found: Sequence[Function]) -> Function | None:
    return found[0] if len(found) == 1 else None
