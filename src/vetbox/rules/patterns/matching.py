"""Does an expression match a pattern? Every way it does, as bindings, within a step budget."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.budget import Budget
from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.arguments import Arguments, CallPattern, parameter_list, read_arguments
from vetbox.rules.patterns.bindings import Bindings, Bound
from vetbox.rules.patterns.literals import is_constant, match_formatted, match_string
from vetbox.rules.patterns.tree import meaningful_fields, same
from vetbox.rules.patterns.vocabulary import (
    IS_EXPRESSION,
    Expression,
    Facts,
    dotted,
    is_gap,
    is_handed_in,
    metavariable,
    number,
    quote_content,
    subexpressions,
)
from vetbox.rules.patterns.ways import T, Ways, bind, in_any_order, in_order, when
from vetbox.rules.walk import IS_NODE, identifier


@dataclass(frozen=True, slots=True)
class Matcher:
    """Matches pattern nodes against code nodes; `facts` sees through names and constants."""

    facts: Facts
    budget: Budget

    def expression(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        """Every way `node` matches `pattern`, given what is bound already."""
        self.budget.spend()
        name = metavariable(pattern)
        if name is not None:
            return iter(()) if type(node) is cst.From else self.bind(name, node, env)
        if type(pattern) is cst.Ellipsis:
            return iter((env,))
        return self._by_shape(pattern, node, env)

    def bind(self, name: str, node: cst.CSTNode, env: Bindings) -> Ways:
        """`$NAME` stands for this node."""
        text = identifier(node) if isinstance(node, cst.Name) else quote_content(node)
        return bind(name, Bound(text, (node,)), env)

    def label(self, pattern: cst.Name, node: cst.Name, env: Bindings) -> Ways:
        """A name that stands for nothing by itself: an attribute's, a parameter's."""
        name = metavariable(pattern)
        if name is not None:
            return self.bind(name, node, env)
        return when(identifier(pattern) == identifier(node), env)

    def _by_shape(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        shape = _SHAPES.get(type(pattern), Matcher.same_kind)
        return shape(self, pattern, node, env)

    # Names ------------------------------------------------------------------------------------

    def _name(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        wanted = dotted(pattern)
        if wanted in _CONSTANTS:
            return when(is_constant(node, _CONSTANTS[wanted], self.facts), env)
        if wanted is not None:
            known = self.facts.names(node)
            if known and not is_handed_in(wanted, node, self.facts):
                return when(wanted in known or f"builtins.{wanted}" in known, env)
            return when(same(pattern, node), env)
        return self._attribute(pattern, node, env)

    def _attribute(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(pattern, cst.Attribute):
            return
        if not isinstance(node, cst.Attribute):
            yield from self._imported(pattern, node, env)
            return
        for bound in self.label(pattern.attr, node.attr, env):
            match pattern.value:
                case cst.Attribute(value=root, attr=cst.Name(value=spelling.CHAIN)):
                    yield from self._chain(root, node.value, bound)
                case owner:
                    yield from self.expression(owner, node.value, bound)

    def _imported(self, pattern: cst.Attribute, node: cst.CSTNode, env: Bindings) -> Ways:
        """`module.$X` behind a name of its own: `from module import x as y`."""
        name, owner = metavariable(pattern.attr), dotted(pattern.value)
        if name is None or owner is None or not isinstance(node, cst.Name):
            return
        for known in self.facts.names(node):
            base, _, last = known.rpartition(".")
            if base == owner:
                yield from bind(name, Bound(last, (node,)), env)

    def _chain(self, root: Expression, node: cst.CSTNode, env: Bindings) -> Ways:
        """`a. ... .b`: any number of attributes, calls and subscripts between the two."""
        yield from self.expression(root, node, env)
        match node:
            case cst.Attribute() | cst.Subscript():
                yield from self._chain(root, node.value, env)
            case cst.Call():
                yield from self._chain(root, node.func, env)

    # Literals ---------------------------------------------------------------------------------

    def _number(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        """`1` or `-1`, also behind a name."""
        value = number(pattern)
        if value is None:
            return self.same_kind(pattern, node, env)
        return when(is_constant(node, value, self.facts), env)

    def _string(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        return match_string(pattern, node, env, self.facts)

    def _formatted(self, pattern: cst.FormattedString, node: cst.CSTNode, env: Bindings) -> Ways:
        return match_formatted(pattern, node, env, self.expression, self.budget)

    # Displays ---------------------------------------------------------------------------------

    def _display(
        self, pattern: cst.Set | cst.List | cst.Tuple, node: cst.CSTNode, env: Bindings
    ) -> Ways:
        anything = len(pattern.elements) == 1 and is_gap(pattern.elements[0])
        if isinstance(pattern, cst.Set) and anything:
            return when(isinstance(node, (cst.Dict, cst.Set)), env)
        if type(node) is not type(pattern):
            return iter(())
        elements: Sequence[cst.CSTNode] = node.elements
        return self.sequence(pattern.elements, elements, env, self.structure, is_gap)

    def _subscript(self, pattern: cst.Subscript, node: cst.CSTNode, env: Bindings) -> Ways:
        """`$X[$I]` also stands for an item with several indices, which are a tuple."""
        match pattern.slice, node:
            case [
                cst.SubscriptElement(slice=cst.Index(value=index)),
            ], cst.Subscript(slice=[_, _, *_] as given) if metavariable(index):
                for bound in self.expression(pattern.value, node.value, env):
                    yield from bind(metavariable(index) or "", Bound(None, tuple(given)), bound)
            case _:
                yield from self.same_kind(pattern, node, env)

    def _dict(self, pattern: cst.Dict, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.Dict):
            return iter(())
        wanted = [element for element in pattern.elements if not is_gap(element)]
        is_open = len(wanted) < len(pattern.elements)
        if not is_open and len(wanted) != len(node.elements):
            return iter(())
        return self.subset(wanted, list(node.elements), env, self.structure)

    # Calls and parameters ---------------------------------------------------------------------

    def _deep(self, inner: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        for part in subexpressions(node):
            yield from self.expression(inner, part, env)

    def _typed(self, pattern: cst.Call, node: cst.CSTNode, env: Bindings) -> Ways:
        wanted = dotted(pattern.args[1].value)
        if wanted in self.facts.kinds(node):
            yield from self.expression(pattern.args[0].value, node, env)

    def _call(self, pattern: cst.Call, node: cst.CSTNode, env: Bindings) -> Ways:
        """A call, or one of the respelled forms that only look like one."""
        match pattern.func:
            case cst.Name(value=spelling.DEEP):
                return self._deep(pattern.args[0].value, node, env)
            case cst.Name(value=spelling.TYPED):
                return self._typed(pattern, node, env)
        return self._real_call(pattern, node, env)

    def _real_call(self, pattern: cst.Call, node: cst.CSTNode, env: Bindings) -> Ways:
        if isinstance(node, cst.Name):
            node = self.facts.behind(node) or node
        if not isinstance(node, cst.Call):
            return
        wanted, given = CallPattern.of(pattern), read_arguments(node)
        for bound in self.expression(pattern.func, node.func, env):
            yield from self._arguments(wanted, given, bound)

    def _arguments(self, wanted: CallPattern, given: Arguments, env: Bindings) -> Ways:
        if not wanted.is_open and len(given.keywords) != len(wanted.keywords):
            return
        if wanted.rest is not None:
            yield from self._with_rest(wanted, given, env)
            return
        for bound in self.sequence(
            wanted.positional, given.positional, env, self._argument, is_gap
        ):
            yield from self.subset(wanted.keywords, given.keywords, bound, self._keyword)

    def _with_rest(self, wanted: CallPattern, given: Arguments, env: Bindings) -> Ways:
        """The last `$...REST` binds all that the others leave, keywords too, as it is written."""
        first = wanted.positional[:-1]
        there = given.positional[: len(first)]
        for placed in self.sequence(first, there, env, self._argument, is_gap):
            for bound in self.subset(wanted.keywords, given.keywords, placed, self._keyword):
                taken = {_called(name, bound) for name, _ in wanted.keywords}
                left = Bound(None, given.left_by(len(first), taken))
                yield from bind(wanted.rest or "", left, bound)

    def _argument(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(pattern, cst.Arg) or not isinstance(node, cst.Arg):
            return iter(())
        if pattern.star != node.star and (pattern.star or metavariable(pattern.value) is None):
            return iter(())
        return self.expression(pattern.value, node.value, env)

    def _keyword(
        self,
        pattern: tuple[cst.Name, Expression],
        given: tuple[cst.Name, Expression],
        env: Bindings,
    ) -> Ways:
        for bound in self.label(pattern[0], given[0], env):
            yield from self.expression(pattern[1], given[1], bound)

    def _lambda(self, pattern: cst.Lambda, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.Lambda):
            return
        for bound in self.parameters(pattern.params, node.params, env):
            yield from self.expression(pattern.body, node.body, bound)

    def parameters(self, pattern: cst.Parameters, node: cst.Parameters, env: Bindings) -> Ways:
        """The parameters of a definition, with `...` for any number of them."""
        return self.sequence(
            parameter_list(pattern), parameter_list(node), env, self._parameter, is_gap
        )

    def _parameter(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(pattern, cst.Param) or not isinstance(node, cst.Param):
            return
        if pattern.star != node.star and (pattern.star or metavariable(pattern.name) is None):
            return
        for bound in self.label(pattern.name, node.name, env):
            for typed in self.optional(pattern.annotation, node.annotation, bound):
                yield from self.optional(pattern.default, node.default, typed)

    # Combinators ------------------------------------------------------------------------------

    def optional(
        self, pattern: cst.CSTNode | None, node: cst.CSTNode | None, env: Bindings
    ) -> Ways:
        """What the pattern leaves out may be anything."""
        if pattern is None:
            return iter((env,))
        return iter(()) if node is None else self.structure(pattern, node, env)

    def structure(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        """Same kind of node, and every meaningful field matches."""
        if IS_EXPRESSION[type(pattern)]:
            return self.expression(pattern, node, env)
        if type(pattern) is cst.Element and isinstance(node, cst.StarredElement):
            name = metavariable(pattern.value)
            return iter(()) if name is None else self.bind(name, node.value, env)
        return self.same_kind(pattern, node, env)

    def same_kind(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        """Its kind and its meaningful fields are the pattern's."""
        if type(pattern) is not type(node):
            return iter(())
        return self._fields(pattern, node, meaningful_fields(type(pattern)), env)

    def _fields(
        self, pattern: cst.CSTNode, node: cst.CSTNode, names: Sequence[str], env: Bindings
    ) -> Ways:
        if not names:
            yield env
            return
        wanted, given = getattr(pattern, names[0]), getattr(node, names[0])
        is_open = wanted is None and names[0] in _LEFT_OUT
        if is_open or (given is None and isinstance(wanted, cst.Ellipsis)):  # `return ...`
            yield from self._fields(pattern, node, names[1:], env)
            return
        for bound in self._value(wanted, given, env):
            yield from self._fields(pattern, node, names[1:], bound)

    def _value(self, pattern: object, value: object, env: Bindings) -> Ways:
        if IS_NODE[type(pattern)] and IS_NODE[type(value)]:
            return self.structure(cast(cst.CSTNode, pattern), cast(cst.CSTNode, value), env)
        if isinstance(pattern, (list, tuple)) and isinstance(value, (list, tuple)):
            return self.sequence(pattern, value, env, self.structure, is_gap)
        return when(pattern == value, env)

    def sequence(
        self,
        wanted: Sequence[cst.CSTNode],
        given: Sequence[cst.CSTNode],
        env: Bindings,
        one: Callable[[cst.CSTNode, cst.CSTNode, Bindings], Ways],
        gap: Callable[[cst.CSTNode], bool],
    ) -> Ways:
        """Elements in order; a gap stands for any number of them, `$...X` binds those."""
        return in_order(wanted, given, env, (one, gap), self.budget)

    def subset(
        self,
        wanted: Sequence[T],
        given: Sequence[T],
        env: Bindings,
        one: Callable[[T, T, Bindings], Ways],
    ) -> Ways:
        """Each wanted element matches a given one of its own, in any order."""
        return in_any_order(wanted, given, env, one, self.budget)


def _called(name: cst.Name, env: Bindings) -> str:
    """What the name of a keyword is in the code that matches."""
    own = metavariable(name)
    bound = env.get(own) if own is not None else None
    return identifier(name) if bound is None else bound.text or ""


_CONSTANTS = {"True": True, "False": False, "None": None}
_LEFT_OUT = frozenset({"msg", "cause"})
"""`assert $X` also stands for one with a message, `raise $E` for one with a cause."""
_SHAPES: dict[type[cst.CSTNode], Callable[[Matcher, Any, cst.CSTNode, Bindings], Ways]] = {
    cst.Call: Matcher._call,
    cst.SimpleString: Matcher._string,
    cst.ConcatenatedString: Matcher._string,
    cst.FormattedString: Matcher._formatted,
    cst.Name: Matcher._name,
    cst.Attribute: Matcher._name,
    cst.Integer: Matcher._number,
    cst.Float: Matcher._number,
    cst.UnaryOperation: Matcher._number,
    cst.Subscript: Matcher._subscript,
    cst.Dict: Matcher._dict,
    cst.Set: Matcher._display,
    cst.List: Matcher._display,
    cst.Tuple: Matcher._display,
    cst.Lambda: Matcher._lambda,
}
