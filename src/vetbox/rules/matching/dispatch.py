"""Dispatch: which formulas to try at which node, by node type and the last word of its name."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import field
from enum import Enum, auto
from typing import TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language import formula as f
from vetbox.rules.language.raising import HandedOn, formula_in, handed_on
from vetbox.rules.language.rule import Profile, Rule
from vetbox.rules.matchers import KINDS
from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.pattern import Pattern, parse_pattern
from vetbox.rules.patterns.statements import first_kinds
from vetbox.rules.patterns.vocabulary import is_gap, metavariable
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import identifier

Kind: TypeAlias = type[cst.CSTNode]


class Facet(Enum):
    """Which of a node's words decide."""

    CALLEE = auto()  # the last words of what it calls
    VALUE = auto()  # the last words of what it stands for
    ATTR = auto()  # the attribute's own identifier
    SPELLING = auto()  # its last identifier, whatever it stands for
    NONE = auto()  # none: every such node is asked


@dataclass(frozen=True, slots=True)
class Question:
    """A rule and its formula to try at a node; `escaping` when it may hand its function on.

    `points`: the ways in which it holds there may show different places.
    """

    rule: Rule
    matcher: f.Formula
    escaping: HandedOn | None = None
    points: bool = True


@dataclass(slots=True)
class Desk:
    """The questions for one node type and facet."""

    by_word: dict[str, list[Question]] = field(default_factory=lambda: defaultdict(list))
    always: list[Question] = field(default_factory=list)


Spot: TypeAlias = tuple[Kind, Facet, frozenset[str] | None]
"""A node type, a facet, and the words it must have (None: any)."""

_STRINGS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)
_GETTERS = frozenset(
    {"getattr", "hasattr", "setattr", "delattr", "getattr_static", "attrgetter", "methodcaller"}
    | {"__getattribute__"}
)
_IMPORTERS = frozenset({"__import__", "import_module", "_gcd_import"})
_APPLYING = "call"
"""`operator.call(f)` calls what it is given."""
_TARGETS: dict[str, tuple[Kind, ...]] = {
    "assign": (
        *(cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr),
        *(cst.For, cst.CompFor, cst.WithItem),
    ),
    "item": (cst.DictElement, cst.Assign),
    "keyword": (cst.Arg,),
    "default": (cst.Param,),
    "compare": (cst.Comparison,),
}


_EXPRESSIONS = (
    *_STRINGS,
    *(cst.Name, cst.Attribute, cst.Subscript, cst.Call, cst.BinaryOperation, cst.Comparison),
    *(cst.BooleanOperation, cst.UnaryOperation, cst.IfExp, cst.Lambda, cst.Await, cst.Yield),
    *(cst.List, cst.Tuple, cst.Dict, cst.Set, cst.Integer, cst.Float, cst.NamedExpr),
    *(cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp),
)
_SIMPLE = (
    *(cst.Expr, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Return, cst.Raise, cst.Assert),
    *(cst.Del, cst.If, cst.While, cst.For, cst.With, cst.Try, cst.TryStar, cst.Match),
    *(cst.FunctionDef, cst.ClassDef),
)


