"""Screening: which rules can fire in code about to run, seen from its tree before libcst is asked.

A file is let through by the words in its bytes; here it is seen how they stand in the code. A name
comes from somewhere: its words are identifiers of the code, or they are texts, whole or put
together, where something turns texts into names. A rule is dropped only where neither can be.
The law, held by tests: findings with screening are the findings without it.

- what rules look for, prepared once: `ends` (a match, or source and sink) and what is `sought` for
  each: `spots` of patterns, `required_words`, what may not be `around`.
- are the words there? `occurrences` collects the `words` of the tree by how they stand, with
  `scope`, `targets` and `lookups` by text; `spelling` makes names of them, `composing` texts,
  `quoted` minds letters beyond ASCII.
- may it hold at a node? `nodes` asks by name (`naming`, `named_nodes`, by the words that `leads`
  follow and `endings` conclude; `escaped_modules`), by what is assigned (`assigning`), by values
  (`holding`), by texts (`written`) and by what is around (`denying`).
- do plain names decide it? `plain` and `verdicts`.
- for the rest `cutting` chooses, of the tree's `pieces`, the statements that the judge has to see.
"""

import ast
import keyword
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Anchor, Anchors
from vetbox.rules.language.callbacks import CALLING
from vetbox.rules.resolve.escaped_modules import READERS
from vetbox.rules.screening.composing import TreeConstants
from vetbox.rules.screening.ends import End, ends_of
from vetbox.rules.screening.escaped_modules import EscapedModules
from vetbox.rules.screening.leads import Leads, TooMuch
from vetbox.rules.screening.naming import Naming
from vetbox.rules.screening.nodes import Nodes
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.plain import Plain
from vetbox.rules.screening.quoted import are_lines_odd
from vetbox.rules.screening.required_words import Unknown
from vetbox.rules.screening.sought import Sought
from vetbox.rules.screening.spelling import Spelling
from vetbox.rules.screening.verdicts import Decided, Verdicts
from vetbox.rules.screening.words import LOOKUPS, NAMING_BY_TEXT

if TYPE_CHECKING:
    from vetbox.code.source import Source
    from vetbox.rules.excerpt import Excerpt

__all__ = ["Decided", "End", "Screened", "ends_of", "screened"]

