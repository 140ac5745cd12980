"""Required texts: is what a way of a rule needs written in the code?"""

import ast
import re
from functools import cached_property

from vetbox.code.source import Source
from vetbox.rules.filtering.relaxed_regexes import finds_words, relaxed
from vetbox.rules.language import formula as f
from vetbox.rules.screening.composing import TreeConstants
from vetbox.rules.screening.holding import TreeConditions
from vetbox.rules.screening.naming import Naming
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.quoted import quotes_the_rest
from vetbox.rules.screening.sought import Way
from vetbox.rules.sifting.values import CONSTANTS

_COMMENT = re.compile("#.*")


class Written:
    """Answers for one tree."""

    def __init__(
        self,
        words: Occurrences,
        constants: TreeConstants,
        conditions: TreeConditions,
        naming: Naming,
        source: Source,
    ) -> None:
        self._words, self._constants, self._conditions = words, constants, conditions
        self._naming, self._source = naming, source

    def has_all(self, way: Way) -> bool:
        """May there be a text, and code, for each regex of a way?"""
        return self._is_said(way) and (not way.spelt or self._is_spelt(way))

    def _is_said(self, way: Way) -> bool:
        """Is there a text for it?"""
        said = (*way.said, *way.told) if way.told and self._are_texts_whole else way.said
        texts = self._texts if said else None
        return texts is None or all(f.re2_search(regex, texts) for regex in said)

    @cached_property
    def _are_texts_whole(self) -> bool:
        """Does every text that a value may be stand in the code, as a whole?"""
        return not self._constants.are_composed and CONSTANTS.isdisjoint(
            self._naming.spelling.words
        )

    @cached_property
    def _texts(self) -> str | None:
        """What all literals say, line by line; None where a formatted one may say anything."""
        formatted = self._words.by_kind.get(ast.JoinedStr, ())
        made = None if formatted and self.has_escapes else self._conditions.made(formatted)
        return None if made is None else "\n".join((*self._words.texts, *made))

    def _is_spelt(self, way: Way) -> bool:
        """Is there code for all that metavariables have to stand for?"""
        if self._naming.composes or self.spells_beyond_ascii:
            return True
        return all(
            f.re2_search(f"(?m){regex}", self._identifiers)
            if finds_words(regex)
            else f.re2_search(relaxed(regex), self._code)
            for regex in way.spelt
        )

    @cached_property
    def _identifiers(self) -> str:
        return "\n".join(self._naming.spelling.words)

    @cached_property
    def _code(self) -> str:
        """The code with its comments, which are no part of what is matched, and without; texts."""
        code = self._source.text
        return "\n".join((code, _COMMENT.sub("", code), *self._words.texts))

    @property
    def has_escapes(self) -> bool:
        """May a literal be written otherwise than it reads?"""
        return "\\" in self._source.text

    @cached_property
    def spells_beyond_ascii(self) -> bool:
        """Is there anything but ASCII outside of string literals?"""
        return not quotes_the_rest(self._source.text, self._source.tree)
