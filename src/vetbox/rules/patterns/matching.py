"""Does an expression match a pattern? Every way it does, as bindings, within a step budget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from vetbox.rules.budget import Budget
from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.arguments import Arguments, CallPattern, parameter_list, read_arguments
from vetbox.rules.patterns.bindings import Bindings, Bound
from vetbox.rules.patterns.elements import T, Ways, in_any_order, in_order
from vetbox.rules.patterns.tree import meaningful_fields, same
from vetbox.rules.patterns.vocabulary import (
    UNKNOWN,
    Expression,
    Facts,
    dotted,
    is_gap,
    is_handed_in,
    is_text_gap,
    metavariable,
    number,
    only_text,
    quote_content,
    subexpressions,
    text_matches,
    text_of,
)
from vetbox.rules.walk import identifier


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
            return self.bind(name, node, env)
        if isinstance(pattern, cst.Ellipsis):
            return iter((env,))
        return self._by_shape(pattern, node, env)

    def bind(self, name: str, node: cst.CSTNode, env: Bindings) -> Ways:
        """`$NAME` stands for this node."""
        text = identifier(node) if isinstance(node, cst.Name) else quote_content(node)
        bound = env.with_(name, Bound(text, (node,)))
        return iter(()) if bound is None else iter((bound,))

    def label(self, pattern: cst.Name, node: cst.Name, env: Bindings) -> Ways:
        """A name that stands for nothing by itself: an attribute's, a parameter's."""
        name = metavariable(pattern)
        if name is not None:
            return self.bind(name, node, env)
        return self._when(identifier(pattern) == identifier(node), env)

    def bind_text(self, name: str, text: str, node: cst.CSTNode, env: Bindings) -> Ways:
        """`"$NAME"` stands for a string's content."""
        bound = env.with_(name, Bound(text, (node,), inner=True))
        return iter(()) if bound is None else iter((bound,))

    def _by_shape(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        shape = _SHAPES.get(type(pattern), Matcher._same_kind)
        return shape(self, pattern, node, env)

    # Names ------------------------------------------------------------------------------------

    def _name(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        wanted = dotted(pattern)
        if wanted in _CONSTANTS:
            return self._when(self._is_constant(node, _CONSTANTS[wanted]), env)
        if wanted is not None:
            known = self.facts.names(node)
            if known and not is_handed_in(wanted, node, self.facts):
                return self._when(wanted in known or f"builtins.{wanted}" in known, env)
            return self._when(same(pattern, node), env)
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
            bound = env.with_(name, Bound(last, (node,))) if base == owner else None
            if bound is not None:
                yield bound

    def _chain(self, root: Expression, node: cst.CSTNode, env: Bindings) -> Ways:
        """`a. ... .b`: any number of attributes, calls and subscripts between the two."""
        yield from self.expression(root, node, env)
        match node:
            case cst.Attribute() | cst.Subscript():
                yield from self._chain(root, node.value, env)
            case cst.Call():
                yield from self._chain(root, node.func, env)

    # Constants --------------------------------------------------------------------------------

    def _is_constant(self, node: cst.CSTNode, value: object) -> bool:
        known = self.facts.constant(node)
        return known is not UNKNOWN and type(known) is type(value) and known == value

    def _number(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        """`1` or `-1`, also behind a name."""
        value = number(pattern)
        if value is None:
            return self._same_kind(pattern, node, env)
        return self._when(self._is_constant(node, value), env)

    def _string(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        wanted = quote_content(pattern)
        if wanted == "...":
            return self._when(self.facts.is_text(node), env)
        value = self.facts.constant(node)
        if not isinstance(value, str | bytes):
            return iter(())
        text = value if isinstance(value, str) else value.decode("latin-1")
        if wanted is None:
            return self._when(same(pattern, node), env)
        if wanted.startswith("$") and spelling.is_metavariable(wanted):
            return self.bind_text(wanted[1:], text, node, env)
        return self._when(text_matches(wanted, text), env)

    def _formatted(self, pattern: cst.FormattedString, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.FormattedString):
            return iter(())
        whole = only_text(pattern)
        if whole == "...":
            return iter((env,))
        if not any(isinstance(part, cst.FormattedStringExpression) for part in node.parts):
            return iter(())
        if whole is not None and spelling.is_metavariable(whole):
            return self.bind_text(whole[1:], text_of(node), node, env)
        return self.sequence(pattern.parts, node.parts, env, self._part, is_text_gap)

    def _part(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        match pattern, node:
            case cst.FormattedStringText(), cst.FormattedStringText():
                return self._when(text_matches(pattern.value, node.value), env)
            case cst.FormattedStringExpression(), cst.FormattedStringExpression():
                return self.expression(pattern.expression, node.expression, env)
        return iter(())

    # Displays ---------------------------------------------------------------------------------

    def _display(
        self, pattern: cst.Set | cst.List | cst.Tuple, node: cst.CSTNode, env: Bindings
    ) -> Ways:
        anything = len(pattern.elements) == 1 and is_gap(pattern.elements[0])
        if isinstance(pattern, cst.Set) and anything:
            return self._when(isinstance(node, (cst.Dict, cst.Set)), env)
        if type(node) is not type(pattern):
            return iter(())
        elements: Sequence[cst.CSTNode] = node.elements
        return self.sequence(pattern.elements, elements, env, self.structure, is_gap)

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
        for bound in self.sequence(
            wanted.positional, given.positional, env, self._argument, is_gap
        ):
            yield from self.subset(wanted.keywords, given.keywords, bound, self._keyword)

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
        if isinstance(pattern, Expression):
            return self.expression(pattern, node, env)
        return self._same_kind(pattern, node, env)

    def _same_kind(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
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
        if isinstance(pattern, cst.CSTNode) and isinstance(value, cst.CSTNode):
            return self.structure(pattern, value, env)
        if isinstance(pattern, (list, tuple)) and isinstance(value, (list, tuple)):
            return self.sequence(pattern, value, env, self.structure, is_gap)
        return self._when(pattern == value, env)

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

    @staticmethod
    def _when(holds: bool, env: Bindings) -> Ways:
        return iter((env,) if holds else ())


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
    cst.Dict: Matcher._dict,
    cst.Set: Matcher._display,
    cst.List: Matcher._display,
    cst.Tuple: Matcher._display,
    cst.Lambda: Matcher._lambda,
}
