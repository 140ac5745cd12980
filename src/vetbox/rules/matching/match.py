"""A match: the node, what a message may say of it, and the arguments where it is a call."""

from collections.abc import Mapping
from dataclasses import field, replace

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.formula import Words
from vetbox.rules.matching.written import text_of
from vetbox.rules.patterns.bindings import EMPTY, Bindings
from vetbox.rules.resolve.arguments import NO_ARGUMENTS, Arguments


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Where a formula holds; `words` are its matchers', `bindings` a pattern's metavariables.

    `focus` is the part to point at, where the rule names one.
    """

    node: cst.CSTNode
    words: Words = field(default_factory=dict)
    arguments: Arguments = NO_ARGUMENTS
    bindings: Bindings = EMPTY
    focus: cst.CSTNode | None = None

    def with_words(self, words: Mapping[str, str]) -> "Match":
        return replace(self, words={**words, **self.words}) if words else self

    def followed_by(self, other: "Match") -> "Match":
        """This one, and what another part of a conjunction has to say and has bound."""
        if other.bindings is self.bindings:
            return self.with_words(other.words)
        return replace(self, words={**other.words, **self.words}, bindings=other.bindings)

    @property
    def said(self) -> Words:
        """What fills the message: the words, and `$X` by the text it stands for."""
        bound = self.bindings.values.items()
        return {**{f"${name}": text_of(value) for name, value in bound}, **self.words}
