"""Mentions: how a name stands in a file's bytes: imported, on its own, before or behind a dot."""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

from vetbox.rules.filtering.vocabulary import words_of
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.resemblance import resembled
from vetbox.rules.regexes import re2_compiled
from vetbox.rules.resolve.canonical import OTHER_BUILTINS

# Without a word boundary before it, which would have every byte looked at.
_IMPORT = re.compile(rb"import\b[^\n(\\]*(?:\\\r?\n[^\n(\\]*|\([^)]*\)?[^\n(\\]*)*")
_AFTER_COMMENT_BYTES = 2_000
_STAR = b"*"
_BACKSLASH = b"\\"[0]
_DOT = rb"\.(?:[\s\\]|#[^\r\n]*[\r\n])*"


class Mentions:
    """Of one file, each name worked out when first asked."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._modules: dict[str, bool] = {}
        self._members: dict[str, bool] = {}
        self._alone: dict[tuple[frozenset[str], frozenset[str]], bool] = {}

    def allow(self, anchor: Anchor) -> bool:
        """Whether the words of an anchor can mean what they have to."""
        if anchor.root:
            return self._module(anchor.root) and self._member(anchor)
        if anchor.resembles:
            return self._resemble(anchor.resembles)
        if not is_told_by_place(anchor):
            return True
        return self._member(anchor) if anchor.dotted else self._stand_alone(anchor)

    @cached_property
    def _imported(self) -> frozenset[bytes]:
        return imported_words(self._data)

    def _resemble(self, known: frozenset[str]) -> bool:
        """Whether any word of an import looks like a known one."""
        return any(resembled(word.decode("ascii"), known) for word in self._imported)

    def _module(self, name: str) -> bool:
        """Whether the file may mean a module by its name."""
        known = self._modules.get(name)
        if known is None:
            known = name.encode() in self._imported or taken_for_granted(name, self._data)
            self._modules[name] = known
        return known

    def _member(self, anchor: Anchor) -> bool:
        """Whether a site may be a member of something; the module itself is none."""
        if anchor.in_strings or anchor.root in anchor.sites:
            return True
        return any(map(self._behind_a_dot, anchor.sites))

    def _behind_a_dot(self, name: str) -> bool:
        """Whether the file may mean a member of something by a name: `x.name`, or an import."""
        known = self._members.get(name)
        if known is None:
            written = name.encode()
            known = (
                not name.isascii()  # RE2 takes other letters for no part of a word
                or b".%s(" % written in self._data
                or re2_compiled(_DOT + written + rb"\b").search(self._data) is not None
                or not self._imported.isdisjoint((written, _STAR))
            )
            self._members[name] = known
        return known

    def _stand_alone(self, anchor: Anchor) -> bool:
        """Whether a builtin, or a module that has it, is written without a dot before it."""
        key = (anchor.sites, anchor.via)
        known = self._alone.get(key)
        if known is None:
            known = self._alone[key] = self._stands_alone(anchor.sites, anchor.via)
        return known

    def _stands_alone(self, sites: frozenset[str], via: frozenset[str]) -> bool:
        written = [site.encode() for site in sites]
        if any(b" %s." % site in self._data for site in written):
            return True
        data = _without_definitions(self._data, written)
        return (
            any(b" %s(" % site in data for site in written)
            or re2_compiled(_bare(sites | via, via)).search(data) is not None
        )


def is_told_by_place(anchor: Anchor) -> bool:
    """Whether it matters how its words stand in a file, all of which are there."""
    anywhere = anchor.regex or anchor.any_receiver
    return bool(anchor.root or anchor.resembles or not anywhere)


def _without_definitions(data: bytes, names: Iterable[bytes]) -> bytes:
    """Without what stands in place of a builtin: `def open(` is no use of it."""
    for name in names:
        data = data.replace(b"def %s(" % name, b"")
    return data


@lru_cache(maxsize=1_000)
def _bare(words: frozenset[str], homes: frozenset[str]) -> bytes:
    """Every object may have a namespace: `f.f_builtins`, `m.__builtins__`, `enum.bltns`."""
    anywhere = frozenset(home for home in homes if "_" in home.lstrip("_"))
    anywhere |= homes & OTHER_BUILTINS
    found = rb"(?:^|[^\w.])(?:%s)\b" % b"|".join(sorted(encoded(words)))
    return rb"%s|\b(?:%s)\b" % (found, b"|".join(sorted(encoded(anywhere)))) if anywhere else found


def taken_for_granted(module: str, data: bytes) -> bool:
    """Whether a module's name stands before a dot: used, though perhaps not imported."""
    written = module.encode()
    if b" %s." % written in data or b"(%s." % written in data:
        return True
    name = rb"%s[\s\\]*\." % written
    return (
        # The name alone first: RE2 leaps from one of its first letters to the next.
        re2_compiled(name).search(data) is not None
        and re2_compiled(rb"(?:^|[^\w.])" + name).search(data) is not None
    )


def imported_words(data: bytes) -> frozenset[bytes]:
    """Every word of every import statement, and some more; a star where one stands."""
    written: list[bytes] = []
    for found in _IMPORT.finditer(data):
        start = data.rfind(b"\n", 0, found.start()) + 1
        while start > 1 and data[start - 2] == _BACKSLASH:  # the line before goes on
            start = data.rfind(b"\n", 0, start - 1) + 1
        end = found.end()
        if b"#" in found[0]:  # a bracket in a comment ends nothing
            end += _AFTER_COMMENT_BYTES
        written.append(data[start:end])
        if _STAR in found[0]:
            written.append(_STAR)
    words = frozenset(words_of(b" ".join(written)))
    return words | {_STAR} if _STAR in written else words


def encoded(words: Iterable[str]) -> frozenset[bytes]:
    """Words as they are found in bytes; one that is not ASCII is found by its parts."""
    return frozenset(words_of(" ".join(words).encode()))