_GRAMMAR = frozenset((*keyword.kwlist, *keyword.softkwlist))
_GIVING = frozenset((ast.Assign, ast.NamedExpr))
_DEFINITIONS = frozenset((ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
_NAMING = (f.Call, f.Name, f.Attr, f.Assign, f.Decorator, f.Import, f.Def, f.Class)


@dataclass(frozen=True)
class Screened:
    """The rules that may still fire, with all that is known of the tree."""

    left: Anchors
    _screen: "Screen"
    _ends: Mapping[str, Sequence[End]]

    @cached_property
    def decided(self) -> Decided:
        """The findings of those rules that the tree decides; these need no judge."""
        return self._screen.decided(self._ends)

    def excerpt_for(self, rules: Iterable[str]) -> "Excerpt | None":
        """The part of the code that decides what some rules say; None: all of it does."""
        if not self._ends:
            return None
        return self._screen.cut([end for rule in rules for end in self._ends[rule]])


def screened(source: "Source", hits: Anchors, ends: Callable[[str], Sequence[End]]) -> Screened:
    """Those of the rules all ends of which may be in the code; all of them in entangled code.

    A rule has one end, its formula; one that follows data has a source and a sink.
    """
    screen = Screen(source)
    try:
        left = {
            rule: anchors
            for rule, anchors in hits.items()
            if not anchors or screen.lets_through(anchors, ends(rule))
        }
    except TooMuch:
        return Screened(hits, screen, {})
    return Screened(left, screen, {rule: ends(rule) for rule in left})


class Screen:
    """Answers for one tree; what is asked of all rules is worked out once."""

    def __init__(self, source: "Source") -> None:
        self._source = source
        self._words = Occurrences(source.tree)
        self._leads = Leads(self._words)
        self._escaped = EscapedModules(self._leads)
        self._stands: dict[tuple[frozenset[str], frozenset[str], str, bool], bool] = {}

    def lets_through(self, anchors: Iterable[Anchor], ends: Sequence[End]) -> bool:
        """May a rule find all its ends? Whether there are words for each takes least to tell."""
        return all(self._is_spelt(end.sought) for end in ends) and all(
            self._is_there(anchors, end) for end in ends
        )

    def _is_spelt(self, sought: Sought) -> bool:
        return self._is_any_spelt(sought.any_of) and self._naming.is_any_spelt(sought)

    def _is_there(self, anchors: Iterable[Anchor], end: End) -> bool:
        """May the formula hold somewhere, and one of the anchors in the code as it stands?

        In this order, as it takes longer to tell what a word of an anchor leads to.
        """
        if not self._nodes.may_fire(end.sought) and not self._may_be_handed(end):
            return False
        own = anchors if end.anchors is None else end.anchors.intersection(anchors)
        unsaid = end.anchors is not None and not end.anchors  # it may be anywhere
        held = unsaid or any(self._holds(anchor, end.sought) for anchor in own)
        return held or ("builtins" in end.sought.words and self._naming.has_builtins)

    def _may_be_handed(self, end: End) -> bool:
        """May a function be given to what calls it: to `map()`, to a thread?"""
        if CALLING.isdisjoint(self._nodes.words):
            return False
        return next(iter(self._nodes.referring(end.handed)), None) is not None

    def cut(self, ends: Sequence[End]) -> "Excerpt | None":
        """The excerpt that decides what the rules say at these ends; None: the whole does."""
        from vetbox.rules.screening.cutting import cut

        try:
            unseen = self._constants.are_composed or self._walks or self._reads_unseen
            if unseen or not all(end.is_local for end in ends):
                return None
            found = cut(self._source, self._nodes, [end.sought for end in ends if end.is_parsed])
            return None if self._naming.leans_on_escapes else found
        except TooMuch:
            return None

    def decided(self, ends: Mapping[str, Sequence[End]]) -> Decided:
        """What rules surely find, those of which it is not sure left out."""
        if not ends or are_lines_odd(self._source.text):
            return {}
        try:
            if self._nodes.written.spells_beyond_ascii:
                return {}
            verdicts = Verdicts(self._words, self._nodes, self._plain)
            found = {rule: verdicts.of(own[0]) for rule, own in ends.items()}
        except TooMuch:
            return {}
        return {rule: sure for rule, sure in found.items() if sure is not None}

    def _holds(self, anchor: Anchor, sought: Sought) -> bool:
        if not self._are_known(anchor.words):
            return False
        if _looks_up(anchor, sought):
            return self._composes or self._is_nameable(sought.formula)
        if anchor.regex or anchor.lead or anchor.dotted or anchor.resembles:
            return True
        if anchor.any_receiver and not anchor.via and not anchor.root:
            return True
        key = (anchor.sites, anchor.via, anchor.root, anchor.any_receiver)
        if key not in self._stands:
            self._stands[key] = any(self._site_stands(site, anchor) for site in anchor.sites)
        return self._stands[key]

    def _is_any_spelt(self, words: Set[str] | None) -> bool:
        """Can there be one of the words in a name? Most rules that wait for lookups end here."""
        return words is None or self._spelling.has_any(words) or self._composes

    def _are_known(self, words: Set[str]) -> bool:
        """Is each an identifier, or a word of a text or of the language?"""
        rest = words - self._spelling.words
        return not rest or rest <= self._words.written | _GRAMMAR

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(self._words)

    @cached_property
    def _constants(self) -> TreeConstants:
        return TreeConstants(self._leads)

    @cached_property
    def _nodes(self) -> Nodes:
        return Nodes(self._leads, self._constants, self._naming, self._plain, self._source)

    @cached_property
    def _naming(self) -> Naming:
        return Naming(
            self._leads, self._spelling, self._escaped, self._plain, composes=self._composes
        )

    @cached_property
    def _plain(self) -> Plain:
        return Plain(self._words, self._escaped)

    @cached_property
    def _composes(self) -> bool:
        """May a text that is nowhere written be taken for a name?"""
        takes = self._words.stars or not NAMING_BY_TEXT.isdisjoint(self._words.names)
        return self._reads_unseen or (bool(takes) and (self._constants.are_composed or self._walks))

    @cached_property
    def _reads_unseen(self) -> bool:
        """Is `getattr` anything but called, so that it may be by another name?"""
        if READERS.isdisjoint(self._spelling.words):
            return False
        by_kind = self._words.by_kind
        called = {id(call.func) for call in by_kind.get(ast.Call, ())}
        named = [one for one in by_kind.get(ast.Name, ()) if one.id in READERS]
        named += [one for one in by_kind.get(ast.Attribute, ()) if one.attr in READERS]
        imported = (alias for one in by_kind.get(ast.ImportFrom, ()) for alias in one.names)
        return any(id(one) not in called for one in named) or any(
            alias.name in READERS for alias in imported
        )

    @cached_property
    def _walks(self) -> bool:
        """Is a module exchanged for an attribute of its own, or of that one asked at once?

        As by `o = getattr(o, name)`, `getattr(getattr(o, name), name)`. Whoever is handed one may
        begin with it, and keep what each step gives in an object: `Walk(getattr(self.at, name))`.
        """
        if "getattr" not in self._words.names:
            return False
        begun = [node.value for node in self._words.of(_GIVING) if _is_step(node)]
        calls = self._words.by_kind.get(ast.Call, ())
        asked = [one.args[0] for one in calls if one.args and _is_getattr(one)]
        if (begun or _are_kept(calls, self._words)) and self._escaped.is_any:
            return True
        begun += [one for one in asked if "getattr" in self._leads.led_to(one)]
        return any(not self._escaped.modules.isdisjoint(self._leads.led_to(one)) for one in begun)

    def _is_nameable(self, formula: f.Formula | Unknown) -> bool:
        """Are there words for the names that a formula must find?"""
        if isinstance(formula, f.Any):
            return any(map(self._is_nameable, formula.parts))
        if isinstance(formula, f.All):
            return all(map(self._is_nameable, formula.parts))
        if not isinstance(formula, _NAMING):
            return True
        if isinstance(formula, f.Import) and formula.resembles:
            return True
        wanted = _wanted(formula)
        return bool(wanted.regex) or bool(self._spelling.of(wanted))

    def _site_stands(self, site: str, anchor: Anchor) -> bool:
        """May the word stand somewhere for what the anchor is after?"""
        words = self._words
        if site in words.free or site in words.labels:
            return True
        owners = words.members.get(site, ())
        if not anchor.via:
            return bool(owners)
        if not anchor.root and not anchor.any_receiver:  # a builtin: on its module, if on any
            return bool(owners) and not anchor.via.isdisjoint(self._spelling.words)
        if any(not anchor.via.isdisjoint(self._leads.led_to(owner)) for owner in owners):
            return True
        return bool(owners) and self._escaped.has(anchor.via)


def _is_step(node: ast.Assign | ast.NamedExpr) -> bool:
    match node:
        case (
            ast.Assign(targets=[to], value=ast.Call(args=[of, *_]) as call)
            | ast.NamedExpr(target=to, value=ast.Call(args=[of, *_]) as call)
        ):
            if isinstance(to, ast.Name):
                return isinstance(of, ast.Name) and to.id == of.id
            is_like = type(to) is type(of) and _is_getattr(call)
            return is_like and ast.unparse(to) == ast.unparse(of)
    return False


def _is_getattr(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "getattr"


def _are_kept(calls: Iterable[ast.Call], words: Occurrences) -> bool:
    """Is a class or function of the code given what `getattr` gives?"""
    own = {one.name for one in words.of(_DEFINITIONS)}
    return any(
        isinstance(given, ast.Call) and _is_getattr(given)
        for call in (calls if own else ())
        if isinstance(call.func, ast.Name) and call.func.id in own
        for given in call.args
    )


def _wanted(formula: f.Formula) -> f.Names:
    match formula:
        case f.Import(modules=names) | f.Assign(target=names):
            return names
        case f.Def(decorator=f.Names() as names) | f.Class(base=f.Names() as names):
            return names
    return formula.names  # type: ignore[union-attr]


def _looks_up(anchor: Anchor, sought: Sought) -> bool:
    """Does the rule wait for what computes names, not for a name of its own?"""
    return anchor.dynamic or (
        not anchor.regex
        and not anchor.texts
        and anchor.sites <= LOOKUPS
        and anchor.sites.isdisjoint(sought.last_words)
    )
