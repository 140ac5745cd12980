"""Edges of expressions: the variables, fields and results whose data each may hold."""

import ast
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from vetbox.code.nodes import children_of
from vetbox.rules.language.callbacks import REGISTERING, SETTING
from vetbox.rules.language.common import COMMON
from vetbox.rules.narrowing.callbacks import HANDING_ON, handed_on
from vetbox.rules.narrowing.edges import is_class
from vetbox.rules.narrowing.functions import Function, Functions
from vetbox.rules.narrowing.markers import Lookout
from vetbox.rules.narrowing.names import dotted, last_word, root
from vetbox.rules.narrowing.nodes import Nodes, all_locals, field, result, variable
from vetbox.rules.narrowing.posts import parameters
from vetbox.rules.narrowing.stores import Stores
from vetbox.rules.sifting.assignments import defaults
from vetbox.rules.taint.calls.effects import ROW_METHODS
from vetbox.rules.taint.calls.given import ITERATING
from vetbox.rules.taint.calls.harmless import HARMLESS
from vetbox.rules.taint.reading.containers import ADDING_METHODS

SPECIAL: Mapping[type[ast.AST], str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Div: "__truediv__",
    ast.Mod: "__mod__",
    ast.BitOr: "__or__",
    ast.BitAnd: "__and__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
    ast.MatMult: "__matmul__",
    ast.In: "__contains__",
    ast.NotIn: "__contains__",
}
"""The methods that operators call."""
_TRACING = frozenset({"format_exc", "exc_info"})
"""They tell what was raised, with what it holds."""


