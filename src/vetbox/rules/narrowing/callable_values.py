"""Callable values: the functions that a variable or table may hold, by what was assigned to it."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from vetbox.rules.language.callbacks import CHOICES
from vetbox.rules.language.properties import PROPERTIES
from vetbox.rules.narrowing.callbacks import begun
from vetbox.rules.narrowing.functions import Function, Functions
from vetbox.rules.narrowing.names import last_word

_SEVERAL = 2


class CallableValues:
    """What was assigned to variables that may be called: partials, lambdas, objects, tables.

    Variables are told apart by name alone, scopes left aside. `asking` collects the functions in
    which the class of a receiver is up to their callers.
    """

    def __init__(self, functions: Functions) -> None:
        self.asking: set[Function | None] = set()
        self._functions = functions
        self._begun: dict[str, ast.Call] = {}
        self._classes: dict[str, set[str]] = defaultdict(set)
        self._tables: dict[str, list[ast.expr]] = {}
        self._looped: dict[str, ast.expr] = {}
        self._homes: dict[int, Function | None] = {}
        self._picked: dict[str, ast.expr] = {}
        self._lambdas: dict[str, list[tuple[Function | None, ast.Lambda]]] = defaultdict(list)

    def note(self, target: ast.expr, value: ast.expr | None, function: Function | None) -> None:
        """A variable is given something."""
        name = _key(target)
        if name is None:
            return
        begins = begun(value)
        if begins is not None:
            self._begun[name] = begins
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            self._classes[name].add(value.func.id)
        elif isinstance(value, (ast.Dict, ast.List, ast.Tuple)):
            entries = value.values if isinstance(value, ast.Dict) else value.elts
            self._tables[name] = entries if len(entries) <= CHOICES else []
            self._homes.update((id(one), function) for one in entries)
        elif isinstance(value, ast.Lambda):
            self._lambdas[name].append((function, value))
        if isinstance(value, (ast.Call, ast.Subscript, ast.Name, ast.Attribute)):
            self._picked[name] = value

    def note_loop(self, target: ast.expr, table: ast.expr) -> None:
        """A variable is given what is in a table, one after the other."""
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        for part in parts:
            if isinstance(part, ast.Name):
                self._looped[part.id] = table

    def table(self, func: ast.expr) -> ast.expr | None:
        """The table that what is called is chosen from."""
        match self._behind(func):
            case ast.Subscript(value=table):
                return table
            case ast.Call(func=ast.Attribute(value=table, attr="get" | "pop")):
                return table
            case ast.Name(id=name):
                return self._looped.get(name)
        return None

    def begun(self, func: ast.expr) -> ast.Call | None:
        """The `partial(f, a)` that a call of the expression or variable completes."""
        if isinstance(func, ast.Call):
            return begun(func)
        return self._begun.get(_key(func) or "")

    def lambdas(self, func: ast.expr) -> Sequence[tuple[Function | None, ast.Lambda]]:
        """Those that a variable may stand for, each with the function it is written in."""
        return self._lambdas.get(_key(func) or "", ())

    def chosen(self, func: ast.expr) -> Sequence[ast.expr]:
        """The functions that `TABLE[key]`, `TABLE.get(key)` or `getattr(x, name)` may give."""
        match self._behind(func):
            case (ast.Name() | ast.Attribute()) as other if other is not func:
                return [other]
            case ast.Call(func=ast.Name(id="getattr"), args=[of, name, *_]):
                every = {one.node.name for one in self._functions.all if one.owner is not None}
                methods = [one for one in sorted(every) if one.startswith(_start(name))]
                made = [ast.copy_location(ast.Attribute(of, method), of) for method in methods]
                return made if len(made) <= CHOICES else ()
        table = self.table(func)
        return () if table is None else self._entries(table)

    def singles(self, of: ast.expr) -> Sequence[str]:
        """The class whose only object an expression may give, as `C.get()` and `C()` do."""
        match self._behind(of):
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name))):
                return [name] if self._functions.is_class(name) else ()
        return ()

    def called_by(self, node: ast.Call) -> ast.Call | None:
        """The call `x.name(a)` that `methodcaller("name", a)(x)` makes."""
        match self._behind(node.func), node.args:
            case (
                ast.Call(
                    func=ast.Name(id="methodcaller") | ast.Attribute(attr="methodcaller"),
                    args=[ast.Constant(value=str() as name), *args],
                    keywords=keywords,
                ),
                [of],
            ):
                return ast.Call(ast.Attribute(of, name), args, keywords)
        return None

    def _entries(self, table: ast.expr) -> Sequence[ast.expr]:
        match table:
            case ast.Call(func=ast.Attribute(value=inner, attr="values" | "items" | "copy")):
                return self._entries(inner)
            case ast.Call(args=[inner, *_]):
                return self._entries(inner)
            case ast.List(elts=entries) | ast.Tuple(elts=entries) | ast.Dict(values=entries):
                return entries if len(entries) <= CHOICES else ()
        return self._tables.get(_key(table) or "", ())

    def first_given(self, made: ast.expr) -> ast.Name | None:
        """The variable that was the first argument of the call that made an object."""
        match self._behind(made):
            case ast.Call(args=[ast.Name() as place, *_]):
                return place
        return None

    def home(self, chosen: ast.expr) -> Function | None:
        """The function in which what a table holds is written."""
        return self._homes.get(id(chosen))

    def callables(self, func: ast.expr) -> Iterator[Function]:
        """The `__call__` methods that calling an object may mean."""
        named = self._functions.named("__call__")
        if named:
            classes = self._functions.lineage(self._noted(func))
            yield from (one for one in named if one.owner in classes)

    def closures(self, func: ast.expr) -> Iterator[Function]:
        """The nested functions that the function which made a closure may have returned."""
        begun = self._behind(func)
        outer = self._functions.called(begun.func, None) if isinstance(begun, ast.Call) else None
        if outer is not None:
            yield from self._functions.within(outer)

    def _behind(self, func: ast.expr) -> ast.expr:
        return self._picked.get(_key(func) or "", func)

    def methods(
        self, func: ast.expr, owner: str | None, around: Function | None
    ) -> Iterator[Function]:
        """The methods of a name that several classes define, by the classes of the receiver."""
        if not isinstance(func, ast.Attribute):
            return
        named = [one for one in self._functions.named(func.attr) if one.owner is not None]
        if len(named) < _SEVERAL:
            return
        classes = self._of(func.value, owner)
        if classes is None and len(named) <= CHOICES:
            self.asking.add(around)
            yield from named
        else:
            family = self._functions.lineage(classes or self._noted(func.value))
            yield from (one for one in named if one.owner in family)

    def properties(self, name: str) -> Iterator[Function]:
        """The properties that reading an attribute of anything may call."""
        for function in self._functions.named(name):
            if not PROPERTIES.isdisjoint(map(last_word, function.node.decorator_list)):
                yield function
        yield from self._functions.made.get(name, ())

    def _of(self, receiver: ast.expr, owner: str | None) -> set[str] | None:
        """The classes that a receiver may be an object of; None: any."""
        match receiver:
            case ast.Name(id="self" | "cls") | ast.Call(func=ast.Name(id="super")):
                return {owner} if owner else set()
            case ast.Call(func=ast.Name(id=name)) if self._functions.is_class(name):
                return {name}
        return None

    def _noted(self, made: ast.expr) -> set[str]:
        """The classes of which an object is made, there or where a variable is given one."""
        match made:
            case ast.Call(func=ast.Name(id=name)):
                return {name}
            case ast.Name(id=name):
                return self._classes.get(name, set())
        return set()


def _key(node: ast.expr) -> str | None:
    """A variable, or an attribute of the object, whose class is not told apart."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"self.{name}"
    return None


def _start(name: ast.expr) -> str:
    """What the text of a name may begin with."""
    match name:
        case ast.Constant(value=str() as text):
            return text
        case ast.BinOp(left=left):
            return _start(left)
        case ast.JoinedStr(values=[first, *_]):
            return _start(first)
    return ""
