"""Call edges: arguments into functions of the module, results and mutations out of them."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import field
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.narrowing.callbacks import begun
from vetbox.rules.narrowing.circles import circles, spread
from vetbox.rules.narrowing.edges import Edges, Step
from vetbox.rules.narrowing.functions import Function, Functions, bound_arguments
from vetbox.rules.narrowing.markers import Lookout, Marker
from vetbox.rules.narrowing.names import dotted, last_word, root
from vetbox.rules.narrowing.nodes import (
    Node,
    Nodes,
    all_kept,
    filled,
    is_output,
    kept,
    of_call,
    result,
    thrown,
    variable,
)
from vetbox.rules.narrowing.posts import parameters

Parameter: TypeAlias = tuple[Function, str]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A call of a function of the module; `number` tells it from all others."""

    number: int
    caller: Function | None
    """The function that the call stands in; None: the module."""
    owner: str | None
    function: Function
    """The function that is called."""
    place: str | None
    """The variable whose method is called."""
    given: dict[str, Nodes] = field(default_factory=lambda: defaultdict(list))
    """By parameter the nodes whose data it may get."""
    places: list[tuple[str, ast.expr]] = field(default_factory=list)
    """The arguments, each with the name of its parameter."""

    def got(self, out: Node) -> Node:
        """The node of this call for an output of the function."""
        return of_call(self.number, out)


