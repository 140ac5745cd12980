"""Posts: the places of taint rules, prepared for being looked for in any `ast` tree."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import TypeAlias

import libcst as cst

from vetbox.code.nodes import nodes_of
from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.anchoring import anchors_of
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.rule import Rule
from vetbox.rules.language.taint import Place
from vetbox.rules.matching.dispatch import Facet, spots
from vetbox.rules.narrowing.locality import is_local, looks_at_classes
from vetbox.rules.sifting.arguments import Given
from vetbox.rules.sifting.chains import read_words
from vetbox.rules.sifting.formulas import Line

_KINDS: Mapping[type[cst.CSTNode], tuple[type[ast.AST], ...]] = {
    cst.Name: (ast.Name,),
    cst.Attribute: (ast.Attribute,),
    cst.Subscript: (ast.Subscript,),
    cst.Call: (ast.Call,),
    cst.Dict: (ast.Dict,),
    cst.FunctionDef: (ast.FunctionDef, ast.AsyncFunctionDef),
    cst.Assign: (ast.Assign,),
    cst.AnnAssign: (ast.AnnAssign,),
    cst.NamedExpr: (ast.NamedExpr,),
    cst.Return: (ast.Return,),
    cst.Decorator: (),  # nothing in it is marked that is no part of a call
}
_INSTANCES = frozenset({"self", "cls"})
_Spot: TypeAlias = tuple[Facet, frozenset[str] | None]


@dataclass(frozen=True, slots=True, eq=False)
class Post:
    """A source, sink or sanitizer of rules; equal places of several rules are one post.

    `by_kind` has the words that a node of each type must end with; None: any node may do.
    """

    place: Place
    anchors: tuple[Anchor, ...]
    by_kind: Mapping[type[ast.AST], tuple[_Spot, ...]] | None

    @property
    def is_handed(self) -> bool:
        """Does it mean the parameters of the callbacks that the marked expressions stand for?"""
        return self.place.at.startswith(("handed", "methods."))

    @property
    def is_offered(self) -> bool:
        """Does it mean the methods of the objects that the marked expressions stand for?"""
        return self.place.at.startswith("methods.")

    def may_stand(self, node: ast.AST, line: Line) -> bool:
        """May the place hold at a node of a line?"""
        if self.by_kind is None:
            return True
        spots = self.by_kind.get(type(node), ())
        said = any(words is None or _may_say(node, words, facet, line) for facet, words in spots)
        return said and line.may_hold(self.place.formula, node)

    def marked(self, node: ast.AST, line: Line) -> Iterator[ast.AST]:
        """The expressions and parameters that it marks at a node where it holds, or a superset."""
        place = self.place
        if place.at == "parameters":
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from (one for one in parameters(node) if one.arg not in place.except_names)
        elif not isinstance(node, ast.expr) or _points_elsewhere(place.formula):
            yield from (part for part in nodes_of(node) if isinstance(part, ast.expr))
        elif place.at == "match":
            yield node
        elif isinstance(node, ast.Call):
            yield from _of_call(place.at, node, line)


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The posts of a rule: where data enters, and where it must not arrive."""

    sources: tuple[Post, ...]
    sinks: tuple[Post, ...]
    others: tuple[Post, ...]
    """Sanitizers that match names and attributes by what these stand for."""
    local: bool
    """Can the rule be judged from the lines of its anchors and the edges of the graph?"""
    further: tuple[Anchor, ...] = ()
    """The anchors of places that only label data; a file with no others is not looked into."""
    of_classes: bool = False
    """Does a doubt of the rule ask about the other methods of a sink's class?"""


Held: TypeAlias = Mapping[Post, Sequence[Anchor]]
"""The posts that may be in a file, each with those of its anchors that the file has."""


