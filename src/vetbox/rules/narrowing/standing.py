"""Standing: the functions that calls of variables mean, by what the variables were given."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from vetbox.rules.narrowing.functions import Function, Functions, begun, last_word

_SEVERAL = 2
_PROPERTIES = frozenset({"property", "cached_property"})


class Standing:
    """The calls that variables begin, the classes that they are objects of, and their tables."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._begun: dict[str, ast.Call] = {}
        self._classes: dict[str, set[str]] = defaultdict(set)
        self._tables: dict[str, list[ast.expr]] = {}
        self._picked: dict[str, ast.expr] = {}
        self._lambdas: dict[str, list[tuple[Function | None, ast.Lambda]]] = defaultdict(list)

    def note(self, target: ast.expr, value: ast.expr | None, function: Function | None) -> None:
        """A variable is given something."""
        if not isinstance(target, ast.Name):
            return
        begins = begun(value)
        if begins is not None:
            self._begun[target.id] = begins
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            self._classes[target.id].add(value.func.id)
        elif isinstance(value, ast.Dict):
            self._tables[target.id] = value.values
        elif isinstance(value, ast.Lambda):
            self._lambdas[target.id].append((function, value))
        if isinstance(value, (ast.Call, ast.Subscript)):
            self._picked[target.id] = value

    def begun(self, func: ast.expr) -> ast.Call | None:
        """The call that is completed by one of a variable, or of what stands there."""
        if isinstance(func, ast.Call):
            return begun(func)
        return self._begun.get(func.id) if isinstance(func, ast.Name) else None

    def lambdas(self, func: ast.expr) -> Sequence[tuple[Function | None, ast.Lambda]]:
        """Those that a variable may stand for, each with the function it is written in."""
        return self._lambdas.get(func.id, ()) if isinstance(func, ast.Name) else ()

    def chosen(self, func: ast.expr) -> Sequence[ast.expr]:
        """The functions that `TABLE[key]`, `TABLE.get(key)` or `getattr(x, name)` may give."""
        match self._behind(func):
            case ast.Subscript(value=ast.Name(id=name)):
                return self._tables.get(name, ())
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
                return self._tables.get(name, ())
            case ast.Call(func=ast.Name(id="getattr"), args=[of, name, *_]):
                methods = {one.node.name for one in self._functions.all if one.owner is not None}
                return [
                    ast.copy_location(ast.Attribute(of, method), of)
                    for method in sorted(methods)
                    if method.startswith(_start(name))
                ]
        return ()

    def callables(self, func: ast.expr) -> Iterator[Function]:
        """What calling an object may mean."""
        named = self._functions.named("__call__")
        if named:
            classes = self._functions.lineage(self._of(func, None))
            yield from (one for one in named if one.owner in classes)

    def closures(self, func: ast.expr) -> Iterator[Function]:
        """The functions that a function may give in which they are defined."""
        begun = self._behind(func)
        outer = self._functions.called(begun.func, None) if isinstance(begun, ast.Call) else None
        if outer is not None:
            yield from self._functions.within(outer)

    def _behind(self, func: ast.expr) -> ast.expr:
        return self._picked.get(func.id, func) if isinstance(func, ast.Name) else func

    def methods(self, func: ast.expr, owner: str | None) -> Iterator[Function]:
        """Those of a name that several classes have, of the classes that an object may be of."""
        if not isinstance(func, ast.Attribute):
            return
        named = [one for one in self._functions.named(func.attr) if one.owner is not None]
        if len(named) < _SEVERAL:
            return
        classes = self._functions.lineage(self._of(func.value, owner))
        yield from (one for one in named if one.owner in classes)

    def properties(self, name: str) -> Iterator[Function]:
        """The properties that reading an attribute of anything may call."""
        for function in self._functions.named(name):
            if not _PROPERTIES.isdisjoint(map(last_word, function.node.decorator_list)):
                yield function

    def _of(self, receiver: ast.expr, owner: str | None) -> set[str]:
        """The classes that a receiver may be an object of."""
        match receiver:
            case ast.Name(id="self" | "cls") | ast.Call(func=ast.Name(id="super")):
                return {owner} if owner else set()
            case ast.Call(func=ast.Name(id=name)):
                return {name}
            case ast.Name(id=name):
                return self._classes.get(name, set())
        return set()


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
