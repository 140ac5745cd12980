"""The data-flow graph over a syntax tree: variables, fields, results and marked places.

It has an edge wherever the flow analysis could move data, in whatever order statements run and
whatever branches are taken, and some more: what has no way here has no flow there.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from vetbox.code.nodes import children_of
from vetbox.rules.language.callbacks import VALIDATING
from vetbox.rules.narrowing.aliasing import alias_of
from vetbox.rules.narrowing.edges import Step
from vetbox.rules.narrowing.expressions import Expressions
from vetbox.rules.narrowing.functions import Function, Functions
from vetbox.rules.narrowing.markers import Lookout
from vetbox.rules.narrowing.names import dotted, last_word, root
from vetbox.rules.narrowing.nodes import Nodes, all_locals, thrown, variable
from vetbox.rules.sifting.assignments import defaults


class Graph(Expressions):
    """The edges, and what its functions depend on; None stands for the module.

    `bound` are the functions that bind an attribute by its name, `rebinding` those that bind names
    of other scopes.
    """

    def __init__(self, tree: ast.Module, functions: Functions, lookout: Lookout) -> None:
        super().__init__(functions, lookout)
        self.rebinding: set[Function | None] = set()
        self._thrown: Nodes = []
        self._types: dict[str, ast.Subscript] = {}
        self._block(tree.body)
        for function in functions.all:
            self._read(function)
        self._name_locals()
        self._call_registered()
        self._apply()
        self._finish()

    def _name_locals(self) -> None:
        """What `locals()` gives are the variables of a function."""
        own = {(function, name) for function, name in self._local if function in self._naming}
        for one in self._naming:
            own |= {(one, name) for name in (one.parameters if one is not None else ())}
        for function, name in own:
            self._function = function
            self._flow([variable(function, name)], all_locals(function))

    def _read(self, function: Function) -> None:
        self._function, self._owner, node = function, function.owner, function.node
        for row in (node.lineno, *(one.lineno for one in node.decorator_list)):
            for target, marker in self._lookout.marked_at(node, row):
                if isinstance(target, ast.arg):
                    self._flow([self._end(marker, row)[0]], variable(function, target.arg))
        self._thrown = []
        self._block(node.body)
        self._flow(self._thrown, thrown(function))

    # Statements -------------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if statement.lineno in self._lookout.rows:
                self._lookout.look_at(statement)
            _STATEMENTS.get(type(statement), Graph._other_statement)(self, statement)

    def _other_statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            self.rebinding.add(self._function)
            self._others |= {(self._function, name) for name in node.names}
        for child in children_of(node):
            if isinstance(child, ast.expr):
                self._value(child)

    def _expression(self, node: ast.Expr) -> None:
        self._thrown_away = True
        self._value(node.value)
        self._thrown_away = False

    def _assign(self, node: ast.Assign) -> None:
        is_split = any(isinstance(one, (ast.Tuple, ast.List)) for one in node.targets)
        values = self._elements(node.value) if is_split else self._value(node.value)
        for target in node.targets:
            self._bind(target, values)
            for value in (node.value, *(one for one in node.targets if one is not target)):
                self._alias(target, value)
            self.callable_values.note(target, node.value, self._function)
            if isinstance(target, ast.Name) and is_annotated(node.value):
                self._types[target.id] = node.value
            if isinstance(target, ast.Subscript):
                self._register(target.value, node.value)
            if isinstance(target, ast.Attribute) and dotted(target.value) in ("cls", self._owner):
                self.rebinding.add(self._function)  # it may keep the only object of the class

    def _assign_one(self, node: ast.AnnAssign | ast.AugAssign) -> None:
        if node.value is not None:
            self._bind(node.target, self._value(node.value))
            self._alias(node.target, node.value)
            self.callable_values.note(node.target, node.value, self._function)
        if isinstance(node, ast.AugAssign):
            self._touch(dotted(node.target) or root(node.target))
            self._bind(node.target, self._value(node.target))

    def _alias(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple() | ast.List():
                for one, of in zip(targets, value.elts, strict=False):
                    self._alias(one, of)
            case _:
                found = alias_of(self._function, target, value)
                self._aliases += [] if found is None else [found]

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._flow(self._value(node.value), (self._function,))

    def _if(self, node: ast.If | ast.While) -> None:
        self._value(node.test)
        self._block(node.body)
        self._block(node.orelse)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._bind(node.target, self._elements(node.iter))
        self.callable_values.note_loop(node.target, node.iter)
        for part in node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]:
            self._alias(part, node.iter)
        self._block(node.body)
        self._block(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            values = self._value(item.context_expr)
            self._leave_block(item.context_expr, values)
            for name in ("__enter__", "__aenter__"):
                values = [*values, *self._special(name, item.context_expr, values)]
            if item.optional_vars is not None:
                self._bind(item.optional_vars, values)
        self._block(node.body)

    def _leave_block(self, of: ast.expr, values: Nodes) -> None:
        kind, error, trace = (ast.Constant(None) for _ in range(3))
        self._special("__exit__", of, values, kind, [], error, [], trace, [])

    def _raise(self, node: ast.Raise) -> None:
        parts = (one for one in (node.exc, node.cause) if one is not None)
        self._thrown += [*self._caught, *(value for one in parts for value in self._value(one))]

    def _try(self, node: Any) -> None:
        around, self._thrown = self._thrown, []
        self._block(node.body)
        thrown, self._thrown = self._thrown, around
        caught, self._caught = self._caught, thrown
        for handler in node.handlers:
            if handler.name is not None:
                self._bind(ast.Name(handler.name), thrown)
            self._block(handler.body)
        self._caught = caught
        for body in (node.orelse, node.finalbody):
            self._block(body)

    def _match(self, node: ast.Match) -> None:
        subject = self._value(node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if name is not None:
                    self._bind(ast.Name(name), subject)
            if case.guard is not None:
                self._value(case.guard)
            self._block(case.body)

    def _import(self, node: ast.Import) -> None:
        self._modules |= {one.asname or one.name.partition(".")[0] for one in node.names}

    def _import_from(self, node: ast.ImportFrom) -> None:
        self._imported |= {one.asname or one.name for one in node.names}

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self._value(decorator)
        function = self.functions.of(node)
        if function is not None and any(map(_is_validating, node.decorator_list)):
            self.deciding.add(function)  # what the fields of its class may hold
        given = (*defaults(node.args), *self._annotated(node.args)) if function is not None else ()
        for name, value in given:
            self._flow(self._value(value), variable(function, name))
            if isinstance(value, (ast.List, ast.Dict, ast.Set)):  # which all calls share
                self._step(variable(function, name), variable(function, name), Step.ACROSS)

    def _annotated(self, args: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
        """The parameters whose types say what fills them, and what that is."""
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            named = arg.annotation
            known = self._types.get(named.id) if isinstance(named, ast.Name) else named
            if is_annotated(known):
                made = (one for one in ast.walk(known) if isinstance(one, ast.Call))
                yield from ((arg.arg, one) for one in made)

    def _class(self, node: ast.ClassDef) -> None:
        around, self._owner, self._body = (self._owner, self._body), node.name, node.name
        self._block(node.body)
        self._owner, self._body = around


def _is_validating(decorator: ast.expr) -> bool:
    """Is it `field_validator("name")`?"""
    return isinstance(decorator, ast.Call) and last_word(decorator.func) in VALIDATING


def is_annotated(node: ast.expr | None) -> TypeGuard[ast.Subscript]:
    """Is it a type with something said of it: `Annotated[dict, Depends(f)]`?"""
    return isinstance(node, ast.Subscript) and last_word(node.value) == "Annotated"


_STATEMENTS: Mapping[type[ast.stmt], Callable[[Graph, Any], None]] = {
    ast.Expr: Graph._expression,
    ast.Import: Graph._import,
    ast.ImportFrom: Graph._import_from,
    ast.Assign: Graph._assign,
    ast.AnnAssign: Graph._assign_one,
    ast.AugAssign: Graph._assign_one,
    ast.Return: Graph._return,
    ast.If: Graph._if,
    ast.While: Graph._if,
    ast.For: Graph._for,
    ast.AsyncFor: Graph._for,
    ast.With: Graph._with,
    ast.AsyncWith: Graph._with,
    ast.Raise: Graph._raise,
    ast.Try: Graph._try,
    ast.TryStar: Graph._try,
    ast.Match: Graph._match,
    ast.FunctionDef: Graph._definition,
    ast.AsyncFunctionDef: Graph._definition,
    ast.ClassDef: Graph._class,
}