def spots(formula: f.Formula) -> Iterator[Spot]:
    """Every kind of node at which the formula may hold."""
    match formula:
        case f.Any(parts=parts):
            for part in parts:
                yield from spots(part)
        case f.All(parts=parts):
            yield from min((list(spots(part)) for part in parts), key=_breadth)
        case f.Focused(part=part):
            yield from spots(part)
        case f.Code(pattern=pattern, resolve=level):
            for kind, facet, words in _code_spots(parse_pattern(pattern)):
                is_spelt = level is f.Resolve.NONE and facet is Facet.VALUE
                yield kind, Facet.SPELLING if is_spelt else facet, words
        case f.Call(names=names):
            yield cst.Call, Facet.CALLEE, names.last_words
            yield cst.Decorator, Facet.CALLEE, names.last_words
        case f.Name(names=names):
            for kind in (cst.Name, cst.Attribute, cst.Subscript, cst.Call):
                yield kind, Facet.VALUE, names.last_words
        case f.Attr(names=names):
            yield cst.Attribute, Facet.ATTR, names.last_words
            yield cst.MatchKeywordElement, Facet.ATTR, names.last_words
            yield cst.Call, Facet.CALLEE, _GETTERS
        case f.Import():
            yield cst.Import, Facet.NONE, None
            yield cst.ImportFrom, Facet.NONE, None
            yield cst.Call, Facet.CALLEE, _IMPORTERS
        case f.StringRef():
            yield cst.Call, Facet.CALLEE, _GETTERS | {"format", "format_map"}
            yield cst.Subscript, Facet.NONE, None
        case f.Assign(forms=forms):
            yield from ((kind, Facet.NONE, None) for form in forms for kind in _TARGETS[form])
        case _:
            whole = sorted(KINDS.get(type(formula), ()), key=lambda kind: kind.__name__)
            yield from ((kind, Facet.NONE, None) for kind in whole)


def _points(rule: Rule, formula: f.Formula) -> bool:
    return rule.report.part == "argument" or _is_focused(formula)


def _is_focused(formula: f.Formula) -> bool:
    if isinstance(formula, f.Focused):
        return True
    part = getattr(formula, "part", None)
    return any(map(_is_focused, getattr(formula, "parts", () if part is None else (part,))))


def _code_spots(pattern: Pattern) -> Iterator[Spot]:
    """The node types that the pattern's root, or its first statement, can match."""
    if pattern.handler is not None:
        yield cst.ExceptHandler, Facet.NONE, None
        yield cst.ExceptStarHandler, Facet.NONE, None
    elif pattern.expression is not None:
        yield from _expression_spots(pattern.expression)
    else:
        kinds = first_kinds(pattern) or _SIMPLE
        yield from ((kind, Facet.NONE, None) for kind in kinds)


def _expression_spots(root: cst.BaseExpression) -> Iterator[Spot]:
    match root:
        case cst.Call(func=cst.Name(value=spelling.DEEP | spelling.TYPED)):
            yield from ((kind, Facet.NONE, None) for kind in _EXPRESSIONS)
        case cst.Call(func=cst.Name() | cst.Attribute() as func) if word := _last_word(func):
            yield cst.Call, Facet.CALLEE, frozenset({word})
        case cst.Attribute() if _last_word(root) is None:
            yield cst.Attribute, Facet.NONE, None
        case cst.Name() | cst.Attribute() if word := _last_word(root):
            for kind in (cst.Name, cst.Attribute, cst.Subscript, cst.Call):
                yield kind, Facet.VALUE, frozenset({word})
        case cst.Set(elements=[element]) if is_gap(element):  # `{...}`
            yield from ((kind, Facet.NONE, None) for kind in (cst.Set, cst.Dict))
        case cst.SimpleString() | cst.ConcatenatedString():
            yield from ((kind, Facet.NONE, None) for kind in (*_STRINGS, cst.Name))
        case cst.Name() | cst.Ellipsis():
            yield from ((kind, Facet.NONE, None) for kind in _EXPRESSIONS)
        case _:
            yield type(root), Facet.NONE, None


def _last_word(node: cst.Name | cst.Attribute) -> str | None:
    last = node.attr if isinstance(node, cst.Attribute) else node
    return None if metavariable(last) is not None else last.value


def _breadth(found: Sequence[Spot]) -> tuple[int, int]:
    """Fewest nodes first; a part that names no nodes (not, inside) comes last."""
    if not found:
        return (3, 0)
    open_spots = sum(words is None for _, _, words in found)
    return (1 if open_spots else 0, open_spots)


