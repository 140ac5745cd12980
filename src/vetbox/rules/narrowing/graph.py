"""The graph of what may hold what, over a syntax tree: variables, fields, results, lines.

It has an edge wherever the flow analysis could move data, in whatever order statements run and
whatever branches are taken, and some more: what has no way here has no flow there.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from vetbox.nodes import children_of
from vetbox.rules.language.handing import REGISTERING
from vetbox.rules.narrowing.edges import FIELD, LOCALS, THROWN, Nodes
from vetbox.rules.narrowing.functions import Function, Functions, dotted, last_word
from vetbox.rules.narrowing.handing import Handing
from vetbox.rules.narrowing.made import HANDING_ON, handed_on
from vetbox.rules.narrowing.markers import Lookout
from vetbox.rules.sifting.givens import defaults
from vetbox.rules.taint.containers import ADDING_METHODS
from vetbox.rules.taint.functions import HARMLESS


class Graph(Handing):
    """The edges, and what its functions depend on; None stands for the module.

    `bound` are the functions that bind an attribute by its name, `mentioned` the attributes they
    use, `rebinding` those that bind names of other scopes.
    """

    def __init__(self, tree: ast.Module, functions: Functions, lookout: Lookout) -> None:
        super().__init__(functions, lookout)
        self.rebinding: set[Function | None] = set()
        self.mentioned: dict[Function | None, set[str]] = defaultdict(set)
        self._thrown: Nodes = []
        self._naming: set[Function | None] = set()
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
            self._flow([(function, name)], (function, LOCALS))

    def _read(self, function: Function) -> None:
        self._function, self._owner, node = function, function.owner, function.node
        for row in (node.lineno, *(one.lineno for one in node.decorator_list)):
            for target, marker in self._lookout.marked_at(node, row):
                if isinstance(target, ast.arg):
                    self._flow([self._end(marker, row)[0]], (function, target.arg))
        self._thrown = []
        self._block(node.body)
        self._flow(self._thrown, (function, THROWN))

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
        values = self._value(node.value)
        for target in node.targets:
            self._bind(target, values)
            self.standing.note(target, node.value, self._function)
            if isinstance(target, ast.Subscript):
                self._register(target.value, node.value)

    def _assign_one(self, node: ast.AnnAssign | ast.AugAssign) -> None:
        if node.value is not None:
            self._bind(node.target, self._value(node.value))
            self.standing.note(node.target, node.value, self._function)
        if isinstance(node, ast.AugAssign):
            self._bind(node.target, self._value(node.target))

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._flow(self._value(node.value), (self._function,))

    def _if(self, node: ast.If | ast.While) -> None:
        self._value(node.test)
        self._block(node.body)
        self._block(node.orelse)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._bind(node.target, self._value(node.iter))
        self.standing.note_loop(node.target, node.iter)
        self._block(node.body)
        self._block(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            values = self._value(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, values)
        self._block(node.body)

    def _raise(self, node: ast.Raise) -> None:
        if node.exc is not None:
            self._thrown += self._value(node.exc)

    def _try(self, node: Any) -> None:
        around, self._thrown = self._thrown, []
        self._block(node.body)
        thrown, self._thrown = self._thrown, around
        for handler in node.handlers:
            if handler.name is not None:
                self._bind(ast.Name(handler.name), thrown)
        for body in (*(one.body for one in node.handlers), node.orelse, node.finalbody):
            self._block(body)

    def _match(self, node: ast.Match) -> None:
        subject = self._value(node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if name is not None:
                    self._flow(subject, (self._function, name))
            if case.guard is not None:
                self._value(case.guard)
            self._block(case.body)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self._value(decorator)
        function = self.functions.of(node)
        for name, value in defaults(node.args) if function is not None else ():
            self._flow(self._value(value), (function, name))

    def _class(self, node: ast.ClassDef) -> None:
        around, self._owner = self._owner, node.name
        self._block(node.body)
        self._owner = around

    # Expressions ------------------------------------------------------------------------------

    def _value(self, node: ast.expr) -> Nodes:
        """The nodes whose data the expression may hold; where it is marked, its own as well."""
        read = _EXPRESSIONS.get(node.__class__, Graph._parts)
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
        values: Nodes = [(None, name)]
        function = self._function
        while function is not None:
            values.append((function, name))
            function = function.outer
        return values

    def _attribute(self, node: ast.Attribute) -> Nodes:
        self.mentioned[self._function].add(node.attr)
        values = self._value(node.value)
        path = dotted(node)
        if path is not None:
            values = [*values, *self._seen(path)]
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                values.append((FIELD, self._owner, node.attr))
                for method in self.functions.properties(self._owner, node.attr):
                    values.append((method,))
                    self.calls[self._function].add(method)
                return values
        read = ast.Call(node, [], [])
        for method in self.standing.properties(node.attr):
            values = [*values, *self._got([method], read, {id(node.value): values})]
        return values

    def _subscript(self, node: ast.Subscript) -> Nodes:
        self._value(node.slice)
        return self._value(node.value)

    def _unary(self, node: ast.UnaryOp) -> Nodes:
        values = self._value(node.operand)
        return [] if isinstance(node.op, ast.Not) else values

    def _conditional(self, node: ast.IfExp) -> Nodes:
        self._value(node.test)
        return [*self._value(node.body), *self._value(node.orelse)]

    def _walrus(self, node: ast.NamedExpr) -> Nodes:
        values = self._value(node.value)
        self._bind(node.target, values)
        self.standing.note(node.target, node.value, self._function)
        return values

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Nodes:
        self._loops(node.generators)
        return self._value(node.elt)

    def _dict_comprehension(self, node: ast.DictComp) -> Nodes:
        self._loops(node.generators)
        return [*self._value(node.key), *self._value(node.value)]

    def _loops(self, loops: Sequence[ast.comprehension]) -> None:
        for loop in loops:
            self._bind(loop.target, self._value(loop.iter))
            self.standing.note_loop(loop.target, loop.iter)
            for condition in loop.ifs:
                self._value(condition)

    def _lambda(self, node: ast.Lambda) -> Nodes:
        return self._value(node.body)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> Nodes:
        values = self._value(node.value) if node.value is not None else []
        self._flow(values, (self._function,))
        return values

    def _call(self, node: ast.Call) -> Nodes:
        func = node.func
        given: dict[int, Nodes] = {}
        everything: Nodes = []
        if isinstance(func, ast.Attribute):
            given[id(func.value)] = receiver = self._value(func.value)
            self.mentioned[self._function].add(func.attr)
            everything += receiver
        arguments: Nodes = []
        for one in (*node.args, *(keyword.value for keyword in node.keywords)):
            given[id(one)] = values = self._value(one)
            arguments += values
        everything += arguments
        name = last_word(func)
        if isinstance(func, ast.Attribute):
            if name in ADDING_METHODS:
                self._put_into(func.value, arguments)
            if REGISTERING.get(name, len(node.args)) < len(node.args):
                self._register(func.value, node.args[REGISTERING[name]])
        else:  # what the function itself carries: a bound method of tainted data gives it back
            everything += self._value(func)
        if name == "getattr":
            everything += self._read_attribute(node)
        elif name == "locals":
            everything.append((self._function, LOCALS))
            self._naming.add(self._function)
        if name in HANDING_ON:
            for place, value in handed_on(node):
                self._put_into(place, given.get(id(value), []))
        everything += self._of_others(node, given)
        function = self.functions.called(func, self._owner)
        if function is None:
            self._construct(node, given)
            self._may_give(name)
            everything += self._got(
                self.standing.methods(func, self._owner, self._function), node, given
            )
            everything += self._got(self.functions.homonyms(func, self._function), node, given)
            everything += self._chosen(node, given)
            return [] if isinstance(func, ast.Name) and name in HARMLESS else everything
        site = self._called(function, node, given)
        self._everything.append((site, everything))
        others = self._got(self.functions.overriding(func, self._owner), node, given)
        return [site.got((function,)), *others]

    def _read_attribute(self, node: ast.Call) -> Nodes:
        """What `getattr(x, "name")` gives of what others may have put there."""
        match node.args:
            case [of, ast.Constant(value=str() as name), *_] if path := dotted(of):
                return self._seen(f"{path}.{name}")
        return []


_STATEMENTS: Mapping[type[ast.stmt], Callable[[Graph, Any], None]] = {
    ast.Expr: Graph._expression,
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
_EXPRESSIONS: Mapping[type[ast.expr], Callable[[Graph, Any], Nodes]] = {
    ast.Name: Graph._name,
    ast.Attribute: Graph._attribute,
    ast.Subscript: Graph._subscript,
    ast.Compare: Graph._nothing,
    ast.Constant: Graph._constant,
    ast.UnaryOp: Graph._unary,
    ast.IfExp: Graph._conditional,
    ast.NamedExpr: Graph._walrus,
    ast.ListComp: Graph._comprehension,
    ast.SetComp: Graph._comprehension,
    ast.GeneratorExp: Graph._comprehension,
    ast.DictComp: Graph._dict_comprehension,
    ast.Lambda: Graph._lambda,
    ast.Yield: Graph._yield,
    ast.YieldFrom: Graph._yield,
    ast.Call: Graph._call,
}
