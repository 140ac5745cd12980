"""Leads: what an expression may stand for, told by all the words that its names lead to."""

import ast
from collections.abc import Set

from vetbox.nodes import nodes_of
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.words import WORD, unhidden, words_of

MAX_STEPS = 30_000
"""More than a screen may look at before whoever judges is quicker."""


class TooMuch(Exception):
    """So entangled that it is not told apart."""


class Leads:
    """Answers for one tree, each worked out once."""

    def __init__(self, words: Occurrences) -> None:
        self.words = words
        self._led: dict[ast.AST, Set[str]] = {}
        self._known: dict[ast.AST | str, tuple[frozenset[str], frozenset[str]]] = {}
        self._steps = 0

    def led_to(self, owner: ast.AST) -> Set[str]:
        """The words of all that an expression may stand for."""
        known = self._led.get(owner)
        if known is None:
            known = self._led[owner] = self._reached(owner)
        return known

    def spend(self, steps: int) -> None:
        """Raises TooMuch when so much has been looked at that the judge is quicker."""
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise TooMuch

    def ends_with(self, node: ast.expr) -> str | None:
        """The word that every name of an expression ends with; None where that is not sure."""
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word):
                return None if word[:2] == "__" or self.words.given.get(word) else word
        return None

    def _reached(self, owner: ast.AST) -> Set[str]:
        found: set[str] = set()
        words: set[str] = set()
        seen: set[ast.AST | str] = {owner}
        waiting: list[ast.AST | str] = [owner]
        while waiting:
            self.spend(1)
            all_words, own_words = self._said(waiting.pop())
            found |= own_words
            for word in all_words - words:
                more = [one for one in self.words.given.get(word, ()) if one not in seen]
                seen.update(more)
                waiting += more
            words |= all_words
        return unhidden(found)

    def _said(self, here: ast.AST | str) -> tuple[frozenset[str], frozenset[str]]:
        """The words in a place, and those that may stand there for what they say."""
        known = self._known.get(here)
        if known is None:
            known = self._known[here] = self._read_out(here)
        return known

    def _read_out(self, here: ast.AST | str) -> tuple[frozenset[str], frozenset[str]]:
        if isinstance(here, str):
            words = frozenset(WORD.findall(here))
            return words, words
        names: set[str] = set()
        others: set[str] = {*self.words.stars}
        for node in nodes_of(here):
            self.spend(1)
            if type(node) is ast.Name:
                names.add(node.id)
            else:
                others.update(words_of(node))
        return frozenset(names | others), frozenset((names & self.words.free) | others)
