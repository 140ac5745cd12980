"""Reachable words: all that the names of an expression lead to through assignments."""

import ast
from collections.abc import Iterable, Set
from typing import Any

from vetbox.code.nodes import PARTS
from vetbox.rules.resolve.asked_errors import CARRIER
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.words import WORD, WORDED, unhidden, words_of

MAX_STEPS = 30_000
"""More than a screen may look at before whoever judges is quicker."""


class TooMuch(Exception):
    """The code is so entangled that judging it is cheaper."""


class Leads:
    """Answers for one tree, each worked out once."""

    def __init__(self, words: Occurrences) -> None:
        self.words = words
        self._led: dict[ast.AST, Set[str]] = {}
        self._closed: dict[str, frozenset[str]] = {}
        self._known: dict[ast.AST | str | tuple[str], tuple[frozenset[str], frozenset[str]]] = {}
        self._steps = 0
        if CARRIER in words.members:  # it may be of an error, which any module was asked for
            imports = words.by_kind.get(ast.Import, ())
            words.given[CARRIER] += [alias.name for one in imports for alias in one.names]

    def led_to(self, owner: ast.AST) -> Set[str]:
        """The words of all that an expression may stand for."""
        known = self._led.get(owner)
        if known is None:
            words, own = self._said(owner)
            behind = map(self._behind, self.words.given.keys() & words)
            known = self._led[owner] = own.union(*behind)
        return known

    def lead(self, owners: Iterable[ast.AST], words: Set[str]) -> bool:
        """Do the names of one of these nodes lead to one of the words?"""
        return any(self.leads_to(words, owner) for owner in owners)

    def leads_to(self, words: Set[str], owner: ast.AST) -> bool:
        """Do the names of a node lead to one of the words? Most words are nowhere in most code."""
        if self.words.names.isdisjoint(words) and self.words.labels.isdisjoint(words):
            return False
        return not words.isdisjoint(self.led_to(owner))

    def spend(self, steps: int) -> None:
        """Raises TooMuch when so much has been looked at that the judge is quicker."""
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise TooMuch

    def _behind(self, word: str) -> frozenset[str]:
        """The words of all values that a name is given, transitively."""
        known = self._closed.get(word)
        if known is None:
            known = self._closed[word] = self._reached(word)
        return known

    def _reached(self, start: str) -> frozenset[str]:
        given, closed = self.words.given, self._closed
        found: set[str] = set()
        seen, waiting = {start}, [start]
        while waiting:
            for one in given[waiting.pop()]:
                self.spend(1)
                words, own = self._said(one)
                found |= own
                for word in words:
                    if word in seen or word not in given:
                        continue
                    seen.add(word)
                    if word in closed:
                        found |= closed[word]
                    else:
                        waiting.append(word)
        return frozenset(found)

    def _said(self, here: ast.AST | str) -> tuple[frozenset[str], frozenset[str]]:
        """All words in a node, and those of them that stand for themselves."""
        # One variable says what another of its name does.
        key = (here.id,) if here.__class__ is ast.Name else here
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._read_out(here)
        return known

    def _read_out(self, here: ast.AST | str) -> tuple[frozenset[str], frozenset[str]]:
        if isinstance(here, str):
            words = frozenset(WORD.findall(here))
            return words, frozenset(unhidden(words))
        free, known = self.words.free, self._known
        names: list[str] = []
        own: list[str] = [*self.words.stars]
        below: list[tuple[frozenset[str], frozenset[str]]] = []
        waiting = [here]
        steps = 0
        while waiting:
            node: Any = waiting.pop()
            steps += 1
            kind = node.__class__
            if kind is ast.Name:
                names.append(node.id)
            elif node in known:
                below.append(known[node])
            elif kind is ast.Attribute:
                own.append(node.attr)
                waiting.append(node.value)
            else:
                if kind is ast.Constant or WORDED[kind]:
                    own += words_of(node)
                for name in PARTS[kind]:
                    part = getattr(node, name)
                    if part.__class__ is list:
                        waiting += [one for one in part if one is not None]
                    elif part is not None:
                        waiting.append(part)
        self.spend(steps)
        said = frozenset(own).union(free.intersection(names))
        words = said.union(names, *[words for words, _ in below])
        return words, frozenset(unhidden(said)).union(*[ours for _, ours in below])