class Calls(Edges):
    """The edges into functions and out of them.

    `calls` are whom each calls (`deciding`: what the module's own statements do not throw away),
    `giving` those of a name that may tell what a call stands for, `sites` where each is called,
    `circles` a number for those that call each other.
    """

    def __init__(self, functions: Functions, lookout: Lookout) -> None:
        super().__init__()
        self.functions, self._lookout = functions, lookout
        self.giving: dict[Function | None, set[Function]] = defaultdict(set)
        self.calls: dict[Function | None, set[Function]] = defaultdict(set)
        self.sites: dict[Function, list[Site]] = defaultdict(list)
        self.circles: Mapping[Function | None, int] = {}
        self.deciding: set[Function] = set()
        self._thrown_away = False
        self._thrown: Nodes = []
        self._caught: Nodes = []
        self._everything: list[tuple[Site, Nodes]] = []
        self._number = 0
        self._left: dict[int, set[str]] = defaultdict(set)

    def _family(self, owner: str | None) -> Set[str | None]:
        return self.functions.family(owner)

    def pass_through(self, nodes: Set[Node]) -> None:
        """Add an edge from argument to result to each call whose function passes data through.

        Only among some `nodes`, which hold all between any two of them.
        """
        reached: dict[Node, set[Parameter]] = defaultdict(set)
        new: list[tuple[Parameter, Node]] = [
            ((function, name), variable(function, name))
            for function, sites in self.sites.items()
            for name in {name for site in sites for name in site.given}
            if variable(function, name) in nodes
        ]
        while new:
            entry, node = new.pop()
            if entry in reached[node]:
                continue
            reached[node].add(entry)
            if node[0] is entry[0] and is_output(node):
                new += self._passed(entry, node, reached, nodes)
            onward = self.onward.get(node, ())
            new += ((entry, to) for to, step in onward if step is Step.WITHIN and to in nodes)

    def _passed(
        self,
        entry: Parameter,
        out: Node,
        reached: Mapping[Node, Set[Parameter]],
        nodes: Set[Node],
    ) -> Iterator[tuple[Parameter, Node]]:
        """What now reaches what comes out of the calls of a function: it passes something on."""
        function, name = entry
        for site in self.sites[function]:
            got = site.got(out)
            for value in site.given.get(name, ()) if got in nodes else ():
                self._stand_at(site)
                self._flow([value], got)
                if not self._is_foreign(value):
                    yield from ((other, got) for other in reached.get(value, ()))

    def _called(self, function: Function, call: ast.Call, given: Mapping[int, Nodes]) -> Site:
        place, of = None, function.receiver(call)
        if of is None and isinstance(call.func, ast.Attribute) and call.args:
            of = call.args[0]
        if of is not None and not self._makes_object(of):
            place = dotted(of) or root(of)
        self._number += 1
        site = Site(self._number, self._function, self._owner, function, place)
        for parameter, argument in bound_arguments(function, call):
            site.places.append((parameter, argument))
            values = [*given.get(id(argument), []), *self._given_by(argument)]
            site.given[parameter] += values
            for value in values:
                self._step(value, variable(function, parameter), Step.INTO)
        self.sites[function].append(site)
        self._thrown.append(thrown(function))
        self._come_back(site, result(function))
        self.calls[self._function].add(function)
        if self._function is None and not self._thrown_away:
            self.deciding.add(function)
        for wrapper in self.functions.wrappers(function):
            self._called(wrapper, _as_plain(function, call), given)
        return site

    def _given_by(self, argument: ast.expr) -> Nodes:
        """What a function gives that is an argument, once it is called."""
        if not isinstance(argument, (ast.Name, ast.Attribute)):
            return []
        function = self.functions.called(argument, self._owner)
        if function is None or function == self._function:
            return []
        return self._got([function], ast.Call(argument, [], []), {})

    def _set(self, target: ast.Attribute, values: Nodes) -> None:
        for setter in self.functions.setters(target.attr):
            given = ast.Constant(...)
            arguments = {id(given): values, id(target.value): self._value(target.value)}
            self._called(setter, ast.Call(target, [given], []), arguments)

    def _hand_over(self, node: ast.expr, ends: Iterable[Node]) -> None:
        """Data of sources that are callbacks enters their parameters."""
        entering = [end for end in ends if isinstance(end[0], Marker) and end[0].post.is_handed]
        offered = [end for end in entering if isinstance(end[0], Marker) and end[0].post.is_offered]
        for function in self.functions.all if offered else ():
            if function.owner is not None:  # of any class: what is named here is found out later
                for parameter in parameters(function.node):
                    self._flow(offered, variable(function, parameter.arg))
        names = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
        for each in names if entering else ():
            begins = begun(each)
            one = each if begins is None else begins.func
            if isinstance(one, ast.Lambda):
                for parameter in parameters(one):
                    self._flow(entering, variable(self._function, parameter.arg))
                continue
            named = self.functions.named(last_word(one))
            for function in (*named, *self.functions.constructors(one)):
                for parameter in parameters(function.node):
                    self._flow(entering, variable(function, parameter.arg))

    def _got(
        self, functions: Iterable[Function], call: ast.Call, given: Mapping[int, Nodes]
    ) -> Nodes:
        """The nodes of what a call returns, for each function that it may mean."""
        sites = [self._called(function, call, given) for function in functions]
        return [site.got(result(site.function)) for site in sites]

    def _makes_object(self, node: ast.expr) -> bool:
        """Is it a call of a class of the module, whose object has no name yet?"""
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return self.functions.is_class(name) or name == "cls"
        return False

    def _construct(self, node: ast.Call, given: Mapping[int, Nodes]) -> Nodes:
        """The nodes of what constructors put into the object that a call may make."""
        sites: list[Site] = []
        for function in self.functions.constructors(node.func, self._owner):
            made = ast.Call(ast.Attribute(node, "__init__"), node.args, node.keywords)
            sites.append(self._called(function, made, given))
        for function in self.functions.named("__post_init__"):
            if last_word(node.func) == function.owner:
                everything = [value for values in given.values() for value in values]
                made = ast.Call(ast.Attribute(node, "__post_init__"), [], [])
                sites.append(self._called(function, made, {id(node): everything}))
        return [site.got(result(site.function)) for site in sites]

    def _may_give(self, name: str) -> None:
        """Note the functions that may tell what a call of a name gives, or whether one is called.

        They may give back what a rule looks for. A name that is defined in them, and elsewhere,
        means nothing that is known.
        """
        given = {*self.functions.named(name)} if name in self._lookout.aliases else set()
        given |= self.functions.around(name)
        if given:
            self.giving[self._function] |= given

    def _come_back(self, site: Site, out: Node) -> Node:
        got = site.got(out)
        self._step(out, got, Step.BACK)
        self._movers[got].add(site.caller)
        return got

    def _finish(self) -> None:
        """The edges that take all calls to be known; those of one place are made once."""
        self.circles = circles(self.calls)
        left = True
        while left:
            self._leave_in_objects()
            self._leave_in_arguments()
            left = self._put_into_aliases()
        for site, values in self._everything:
            # The functions of a circle are unknown to each other: one may be read in the other.
            circle = self.circles.get(site.function)
            if circle is not None and circle == self.circles.get(site.caller):
                self._stand_at(site)
                self._flow(values, site.got(result(site.function)))

    def _leave_in_objects(self) -> None:
        """Lead what methods add to their object to the variables they were called on."""
        every = [site for sites in self.sites.values() for site in sites]
        through: dict[Function | None, set[Function | None]] = defaultdict(set)
        for site in every:
            if site.place == "self":
                through[site.function].add(site.caller)
        for function, left in [*self.leaves.items()]:
            for caller in spread([function], through):
                self.leaves[caller] |= left
        for site in every:
            left = self.leaves.get(site.function, set()) - self._left[site.number]
            self._left[site.number] |= left
            self._stand_at(site)
            if site.place == "self":
                for attribute in left:
                    self._leave(attribute, [self._come_back(site, kept(site.function, attribute))])
            elif left:
                got = self._come_back(site, all_kept(site.function))
                self._touch(site.place)
                own = site.got(result(site.function))
                at = variable(site.caller, site.place) if site.place else own
                self._flow([got], at)

    def _leave_in_arguments(self) -> None:
        """Lead what functions add to their arguments to the variables that were passed."""
        new = [*self.filled]
        while new:
            function = new.pop()
            for site in self.sites.get(function, ()):
                known = self._count(site.caller)
                self._stand_at(site)
                for parameter, argument in site.places:
                    if parameter in self.filled[function] - function.stars:
                        got = self._come_back(site, filled(function, parameter))
                        self._put_into(argument, [got])
                if site.caller is not None and self._count(site.caller) > known:
                    new.append(site.caller)

    def _count(self, function: Function | None) -> int:
        return 0 if function is None else len(self.filled.get(function, ()))

    def _stand_at(self, site: Site) -> None:
        self._function, self._owner = site.caller, site.owner


def _as_plain(function: Function, call: ast.Call) -> ast.Call:
    """The call of a method as that of a function: the object is the first argument."""
    receiver = function.receiver(call) if function.takes_instance else None
    first = [] if receiver is None else [receiver]
    return ast.Call(ast.Name(function.node.name), [*first, *call.args], call.keywords)
