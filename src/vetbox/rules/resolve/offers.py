"""Arguments: what calls pass to the parameters of the module's functions, and put in tables.

Told by names alone, wherever the calls and the statements stand.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeAlias

import libcst as cst

from vetbox.rules.language.callbacks import CHOICES, REGISTERING
from vetbox.rules.walk import Tree, identifier, last_word

Offer: TypeAlias = cst.BaseExpression | cst.FunctionDef | cst.ClassDef
"""An expression, or what a decorator stands above."""
_VIEWS = frozenset({"values", "items", "copy", "get", "pop", "setdefault"})
_PASSING_ON = frozenset({"enumerate", "list", "tuple", "sorted", "reversed", "iter", "set", "zip"})


class Offers:
    """Answers for one module."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def to(self, param: cst.Param) -> Iterator[Offer]:
        """What calls of a parameter's function give it."""
        parameters = self._tree.parent(param)
        function = None if parameters is None else self._tree.parent(parameters)
        if not isinstance(function, cst.FunctionDef) or param.star:
            return
        positional = [*function.params.posonly_params, *function.params.params]
        place = positional.index(param) if param in positional else None
        owner = self._around(function)
        if place == 0:
            yield from self._decorated[identifier(function.name), False]
            if isinstance(owner, cst.FunctionDef):
                yield from self._decorated[identifier(owner.name), True]
        is_method = isinstance(owner, cst.ClassDef)
        name = function.name if identifier(function.name) != "__init__" or not is_method else None
        called = name or (owner.name if isinstance(owner, cst.ClassDef) else function.name)
        for call in self._calls.get(identifier(called), ()):
            yield from _given(call, param, None if place is None else place - is_method)

    def into(self, table: cst.CSTNode) -> Sequence[Offer]:
        """What statements put into a table, by the last word of its name."""
        return self._put.get(_word_of_table(table), ())

    def _around(self, node: cst.CSTNode) -> cst.CSTNode | None:
        around = (one for one in self._tree.ancestors(node) if isinstance(one, _DEFINITIONS))
        return next(around, None)

    @cached_property
    def _calls(self) -> Mapping[str, Sequence[cst.Call]]:
        """By the last word of what is called."""
        calls: dict[str, list[cst.Call]] = defaultdict(list)
        for call in self._tree.of_type(cst.Call):
            if isinstance(call, cst.Call):
                calls[last_word(call.func)].append(call)
        return calls

    @cached_property
    def _decorated(self) -> Mapping[tuple[str, bool], Sequence[Offer]]:
        """By the last word of a decorator, and whether it is called."""
        found: dict[tuple[str, bool], list[Offer]] = defaultdict(list)
        for node in self._tree.of_type(*_DEFINITIONS):
            for one in node.decorators if isinstance(node, _DEFINITIONS) else ():
                called = isinstance(one.decorator, cst.Call)
                func = one.decorator.func if isinstance(one.decorator, cst.Call) else one.decorator
                found[last_word(func), called] += [node] if isinstance(node, _DEFINITIONS) else []
        return found

    @cached_property
    def _put(self) -> Mapping[str, Sequence[Offer]]:
        """By the last word of the table; nothing of one into which too much is put."""
        found: dict[str, dict[int, Offer]] = defaultdict(dict)
        for node in self._tree.of_type(cst.Call, cst.Assign):
            for table, value in _added(node):
                known = found[_word_of_table(table)]
                if len(known) <= CHOICES:
                    offered = islice(self._offered(value), CHOICES + 1)
                    known.update((id(one), one) for one in offered)
        return {word: [*all_.values()] for word, all_ in found.items() if len(all_) <= CHOICES}

    def _offered(self, value: cst.BaseExpression) -> Iterator[Offer]:
        """A parameter stands for all that its function is given."""
        param = self._parameter(value) if isinstance(value, cst.Name) else None
        if param is None:
            yield value
        else:
            yield from self.to(param)

    def _parameter(self, name: cst.Name) -> cst.Param | None:
        around = self._around(name)
        params = around.params if isinstance(around, cst.FunctionDef) else None
        every = (*params.posonly_params, *params.params, *params.kwonly_params) if params else ()
        return next((one for one in every if one.name.value == name.value), None)


_DEFINITIONS = (cst.FunctionDef, cst.ClassDef)


def _given(call: cst.Call, param: cst.Param, place: int | None) -> Iterator[cst.BaseExpression]:
    for number, arg in enumerate(call.args):
        if arg.star:
            return
        named = arg.keyword is not None and arg.keyword.value == param.name.value
        if named or (arg.keyword is None and number == place):
            yield arg.value


def _added(node: cst.CSTNode) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The table and what is put into it."""
    match node:
        case cst.Call(func=cst.Attribute(value=table, attr=cst.Name(value=name)), args=args):
            place = REGISTERING.get(name, len(args))
            if place < len(args):
                yield table, args[place].value
        case cst.Assign(targets=targets, value=value):
            for one in targets:
                if isinstance(one.target, cst.Subscript):
                    yield one.target.value, value


def _word_of_table(node: cst.CSTNode) -> str:
    """Of `TABLE`, `self.table`, `TABLE[k]`, `TABLE.values()` and `enumerate(TABLE)` the word."""
    match node:
        case cst.Subscript(value=table):
            return _word_of_table(table)
        case cst.Call(func=cst.Attribute(value=table, attr=cst.Name(value=name))) if name in _VIEWS:
            return _word_of_table(table)
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(table), *_]) if name in _PASSING_ON:
            return _word_of_table(table)
    return last_word(node)
