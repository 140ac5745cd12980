"""Indirect calls: edges into functions that are called as callbacks, from variables and tables."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import product

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.callbacks import CALLING, OPTIONS, SETTING
from vetbox.rules.narrowing.callable_values import CallableValues
from vetbox.rules.narrowing.callbacks import completed, handed_call
from vetbox.rules.narrowing.calls import Calls, Parameter
from vetbox.rules.narrowing.functions import Function, Functions, parameters
from vetbox.rules.narrowing.markers import Lookout
from vetbox.rules.narrowing.names import dotted, last_word, root
from vetbox.rules.narrowing.nodes import Node, Nodes, variable
from vetbox.rules.taint.reading.containers import ADDING_METHODS, ELEMENTS


class IndirectCalls(Calls):
    """The edges into functions that are not called by their own name."""

    def __init__(self, functions: Functions, lookout: Lookout) -> None:
        super().__init__(functions, lookout)
        self.callable_values = CallableValues(functions)
        self._awaiting: list[_Awaited] = []
        self._put: dict[str, list[tuple[Function | None, ast.expr]]] = defaultdict(list)
        self._applied: dict[Parameter, list[_Applied]] = defaultdict(list)

    def _singles(self, of: ast.expr) -> Sequence[str]:
        return self.callable_values.singles(of)

    def _of_others(self, node: ast.Call, given: Mapping[int, Nodes]) -> Nodes:
        """What a call gives that is not of one function by its name."""
        func, values = node.func, Nodes()
        if last_word(func) in CALLING or self.callable_values.begun(func) is not None:
            values += self._handed(node, given)
        for function, lambda_ in self.callable_values.lambdas(func):
            every = [one for values in given.values() for one in values]
            for parameter in parameters(lambda_.args):
                self._flow(every, variable(function, parameter))
        own = self._function
        if own is not None and isinstance(func, ast.Name) and func.id in own.parameters:
            self._applied[own, func.id].append(_Applied(own, node, given))
        outer = None if own is None else own.outer
        if outer is not None and isinstance(func, ast.Name) and func.id in outer.parameters:
            values += self._got(self.functions.decorated_by(outer), node, given)
        return values

    def _chosen(self, node: ast.Call, given: Mapping[int, Nodes]) -> Nodes:
        """What a call gives whose function a table, a text or an object chooses."""
        func, values = node.func, Nodes()
        for one in self.callable_values.chosen(func):
            if isinstance(one, ast.Lambda):
                every = [value for some in given.values() for value in some]
                for parameter in parameters(one.args):
                    self._flow(every, (self.callable_values.home(one), parameter))
            made = ast.Call(one, node.args, node.keywords)
            values += self._got(self._meant(one, self._owner, self._function), made, given)
        own = ast.Call(ast.Attribute(func, "__call__"), node.args, node.keywords)
        values += self._got(self.callable_values.callables(func), own, given)
        values += self._got(self.callable_values.closures(func), node, given)
        called = self.callable_values.called_by(node)
        if called is not None:
            begun = {id(one): self._value(one) for one in called.args}
            meant = self._meant(called.func, self._owner, self._function)
            values += self._got(meant, called, {**given, **begun})
        table = self.callable_values.table(func)
        word = word_of(table) if table is not None else option_of(func)
        if word is not None:
            self._number += 1
            gives = (self._number, word)
            self._awaiting.append(_Awaited(self._function, node, given, word, gives))
            values.append(gives)
        return values

    def _set_options(self, call: ast.Call) -> None:
        """Functions are kept in options: `parser.set_defaults(func=f)`."""
        for one in call.keywords:
            if one.arg in OPTIONS and isinstance(one.value, (ast.Name, ast.Attribute)):
                self._put[f"{SETTING}.{one.arg}"].append((self._function, one.value))

    def _register(self, table: ast.expr, value: ast.expr) -> None:
        """A function may be put into a table."""
        if isinstance(value, (ast.Name, ast.Attribute)):
            self._put[word_of(table)].append((self._function, value))

    def _call_registered(self) -> None:
        """Call the functions that have been put into the tables that calls choose from."""
        # Each function once, however often it is put there: a table may be filled by many lines.
        meant = {
            table: {target: None for one in put for target in self._registered(*one)}
            for table, put in self._put.items()
            if any(one.table == table for one in self._awaiting)
        }
        for one in self._awaiting:
            putting = {by for by, _ in self._put.get(one.table, ()) if by is not None}
            self.giving[one.function] |= putting
            for target in meant.get(one.table, ()):
                self._function = one.function
                func, given = self._as_kept(target), one.given
                if isinstance(func, ast.Attribute):
                    given = {**given, id(func.value): self._value(func.value)}
                made = ast.Call(func, one.call.args, one.call.keywords)
                self._flow(self._got([target], made, given), one.gives)

    def _as_kept(self, target: Function) -> ast.expr:
        """How a function is called where it was kept: a method of its object."""
        name = target.node.name
        if not target.takes_instance:
            return ast.Name(name)
        of = ast.copy_location(ast.Name("self"), target.node)
        return ast.copy_location(ast.Attribute(of, name), target.node)

    def _registered(self, putting: Function | None, value: ast.expr) -> Iterator[Function]:
        if putting is None or last_word(value) not in putting.parameters:
            yield from self.functions.named(last_word(value))
            return
        yield from self.functions.decorated_by(putting)
        given = (last_word(one) for site in self.sites.get(putting, ()) for _, one in site.places)
        for word in dict.fromkeys(given):
            yield from self.functions.named(word)

    def _handed(self, node: ast.Call, given: Mapping[int, Nodes]) -> Nodes:
        """What a function gives that is handed on to be called, as by `map(f, xs)`."""
        begins = self.callable_values.begun(node.func)
        made = completed(begins, node) if begins is not None else handed_call(node)
        if made is None:
            return []
        given = {id(one): given.get(id(one)) or self._value(one) for one in made.args} | {
            id(one.value): given.get(id(one.value)) or self._value(one.value)
            for one in made.keywords
        }
        if isinstance(made.func, ast.Attribute):
            given[id(made.func.value)] = self._value(made.func.value)
        for target, marker in self._lookout.marked_at(made, node.lineno):
            self._flow(given.get(id(target), []), self._end(marker, node.lineno)[1])
        if isinstance(made.func, ast.Lambda):
            elements = [value for one in made.args for value in given[id(one)]]
            elements += [value for one in made.keywords for value in given[id(one.value)]]
            for parameter in parameters(made.func.args):
                self._flow(elements, variable(self._function, parameter))
        meant = self._meant(made.func, self._owner, self._function)
        if meant:
            return self._got(meant, made, given)
        self._may_give(last_word(made.func))
        own = ast.Call(ast.Attribute(made, "__init__"), made.args, made.keywords)
        return self._got(self.functions.constructors(made.func), own, given)

    def _apply(self) -> None:
        """Call what functions are given that they call, and hand on what they hand on."""
        new = [*self._applied.items()]
        while new:
            (function, parameter), calls = new.pop()
            for site in [*self.sites.get(function, ())]:
                for name, argument in site.places:
                    if name == parameter:
                        new += self._give(site.caller, argument, calls)

    def _give(
        self, caller: Function | None, argument: ast.expr, calls: Sequence["_Applied"]
    ) -> Iterator[tuple[Parameter, list["_Applied"]]]:
        """Let a function that is given to another one be called there."""
        calls = [replace(one, through=one.through | {caller}) for one in calls]
        match argument:
            case ast.Name(id=name) if caller is not None and name in caller.parameters:
                known = {one.call for one in self._applied[caller, name]}
                fresh = [one for one in calls if one.call not in known]
                if fresh:
                    self._applied[caller, name] += fresh
                    yield (caller, name), fresh
            case ast.Name() | ast.Attribute():
                meant = self._meant(argument, None, caller)
                closures = self.callable_values.closures(argument)
                for one, target in product(calls, [*meant, *closures]):
                    self._call_given(one, caller, target, argument)
                for one in calls:
                    self._call_begun(one, caller, argument)
                for one in calls:
                    self._arrive_at(one, caller, argument)
                if last_word(argument) in ADDING_METHODS and isinstance(argument, ast.Attribute):
                    for one in calls:
                        self._add_given(one, caller, argument.value)
            case ast.Lambda():
                self._call_lambda(argument, caller, calls)

    def _call_lambda(
        self, called: ast.Lambda, home: Function | None, calls: Sequence["_Applied"]
    ) -> None:
        for one in calls:
            self._function = one.function
            for parameter in parameters(called.args):
                self._flow(one.every, variable(home, parameter))

    def _call_begun(
        self, applied: "_Applied", caller: Function | None, func: ast.Name | ast.Attribute
    ) -> None:
        """A variable is given that holds a lambda, or `partial(f, a)`."""
        for home, called in self.callable_values.lambdas(func):
            self._call_lambda(called, home, [applied])
        begins = self.callable_values.begun(func)
        if begins is not None:
            made = completed(begins, applied.call)
            self._function = applied.function
            begun = {id(one): self._value(one) for one in begins.args}
            begun |= {id(one.value): self._value(one.value) for one in begins.keywords}
            meant = self._meant(made.func, None, caller)
            self._got(meant, made, {**begun, **applied.given})

    def _meant(
        self, func: ast.expr, owner: str | None, around: Function | None
    ) -> Sequence[Function]:
        """The function that is handed on, or those of its name that it may be."""
        one = self.functions.called(func, owner)
        return [*self.callable_values.methods(func, owner, around)] if one is None else [one]

    def _call_given(
        self, applied: "_Applied", caller: Function | None, target: Function, func: ast.expr
    ) -> None:
        """All who hand on the function see to it that it is called.

        The object of a bound method is a variable of who gives it.
        """
        is_bound, call = isinstance(func, ast.Attribute), applied.call
        self._function = caller if is_bound else applied.function
        self._got([target], ast.Call(func, call.args, call.keywords), applied.given)
        for value in applied.every:
            for parameter in target.parameters:
                self._movers[value, (target, parameter)] |= applied.through

    def _arrive_at(
        self, applied: "_Applied", caller: Function | None, func: ast.Name | ast.Attribute
    ) -> None:
        """A function of others is given, which may be a sink."""
        unpacks = any(isinstance(one, ast.Starred) for one in applied.call.args)
        args = [one.value if isinstance(one, ast.Starred) else one for one in applied.call.args]
        made = ast.Call(func, args, applied.call.keywords)
        for target, marker in self._lookout.marked_at(made, func.lineno):
            self._function = applied.function
            arrives = self._end(marker, func.lineno)[1]
            is_any = unpacks or target is made
            given = applied.every if is_any else applied.given.get(id(target), [])
            self._flow(given, arrives)
            for value in applied.every:
                self._movers[value, arrives] |= {caller, *applied.through}

    def _add_given(self, applied: "_Applied", caller: Function | None, container: ast.expr) -> None:
        """A method is given that puts into a container what it is called with."""
        self._function = caller
        self._put_into(container, applied.every)
        added = variable(caller, dotted(container) or root(container))
        for value in applied.every:
            self._movers[value, added] |= applied.through


def option_of(func: ast.expr) -> str | None:
    """The option that may hold what is called, `args.func(args)`."""
    is_option = isinstance(func, ast.Attribute) and func.attr in OPTIONS
    return f"{SETTING}.{last_word(func)}" if is_option else None


def word_of(table: ast.expr) -> str:
    """The last word of what a table is called, or what is a view of it."""
    match table:
        case ast.Call(func=ast.Attribute(value=inner), args=[]) | ast.Subscript(value=inner):
            return word_of(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in ELEMENTS:
            return word_of(inner)
        case ast.Call(args=[inner, *_]):
            return word_of(inner)
    return last_word(table)


@dataclass(frozen=True, slots=True, eq=False)
class _Awaited:
    """A call of what is chosen from a table, the function it stands in, and what it gives."""

    function: Function | None
    call: ast.Call
    given: Mapping[int, Nodes]
    table: str
    gives: Node


@dataclass(frozen=True, slots=True, eq=False)
class _Applied:
    """A call of a parameter of the function that it stands in, and what it is given.

    `through` are the functions that hand on what is called.
    """

    function: Function
    call: ast.Call
    given: Mapping[int, Nodes]
    through: Set[Function | None] = frozenset()

    @property
    def every(self) -> Nodes:
        return [one for values in self.given.values() for one in values]