class Posts:
    """The posts of a rule set, prepared once for all files."""

    def __init__(self) -> None:
        self._ends: dict[str, Ends] = {}
        self._posts: dict[Place, Post] = {}
        self._anchors: dict[Anchor, Anchor] = {}
        self._met: dict[int, tuple[Anchor, Anchor]] = {}
        self._waiting: dict[int, list[Post]] = defaultdict(list)

    def ends(self, rule: Rule) -> Ends:
        """The posts of a taint rule."""
        known = self._ends.get(rule.id)
        if known is None:
            known = self._ends[rule.id] = self._of(rule)
        return known

    def held(self, anchors: Iterable[Anchor]) -> Held:
        """The posts that wait for some of these anchors, each with those it waits for."""
        found: dict[Post, list[Anchor]] = defaultdict(list)
        for anchor in {id(one): one for one in map(self._one, anchors)}.values():
            for post in self._waiting.get(id(anchor), ()):
                found[post].append(anchor)
        return found

    def _of(self, rule: Rule) -> Ends:
        taint = rule.taint
        if taint is None:
            return Ends((), (), (), local=False)
        for anchor in rule.anchors:  # those of its places, which need not be kept twice
            self._one(anchor)
        sources = tuple(map(self._post, taint.sources))
        return Ends(
            sources,
            tuple(map(self._post, taint.sinks)),
            tuple(self._post(one) for one in taint.sanitizers if _stands_for(one.formula)),
            bool(rule.anchors) and all(post.anchors for post in sources) and is_local(taint),
            tuple(one for post in sources if not post.place.enters for one in post.anchors),
            looks_at_classes(taint),
        )

    def _post(self, place: Place) -> Post:
        known = self._posts.get(place)
        if known is None:
            made = anchors_of(place.formula)
            anchors = tuple(self._anchors.setdefault(one, one) for one in made)
            known = self._posts[place] = Post(place, anchors, _kinds(place.formula))
            for anchor in anchors:
                self._waiting[id(anchor)].append(known)
        return known

    def _one(self, anchor: Anchor) -> Anchor:
        """The first of equal anchors, so that they can be compared by identity: hashing is slow."""
        met = self._met.get(id(anchor))
        if met is None:
            met = self._met[id(anchor)] = anchor, self._anchors.setdefault(anchor, anchor)
        return met[1]


@lru_cache(maxsize=500)
def _kinds(formula: f.Formula) -> Mapping[type[ast.AST], tuple[_Spot, ...]] | None:
    found: dict[type[ast.AST], dict[_Spot, None]] = {}
    for kind, facet, words in spots(formula):
        if kind not in _KINDS:
            return None
        known = words if _is_followed(formula) and facet is not Facet.NONE else None
        for node in _KINDS[kind]:
            found.setdefault(node, {})[facet, known] = None
    return {kind: tuple(spots) for kind, spots in found.items()}


def _stands_for(formula: f.Formula) -> bool:
    """Does it hold at names and attributes, by what these stand for?"""
    return any(facet is Facet.VALUE for _, facet, _ in spots(formula))


def _is_followed(formula: f.Formula) -> bool:
    """Is every name in it followed as far as words tell?"""
    if getattr(formula, "resolve", None) is f.Resolve.DYNAMIC:
        return False
    parts = (*getattr(formula, "parts", ()), *filter(None, [getattr(formula, "part", None)]))
    return all(map(_is_followed, parts))


def _may_say(node: ast.AST, wanted: Set[str], facet: Facet, line: Line) -> bool:
    """May the last word of what a node calls, or stands for, be a wanted one?"""
    read = node.func if facet is Facet.CALLEE and isinstance(node, ast.Call) else node
    if not isinstance(read, ast.expr):
        return True
    plain = isinstance(read, (ast.Name, ast.Attribute))
    aliases = line.renamed if plain else line.known
    return any(
        word in wanted or word in aliases or word.strip("_") in wanted for word in read_words(read)
    )


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.arg]:
    """The parameters of a function but for `self` and `cls`."""
    for part in ast.iter_child_nodes(node.args):
        if isinstance(part, ast.arg) and part.arg not in _INSTANCES:
            yield part


def _points_elsewhere(formula: f.Formula) -> bool:
    """May it point at a part of what matches?"""
    if isinstance(formula, f.Focused):
        return True
    return any(map(_points_elsewhere, getattr(formula, "parts", ())))


def _of_call(at: str, call: ast.Call, line: Line) -> Iterator[ast.expr]:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if line.partial and not isinstance(call.func, ast.Attribute):
        yield from (call.func, *given)
    elif at == "args":
        yield from given
    elif at == "receiver":
        if isinstance(call.func, ast.Attribute):
            yield call.func.value
    else:
        wanted = f.argument_of(at.partition(".")[2])
        found = Given.of(call).candidates(wanted)
        yield from given if found is None else found