class Dispatch:
    """The questions of some rules, by node type and facet."""

    def __init__(self, rules: Iterable[Rule], profile: Profile) -> None:
        self.desks: dict[tuple[Kind, Facet], Desk] = defaultdict(Desk)
        for rule in rules:
            formula = formula_in(rule, profile)
            asked = Question(rule, formula, points=_points(rule, formula))
            for spot in dict.fromkeys(spots(formula)):
                self._place(asked, spot)
            for handed in handed_on(formula) if profile is Profile.AGENT else ():
                question = Question(rule, formula, handed)
                for kind in (cst.Name, cst.Attribute, cst.Subscript, cst.Call):
                    self._place(question, (kind, Facet.VALUE, handed.names.last_words))
                self._place(question, (cst.ImportAlias, Facet.NONE, None))

    def _place(self, question: Question, spot: Spot) -> None:
        kind, facet, words = spot
        desk = self.desks[kind, facet]
        if words is None:
            desk.always.append(question)
        for word in words or ():
            desk.by_word[word].append(question)

    def questions(
        self, facts: Resolver, spelled: Set[str] | None = None
    ) -> Iterator[tuple[cst.CSTNode, Question]]:
        """Every question worth asking on a module.

        Of nodes that decide by what they stand for only those with one of `spelled` at their end.
        """
        for (kind, facet), desk in self.desks.items():
            read = _FACETS[facet]
            known = spelled if facet is Facet.VALUE else None
            for node in facts.tree.by_type.get(kind, ()):
                if known is not None and _spelling(node) not in known:
                    continue
                for question in desk.always:
                    yield node, question
                if desk.by_word:
                    words = read(node, desk, facts)
                    for word in words if len(words) <= 1 else sorted(words):
                        for question in desk.by_word.get(word, ()):
                            yield node, question

    def of_call(self, call: cst.Call, facts: Resolver) -> Iterator[Question]:
        """Every question worth asking about a call that is not written, but made by another."""
        desk = self.desks.get((cst.Call, Facet.CALLEE))
        if desk is not None:
            for word in sorted(_callee_words(call, desk, facts)):
                yield from desk.by_word.get(word, ())


_NEARER = {cst.Call: "func", cst.Subscript: "value", cst.Attribute: "attr"}


def _spelling(node: cst.CSTNode) -> str:
    """The identifier nearest to the end of a chain of calls, attributes and subscripts."""
    while (step := _NEARER.get(type(node))) is not None:
        node = getattr(node, step)
    return identifier(node) if isinstance(node, cst.Name) else ""


def _callee_words(node: cst.CSTNode, desk: Desk, facts: Resolver) -> Collection[str]:
    if not isinstance(node, (cst.Call, cst.Decorator)):
        return ()
    word = facts.hints.last_word(node.func if isinstance(node, cst.Call) else node.decorator)
    if word is not None and word != _APPLYING and word not in desk.by_word:
        return ()
    names = facts.callee(node, f.Resolve.DYNAMIC) | facts.callee(node, f.Resolve.NONE)
    return {name.rpartition(".")[2] for name in names}


def _value_words(node: cst.CSTNode, desk: Desk, facts: Resolver) -> Collection[str]:
    word = facts.hints.last_word(node)
    if word is not None and word not in desk.by_word:
        return ()
    return {name.rpartition(".")[2] for name in facts.names(node, f.Resolve.DYNAMIC)}


def _attr_words(node: cst.CSTNode, desk: Desk, facts: Resolver) -> Collection[str]:
    match node:
        case cst.Attribute(attr=name) | cst.MatchKeywordElement(key=name):
            return (identifier(name),)
    return ()


_FACETS: dict[Facet, Callable[[cst.CSTNode, Desk, Resolver], Collection[str]]] = {
    Facet.CALLEE: _callee_words,
    Facet.VALUE: _value_words,
    Facet.ATTR: _attr_words,
    Facet.SPELLING: lambda node, desk, facts: (_spelling(node),),
    Facet.NONE: lambda node, desk, facts: (),
}
