"""Candidate nodes: where in a tree a formula may hold, a superset of where the judge says so."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from vetbox.rules.language import formula as f
from vetbox.rules.language.doubting import split_in
from vetbox.rules.language.resemblance import resembled
from vetbox.rules.screening.assigning import Assignments
from vetbox.rules.screening.composing import TreeConstants
from vetbox.rules.screening.denying import Denials
from vetbox.rules.screening.holding import Spelt, TreeConditions, is_module
from vetbox.rules.screening.leads import Leads
from vetbox.rules.screening.named_nodes import NamedNodes
from vetbox.rules.screening.naming import Naming
from vetbox.rules.screening.occurrences import parameters
from vetbox.rules.screening.pieces import FAR
from vetbox.rules.screening.plain import Plain
from vetbox.rules.screening.required_words import Unknown
from vetbox.rules.screening.sought import (
    KINDS,
    NAMED,
    REFERENCES,
    Sought,
    Way,
)
from vetbox.rules.screening.spots import are_twins, spot_of
from vetbox.rules.screening.words import CALLERS, GETTERS, IMPORTERS
from vetbox.rules.screening.written import Written
from vetbox.rules.sifting import formulas
from vetbox.rules.sifting.arguments import Given

if TYPE_CHECKING:
    from vetbox.code.source import Source

_READING = frozenset({"getattr", "attrgetter"})


class Nodes(Assignments):
    """The nodes of a tree at which formulas may hold; extends what sifting says of one line."""

    conditions: TreeConditions

    def __init__(
        self,
        leads: Leads,
        constants: TreeConstants,
        naming: Naming,
        plain: Plain,
        source: "Source",
    ) -> None:
        words = leads.words
        conditions = TreeConditions(constants, naming.may_be)
        partial = "partial" in words.names
        super().__init__("", words.nodes, conditions, frozenset(), frozenset(), partial)
        self._leads, self._words, self._constants = leads, words, constants
        self._naming = naming
        self.written = Written(words, constants, conditions, naming, source)
        self._named_nodes = NamedNodes(words, naming.endings)
        self._denials = Denials(words, plain, naming.escaped)
        self._somewhere: dict[int, bool] = {}
        self._fires: dict[Sought | Way, bool] = {}

    @property
    def words(self) -> Set[str]:
        """Every identifier, and the words of texts that may be one."""
        return self._naming.spelling.words

    @property
    def reach_far(self) -> bool:
        """Is a name bound in another scope (`global`), or in a way that is not understood?"""
        return bool(self._words.stars) or not FAR.isdisjoint(self._words.by_kind)

    def may_fire(self, sought: Sought) -> bool:
        """May the formula hold at any node, or hand on what it looks for?"""
        known = self._fires.get(sought)
        if known is None:
            handed = next(self.referring(sought.handed), None) is not None
            known = handed or any(map(self._is_open, self._naming.ways_of(sought)))
            self._fires[sought] = known
        return known

    def _is_open(self, way: Way) -> bool:
        known = self._fires.get(way)
        if known is None:
            known = self._fires[way] = next(self._places_of(way), None) is not None
        return known

    def places(self, sought: Sought) -> Iterator[ast.AST]:
        """The nodes at which the formula may hold."""
        return chain.from_iterable(map(self._places_of, self._naming.ways_of(sought)))

    def _places_of(self, way: Way) -> Iterator[ast.AST]:
        if way.beyond_ascii and not self.written.spells_beyond_ascii:
            return
        if self.written.has_all(way) and not self._is_passed_over(way):
            for node in self._asked(way):
                if self.may_hold(way.formula, node) and not self._denials.has(node, way.denied):
                    yield node

    def _is_passed_over(self, way: Way) -> bool:
        """Does every node with the name stand in surroundings that the rule excludes?"""
        if not way.denied or not isinstance(way.naming, f.Name):
            return False
        lasts = self._naming.lasts_of(way.naming.names)
        return lasts is not None and self._denials.have_all(lasts, way.denied)

    def _asked(self, way: Way) -> Iterable[ast.AST]:
        """The nodes worth trying: those of its kinds, by their last words where these are known."""
        if way.naming is not None:
            lasts = self._naming.lasts_of(way.naming.names)
            if lasts is not None and isinstance(way.naming, f.Name):
                return self._named_nodes.named.in_one_of(lasts)
            if lasts is not None and not self._calls_arguments:
                return self._named_nodes.called.in_one_of(lasts)
        if way.given is not None and not self.partial:
            lasts = self._naming.lasts_of(way.given)
            if lasts is not None:
                return self._named_nodes.given.in_one_of((*lasts, *map("{}()".format, lasts)))
        return self._words.of(way.kinds)

    @cached_property
    def _calls_arguments(self) -> bool:
        return not CALLERS.isdisjoint(self.words)

    def referring(self, called: Iterable[f.Names]) -> Iterator[ast.AST]:
        """The nodes that may stand for one of some functions."""
        for names in called:
            if self._naming.are_spelt(names):
                lasts = self._naming.lasts_of(names)
                all_ = self._words.of(REFERENCES)
                for node in all_ if lasts is None else self._named_nodes.named.in_one_of(lasts):
                    if self.may_stand_for(names, node):
                        yield node

    def may_hold(self, formula: f.Formula | Unknown, node: ast.AST) -> bool:
        check = _CHECKS.get(type(formula))
        return check is None or check(self, formula, node)

    def any_holds(self, formula: f.Any, node: ast.AST) -> bool:
        """Any of all: what a call is of is told by its words, wherever they come from."""
        split = split_in(formula)
        parts = formula.parts if split is None else (split.whole,)
        return any(self.may_hold(part, node) for part in parts)

    def all_hold(self, formula: f.All, node: ast.AST) -> bool:
        return all(self.may_hold(part, node) for part in formula.parts)

    def _is_called(self, formula: f.Call, callee: ast.expr) -> bool:
        return self._naming.may_be(formula.names, callee)

    def _calls_argument(self, formula: f.Call, node: ast.Call) -> bool:
        """`operator.call(f, x)`, `methodcaller("run")(x)`."""
        if not self._calls_arguments or not self._leads.leads_to(CALLERS, node.func):
            return False
        return self._naming.may_be(formula.names, node)

    def _may_be_given(self, argument: f.Argument, condition: f.Condition, given: Given) -> bool:
        """Any of all arguments, those within starred ones as well."""
        if argument.keywords or argument.position is not None:
            return super()._may_be_given(argument, condition, given)
        values = (*given.positional, *given.keywords.values(), *given.others)
        return any(self._may_hold(condition, value) for value in values) or any(
            self._may_be_within(condition, value) for value in given.others
        )

    def _may_be_within(self, condition: f.Condition, splat: ast.expr) -> bool:
        """May an element be so? It has a name of these words, and the text of some literal."""
        match condition:
            case f.Named(names=names) if not names.regex and not self._naming.composes:
                return self._naming.may_be_made(names, self._leads.led_to(splat))
            case f.Regex(regex=regex) if not self._constants.are_composed:
                formatted = ast.JoinedStr in self._words.by_kind
                return formatted or any(f.re2_search(regex, one) for one in self._words.texts)
        return True

    @cached_property
    def _docstrings(self) -> Set[int]:
        return {id(node.value) for node in self._words.by_kind.get(ast.Expr, ())}

    def literal(self, formula: f.String, node: ast.AST) -> bool:
        if not formula.docstrings and id(node) in self._docstrings:
            return False
        if isinstance(node, ast.Constant) and not isinstance(node.value, (str, bytes)):
            return False
        if isinstance(node, ast.JoinedStr) and self.written.has_escapes:  # the judge reads these
            return True
        return isinstance(node, ast.expr) and self.conditions.may_hold(formula.condition, node)

    def text_use(self, formula: f.StringRef, node: ast.AST) -> bool:
        used = self._used(node, formula.uses)
        return any(self.conditions.may_hold(formula.condition, text) for text in used)

    def _used(self, node: ast.AST, uses: Set[str]) -> Sequence[ast.expr]:
        """The texts that a node may take for a name or a template."""
        match node:
            case ast.Subscript(slice=key):
                return [key] if "subscript" in uses else []
            case ast.Call(func=ast.Attribute(value=template, attr="format" | "format_map")):
                return [template] if "format" in uses else []
            case ast.Call(func=func, args=args) if not uses.isdisjoint(_READING):
                return args if self._reads(func) else []
        return []

    def _reads(self, callee: ast.expr) -> bool:
        """May it be a function that takes a text for the name of an attribute?"""
        return self._naming.composes or self._leads.leads_to(GETTERS, callee)

    def attribute(self, formula: f.Attr, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in formula.names
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return any(word in formula.names for word in _dotted(node))
        if isinstance(node, ast.MatchClass):
            return any(word in formula.names for word in node.kwd_attrs)
        if not isinstance(node, ast.Call):
            return False
        spelt = any(self._spells(formula.names, text) for text in node.args)
        return spelt and self._reads(node.func)

    def _spells(self, names: f.Names, text: ast.expr) -> bool:
        if isinstance(text, ast.Starred):
            return True
        condition = Spelt(names)
        return self.conditions._text(text, condition.__contains__)

    def imported(self, formula: f.Import, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            text = node.args[0] if node.args else None
            if text is None or isinstance(text, ast.Starred):
                return False  # nor does the judge read what else says which
            if not self._naming.composes and not self._leads.leads_to(IMPORTERS, node.func):
                return False
            return self.conditions._text(text, lambda module: is_module(formula, module))
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            return False
        if formula.modules.regex:
            return True
        return self._naming.may_be_made(formula.modules, {*_dotted(node)}) or any(
            resembled(word, formula.resembles) for word in _dotted(node)
        )

    def code(self, formula: f.Code, node: ast.AST) -> bool:
        """May the pattern match here: where the judge tries it, and with the words of its name?"""
        spot = spot_of(formula.pattern)
        if spot.twins is not None:
            return type(node) in (spot.kinds or ()) and are_twins(node)
        if spot.deleted and isinstance(node, ast.Delete) and not self._naming.composes:
            return self._leads.lead(node.targets, spot.deleted)
        return self._naming.has(spot.words) and (spot.kinds is None or type(node) in spot.kinds)

    def elsewhere(self, formula: f.Inside | f.Has, node: ast.AST) -> bool:
        """May what has to be around the node, or within it, be anywhere in the tree?"""
        part = formula.part
        if not isinstance(part, (f.Call, f.Class, f.Def)):
            return True
        known = self._somewhere.get(id(part))
        if known is None:
            places = self._words.of(KINDS[type(part)])
            known = self._somewhere[id(part)] = any(self.may_hold(part, one) for one in places)
        return known

    def definition(self, formula: f.Def, node: ast.AST) -> bool:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        if node.name not in formula.names:
            return False
        given = {one.arg for one in parameters(node.args)} if formula.parameters else set()
        return formula.parameters <= given and (
            formula.decorator is None
            or any(self._decorates(formula.decorator, one) for one in node.decorator_list)
        )

    def _decorates(self, names: f.Names, decorator: ast.expr) -> bool:
        called = isinstance(decorator, ast.Call) and self._decorates(names, decorator.func)
        return called or self._naming.may_be(names, decorator, made=True)

    def class_(self, formula: f.Class, node: ast.AST) -> bool:
        if not isinstance(node, ast.ClassDef) or node.name not in formula.names:
            return False
        base = formula.base
        if formula.inherited:
            return bool(_bases(node))
        return base is None or any(self._naming.may_be(base, one) for one in _bases(node))

    def name(self, formula: f.Name, node: ast.AST) -> bool:
        return self.may_stand_for(formula.names, node)

    def may_stand_for(self, names: f.Names, node: ast.AST) -> bool:
        """May an expression, or a name within an import or a pattern, be something of a name?"""
        if isinstance(node, ast.expr):
            return self._naming.may_be(names, node)
        if not isinstance(node, NAMED):
            return False
        return bool(names.regex) or self._naming.may_be_made(names, self._leads.led_to(node))


def _bases(node: ast.ClassDef) -> Iterable[ast.expr]:
    return (*node.bases, *(keyword.value for keyword in node.keywords))


def _dotted(node: ast.Import | ast.ImportFrom) -> Iterable[str]:
    module = getattr(node, "module", None) or ""
    return [word for alias in node.names for word in f"{module}.{alias.name}".split(".")]


# What is not here may hold anywhere.
_CHECKS: Mapping[type[object], Callable[[Nodes, Any, ast.AST], bool]] = {
    f.All: Nodes.all_hold,
    f.Any: Nodes.any_holds,
    f.Focused: lambda nodes, formula, node: nodes.may_hold(formula.part, node),
    f.Call: formulas.Line.call,
    f.Assign: Nodes.assign,
    f.Except: formulas.Line.handler,
    f.Assert: lambda nodes, formula, node: isinstance(node, ast.Assert),
    f.Class: Nodes.class_,
    f.Code: Nodes.code,
    f.Has: Nodes.elsewhere,
    f.Inside: Nodes.elsewhere,
    f.Def: Nodes.definition,
    f.String: Nodes.literal,
    f.StringRef: Nodes.text_use,
    f.Attr: Nodes.attribute,
    f.Import: Nodes.imported,
    f.Name: Nodes.name,
}
