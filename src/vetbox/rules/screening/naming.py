"""Names by words: may an expression stand for a full name, by the words that lead to it?"""

import ast
from collections.abc import Sequence, Set
from functools import cached_property, lru_cache

from vetbox.rules.language import formula as f
from vetbox.rules.resolve.canonical import BUILTINS, other_homes
from vetbox.rules.screening.endings import Endings
from vetbox.rules.screening.escaped_modules import EscapedModules
from vetbox.rules.screening.leads import Leads
from vetbox.rules.screening.plain import Plain
from vetbox.rules.screening.sought import Sought, Way
from vetbox.rules.screening.spelling import Spelling, Spelt
from vetbox.rules.screening.words import WORD, unhidden

_HOMES = frozenset({"builtins", "getmodule"}).union(*map(other_homes, BUILTINS))
"""Modules that have a builtin by its own name, and what gives them."""
_DEPTH = 6
_ANYTHING = "*"
_READER = frozenset({"getattr"})


@lru_cache(maxsize=1_000)
def _unmade(ends: frozenset[str]) -> frozenset[str]:
    """The words, with those of callees for the words of call results."""
    return ends | {end.removesuffix("()") for end in ends}


class Naming:
    """Answers for one tree; where it `composes` texts, anything may have any name."""

    def __init__(
        self,
        leads: Leads,
        spelling: Spelling,
        escaped: EscapedModules,
        plain: Plain,
        *,
        composes: bool,
    ) -> None:
        self._leads, self.escaped, self._plain = leads, escaped, plain
        self.endings = Endings(leads, None if composes else leads.words.labels)
        self.spelling = spelling
        self.composes = composes
        self.leans_on_escapes = False
        self._found: dict[tuple[int, str | ast.expr, int, bool], bool] = {}
        self._ways: dict[Sought, Sequence[Way]] = {}

    def may_be(
        self, names: f.Names, node: ast.expr, depth: int = _DEPTH, *, made: bool = False
    ) -> bool:
        """May an expression stand for something of a name? Its words come from somewhere.

        Where it may also be `made` by a call of it, what a call gives counts as what is called.
        """
        if names.regex or _ANYTHING in names.globs:
            return True
        self._leads.spend(1)
        known = self._plain.spellings(node)
        if known:
            return any(one in names or (made and one.removesuffix("()") in names) for one in known)
        if self.composes:
            return True
        if isinstance(node, ast.Constant):
            return repr(node.value) in names  # None, True and False are names to libcst
        wanted = self.spelling.of(names)
        if not wanted:
            return False
        # One variable is as good as another of its name.
        key = (id(names), node.id if isinstance(node, ast.Name) else node, depth, made)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._may_stand_for(names, wanted, node, depth, made=made)
        return found

    def _may_stand_for(
        self, names: f.Names, wanted: Spelt, node: ast.expr, depth: int, *, made: bool
    ) -> bool:
        ends = self.endings.of(node)
        if ends is not None:
            lasts = self.spelling.lasts_of(names)
            if made:
                ends = _unmade(ends)
            if lasts is not None and ends.isdisjoint(lasts):
                return False
            wanted = tuple(one for one in wanted if one.last is None or one.last in ends)
            named = node.func if isinstance(node, ast.Call) else node
            if wanted and isinstance(named, ast.Attribute) and not self.has_builtins:
                wanted = tuple(one for one in wanted if not one.builtin)
            if not wanted:
                return False
        words = self._leads.led_to(node)
        if (
            any(one.words <= words for one in wanted)
            and self._may_be_given(names, node, depth, made=made)
            and self._may_be_read(names, node, depth)
        ):
            return True
        may_escape = self.escaped.gives(wanted)
        self.leans_on_escapes = self.leans_on_escapes or may_escape
        return may_escape

    def _may_be_given(self, names: f.Names, node: ast.expr, depth: int, *, made: bool) -> bool:
        """Of a variable: may it be called so, or one of the values that it is given as they are?"""
        words = self._leads.words
        if not isinstance(node, ast.Name) or not depth or node.id[:2] == "__" or words.stars:
            return True
        if node.id in words.loose or node.id in words.in_part:
            return True
        said = (one for one in words.given.get(node.id, ()) if isinstance(one, str))
        spelt = (unhidden({*WORD.findall(text)}) for text in (node.id, *said))
        if any(self.may_be_made(names, one) for one in spelt):
            return True
        values = (one for one in words.given.get(node.id, ()) if isinstance(one, ast.expr))
        return any(self.may_be(names, one, depth - 1, made=made) for one in values)

    def _may_be_read(self, names: f.Names, node: ast.expr, depth: int) -> bool:
        """Of `getattr(x, name, other)`: may one of the names be of an attribute of x, or other?"""
        match node:
            case ast.Call(func=ast.Name("getattr") as func, args=[base, key, *others], keywords=[]):
                owners = self.endings.of(base)
                plain = not isinstance(key, ast.Starred) and self.endings.of(func) == _READER
            case _:
                return True
        if owners is None or not plain or self._reads_far:
            return True
        owners = frozenset(owner.removesuffix("()") for owner in owners)
        labels = self._leads.words.labels
        owned = any(
            "*" in name or (name.split(".")[-2] in owners if "." in name else name in labels)
            for name in (*names.exact, *names.globs)
        )
        return owned or any(self.may_be(names, other, depth, made=True) for other in others)

    @cached_property
    def _reads_far(self) -> bool:
        """Is there a text for more than one attribute, or for one of Python's own?"""
        words = self._leads.words
        return any(word[:2] == "__" for word in words.labels) or any(
            "." in text for text in words.texts if len(text.split()) == 1
        )

    def lasts_of(self, names: f.Names) -> Set[str] | None:
        """What those of the names end with that are spelt; None: anything."""
        if self.composes or names.regex:
            return None
        return self.spelling.lasts_of(names)

    def is_any_spelt(self, sought: Sought) -> bool:
        """Are there words for what a rule must find in one of its ways, or hands on?"""
        return bool(self.ways_of(sought)) or any(map(self.are_spelt, sought.handed))

    def ways_of(self, sought: Sought) -> Sequence[Way]:
        """Those of its ways for which there are words."""
        known = self._ways.get(sought)
        if known is None:
            ways = sought.ways if self.composes else self.spelling.ways_of(sought)
            known = self._ways[sought] = list(filter(self._is_spelt, ways))
        return known

    def _is_spelt(self, way: Way) -> bool:
        """Are there words for what a rule must find in this way?"""
        return self.has(way.words) and all(map(self.are_spelt, way.needs))

    def has(self, words: frozenset[str]) -> bool:
        """Are they all there, or may they be made?"""
        return self.composes or self.spelling.has(words)

    def are_spelt(self, names: f.Names) -> bool:
        """Are there words for one of the names?"""
        return self.composes or bool(names.regex) or bool(self.spelling.of(names))

    def may_be_made(self, names: f.Names, words: Set[str]) -> bool:
        """Are these the words of one of the names?"""
        return any(one.words <= words for one in self.spelling.of(names))

    @cached_property
    def has_builtins(self) -> bool:
        """May some object hold the builtins as its attributes?"""
        return not _HOMES.isdisjoint(self.spelling.words)