class Expressions(Stores):
    """The edges that expressions make; `mentioned` are the attributes that functions use."""

    def __init__(self, functions: Functions, lookout: Lookout) -> None:
        super().__init__(functions, lookout)
        self.mentioned: dict[Function | None, set[str]] = defaultdict(set)

    def _value(self, node: ast.expr) -> Nodes:
        """The nodes whose data the expression may hold; where it is marked, its own as well."""
        read = _EXPRESSIONS.get(node.__class__, Expressions._parts)
        if node.lineno not in self._lookout.rows:
            return read(self, node)
        self._lookout.look_at(node)
        values = read(self, node)
        markers = self._lookout.markers_of(node)
        if not markers:
            return values
        ends = [self._end(marker, node.lineno) for marker in markers]
        self._hand_over(node, (enters for enters, _ in ends))
        values = [*values, *(enters for enters, _ in ends)]
        for _, arrives in ends:
            self._flow(values, arrives)
        return values

    def _parts(self, node: ast.expr) -> Nodes:
        values: Nodes = []
        for child in children_of(node):
            if isinstance(child, ast.expr):
                values += self._value(child)
        return values

    def _nothing(self, node: ast.expr) -> Nodes:
        self._parts(node)
        return []

    def _constant(self, _: ast.Constant) -> Nodes:
        return []

    def _name(self, node: ast.Name) -> Nodes:
        return self._seen(node.id)

    def _seen(self, name: str) -> Nodes:
        """The variables of a name in the functions around an expression and in the module."""
        values: Nodes = [variable(None, name)]
        function = self._function
        while function is not None:
            values.append(variable(function, name))
            function = function.outer
        return values

    def _attribute(self, node: ast.Attribute) -> Nodes:
        self.mentioned[self._function].add(node.attr)
        values = self._value(node.value)
        path = dotted(node)
        if is_class(node.value) or dotted(node.value) == "self":
            family = self.functions.family(self._owner)
            values = [*values, *(variable(None, f"{one}.{node.attr}") for one in family)]
        elif isinstance(node.value, ast.Name):  # it may be a class, whose lists its objects change
            values = [*values, field(node.value.id, node.attr)]
        if path is not None:
            values = [*values, *self._seen(path)]
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                values.append(field(self._owner, node.attr))
                for method in self.functions.properties(self._owner, node.attr):
                    values.append(result(method))
                    self.calls[self._function].add(method)
                return values
        values = [*values, *(field(owner, node.attr) for owner in self._singles(node.value))]
        read = ast.Call(node, [], [])
        for method in self.callable_values.properties(node.attr):
            values = [*values, *self._got([method], read, {id(node.value): values})]
        return values

    def _subscript(self, node: ast.Subscript) -> Nodes:
        index, values = self._value(node.slice), self._value(node.value)
        names = ("__getitem__", "__missing__")
        given = (self._special(name, node.value, values, node.slice, index) for name in names)
        return [*values, *(one for some in given for one in some)]

    def _special(self, name: str, of: ast.expr, values: Nodes, *given: ast.expr | Nodes) -> Nodes:
        """What a method of a special name gives that an operator may call."""
        methods = self.functions.named(name)
        if not methods:
            return []
        nodes = [one for one in given[::2] if isinstance(one, ast.expr)]
        held = [one for one in given[1::2] if isinstance(one, list)]
        made = ast.Call(ast.Attribute(of, name), nodes, [])
        put = dict(zip(map(id, nodes), held, strict=True))
        return self._got(methods, made, {id(of): values, **put})

    def _elements(self, node: ast.expr) -> Nodes:
        """What a loop over it gives."""
        values = self._value(node)
        return [*values, *self._special("__iter__", node, values)]

    def _starred(self, node: ast.Starred) -> Nodes:
        return self._elements(node.value)

    def _put_item(self, target: ast.Subscript, values: Nodes) -> None:
        held, index = self._value(target.value), self._value(target.slice)
        given = (target.slice, index, ast.Constant(...), values)
        self._special("__setitem__", target.value, held, *given)

    def _operation(self, node: ast.BinOp) -> Nodes:
        left, right = self._value(node.left), self._value(node.right)
        name = SPECIAL.get(node.op.__class__, "")
        put = [*left, *right, *self._special(name, node.left, left, node.right, right)]
        if isinstance(node.op, ast.Mod) and self.functions.named("__str__"):
            parts = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            put += [value for one in parts for value in self._text(one, self._value(one))]
        return put

    def _comparison(self, node: ast.Compare) -> Nodes:
        left = self._value(node.left)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            name = SPECIAL.get(operator.__class__, "")
            self._special(name, right, self._value(right), node.left, left)
        return []

    def _formatted(self, node: ast.FormattedValue) -> Nodes:
        values = self._parts(node)
        return [*values, *self._text(node.value, values)]

    def _text(self, node: ast.expr, values: Nodes) -> Nodes:
        """What an object says of itself."""
        said = (self._special(name, node, values) for name in ("__str__", "__repr__"))
        return [one for some in said for one in some]

    def _unary(self, node: ast.UnaryOp) -> Nodes:
        values = self._value(node.operand)
        return [] if isinstance(node.op, ast.Not) else values

    def _conditional(self, node: ast.IfExp) -> Nodes:
        self._value(node.test)
        return [*self._value(node.body), *self._value(node.orelse)]

    def _walrus(self, node: ast.NamedExpr) -> Nodes:
        values = self._value(node.value)
        self._bind(node.target, values)
        self.callable_values.note(node.target, node.value, self._function)
        return values

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Nodes:
        self._loops(node.generators)
        return self._value(node.elt)

    def _dict_comprehension(self, node: ast.DictComp) -> Nodes:
        self._loops(node.generators)
        return [*self._value(node.key), *self._value(node.value)]

    def _loops(self, loops: Sequence[ast.comprehension]) -> None:
        for loop in loops:
            self._bind(loop.target, self._elements(loop.iter))
            self.callable_values.note_loop(loop.target, loop.iter)
            for condition in loop.ifs:
                self._value(condition)

    def _lambda(self, node: ast.Lambda) -> Nodes:
        for name, value in defaults(node.args):
            self._flow(self._value(value), variable(self._function, name))
        return self._value(node.body)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> Nodes:
        values = self._value(node.value) if node.value is not None else []
        self._flow(values, (self._function,))
        return values

    def _call(self, node: ast.Call) -> Nodes:
        name, given = last_word(node.func), self._given(node)
        everything = [value for values in given.values() for value in values]
        self._change(node, name, given)
        everything += self._shown(node, name)
        everything += self._of_others(node, given)
        everything += self._iterated(node, name, given)
        if name in ("str", "repr") and len(node.args) == 1:
            everything += self._text(node.args[0], given[id(node.args[0])])
        function = self.functions.called(node.func, self._owner)
        if function is None:
            everything += self._of_several(node, name, given)
            return [] if self._is_number(node) else everything
        site = self._called(function, node, given)
        self._everything.append((site, everything))
        others = self._got(self.functions.overriding(node.func, self._owner), node, given)
        others += self._got(self.functions.registered_for(function), node, given)
        if (
            self._is_of_module(node.func)
            or self._is_bound_otherwise(node.func)
            or (name in COMMON and self._may_be_another(node.func, function))
        ):
            others = [*others, *everything, *self._of_several(node, name, given)]
        return [site.got(result(function)), *others]

    def _iterated(self, node: ast.Call, name: str, given: Mapping[int, Nodes]) -> Nodes:
        """The elements of what a call goes through."""
        of = node.args if name in ITERATING and self.functions.named("__iter__") else ()
        return [value for one in of for value in self._special("__iter__", one, given[id(one)])]

    def _is_number(self, node: ast.Call) -> bool:
        """Does it give nothing of what it is given, which no rule asks it for either?"""
        if not isinstance(node.func, ast.Name) or node.func.id not in HARMLESS:
            return False
        return node.lineno not in self._lookout.rows or not self._lookout.markers_of(node)

    def _is_of_module(self, func: ast.expr) -> bool:
        """Is a function of an imported module called, whatever methods of the file are called?"""
        return isinstance(func, ast.Attribute) and root(func) in self._modules

    def _is_bound_otherwise(self, func: ast.expr) -> bool:
        """Is a function called by a name that stands for something else as well?"""
        if not isinstance(func, ast.Name):
            return False
        function, name = self._function, func.id
        assigned = not self._local.isdisjoint({(None, name), (function, name)})
        given = function is not None and name in (one.arg for one in parameters(function.node))
        return assigned or given or name in self._imported

    def _may_be_another(self, func: ast.expr, function: Function) -> bool:
        """May a call of a common method mean none of the file? Not on an object of its own."""
        match func:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                return function.owner not in self.functions.family(self._owner)
        return isinstance(func, ast.Attribute)

    def _given(self, node: ast.Call) -> dict[int, Nodes]:
        """What a call is given: the receiver, or the function, and the arguments."""
        func = node.func
        arguments = (*node.args, *(keyword.value for keyword in node.keywords))
        if isinstance(func, ast.Attribute):
            self.mentioned[self._function].add(func.attr)
            return {id(one): self._value(one) for one in (func.value, *arguments)}
        # What the function itself carries: a bound method of tainted data gives it back.
        return {id(one): self._value(one) for one in (*arguments, func)}

    def _change(self, node: ast.Call, name: str, given: Mapping[int, Nodes]) -> None:
        """What a call puts into its receiver, into a table or into one of its arguments."""
        func, args = node.func, node.args
        self._store(node, name, given)
        if isinstance(func, ast.Attribute):
            if name in ADDING_METHODS:
                arguments = (values for one, values in given.items() if one != id(func.value))
                put = [value for values in arguments for value in values]
                self._put_into(func.value, put)
                written = (
                    self.callable_values.first_given(func.value) if name in ROW_METHODS else None
                )
                if written is not None:
                    self._put_into(written, put)
            if name == SETTING:
                self._set_options(node)
            if REGISTERING.get(name, len(args)) < len(args):
                self._register(func.value, args[REGISTERING[name]])
        if name in HANDING_ON:
            for place, value in handed_on(node):
                self._put_into(place, given.get(id(value), []))

    def _shown(self, node: ast.Call, name: str) -> Nodes:
        """The variables and attributes that `locals()` and `getattr(x, "name")` give."""
        if name == "getattr":
            return self._read_attribute(node)
        if name in _TRACING:
            return [*self._caught]
        if name != "locals":
            return self._stored(node, name)
        self._naming.add(self._function)
        return [all_locals(self._function)]

    def _of_several(self, node: ast.Call, name: str, given: Mapping[int, Nodes]) -> Nodes:
        """What a call gives that may mean several functions, or make an object."""
        self._may_give(name)
        methods = self.callable_values.methods(node.func, self._owner, self._function)
        return [
            *self._construct(node, given),
            *self._got(methods, node, given),
            *self._got(self.functions.homonyms(node.func, self._function), node, given),
            *self._chosen(node, given),
        ]

    def _read_attribute(self, node: ast.Call) -> Nodes:
        """What `getattr(x, "name")` gives of what others may have put there."""
        match node.args:
            case [of, ast.Constant(value=str() as name), *_] if path := dotted(of):
                return self._seen(f"{path}.{name}")
        return []


_EXPRESSIONS: Mapping[type[ast.expr], Callable[[Expressions, Any], Nodes]] = {
    ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript,
    ast.Compare: Expressions._comparison,
    ast.BinOp: Expressions._operation,
    ast.FormattedValue: Expressions._formatted,
    ast.Constant: Expressions._constant,
    ast.UnaryOp: Expressions._unary,
    ast.IfExp: Expressions._conditional,
    ast.NamedExpr: Expressions._walrus,
    ast.ListComp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension,
    ast.DictComp: Expressions._dict_comprehension,
    ast.Starred: Expressions._starred,
    ast.Lambda: Expressions._lambda,
    ast.Yield: Expressions._yield,
    ast.YieldFrom: Expressions._yield,
    ast.Call: Expressions._call,
}
