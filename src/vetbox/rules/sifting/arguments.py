"""Arguments: what a call of a fragment is given, as far as its line says."""

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vetbox.rules.language import formula as f


class Given(NamedTuple):
    """The arguments of a call; `splat` and `entries` where starred ones may hold more.

    `others` are what is starred, and what stands behind it.
    """

    positional: Sequence[ast.expr]
    keywords: Mapping[str, ast.expr]
    splat: bool
    entries: bool
    others: Sequence[ast.expr] = ()

    @classmethod
    def of(cls, call: ast.Call) -> "Given":
        plain: list[ast.expr] = []
        for value in call.args:
            if isinstance(value, ast.Starred):
                break
            plain.append(value)
        named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        splats = [keyword.value for keyword in call.keywords if keyword.arg is None]
        splat = len(plain) < len(call.args)
        return cls(plain, named, splat, bool(splats), (*call.args[len(plain) :], *splats))

    def surely(self, wanted: f.Argument) -> bool:
        """Whether the argument is there, whatever the starred ones hold."""
        at = wanted.position
        named = any(keyword in self.keywords for keyword in wanted.keywords)
        return named or (at is not None and at < len(self.positional))

    def candidates(self, wanted: f.Argument) -> Sequence[ast.expr] | None:
        """What may be the argument; None when nobody can tell."""
        if self.entries and (wanted.keywords or wanted.position is None):
            return None
        if not wanted.keywords and wanted.position is None:
            return None if self.splat else (*self.positional, *self.keywords.values())
        for keyword in wanted.keywords:
            if keyword in self.keywords:
                return (self.keywords[keyword],)
        at = wanted.position
        if at is not None and at < len(self.positional):
            return (self.positional[at],)
        return None if at is not None and self.splat else ()
