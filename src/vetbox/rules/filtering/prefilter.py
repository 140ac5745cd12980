"""The prefilter: which rules can fire in a file at all, from its bytes, at the speed of C."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import field
from itertools import chain
from typing import NamedTuple, TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.mentions import Mentions, encoded, is_told_by_place
from vetbox.rules.filtering.regex_search import Found, Texts, listed_in
from vetbox.rules.filtering.signs import OWN_MARK
from vetbox.rules.filtering.vocabulary import Vocabulary
from vetbox.rules.language.anchors import Anchor, Anchors
from vetbox.rules.language.rule import Profile, Rule

_COOKIE = re.compile(rb"(?:[^\r\n]*\r?[\r\n]|)[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
_ASCII_COMPATIBLE = frozenset(
    b"utf-8 utf_8 utf8 utf-8-sig ascii us-ascii latin-1 latin1 iso-8859-1 iso-8859-15".split()
)
_NO_NEEDS: Anchors = {}
_Use: TypeAlias = tuple[str, Anchor]


def anchors_in(rules: Iterable[Rule], profile: Profile) -> dict[str, tuple[Anchor, ...]]:
    """The anchors that count in a profile, of the rules that say anything in it."""
    return {
        rule.id: counting(rule.anchors, profile)
        for rule in rules
        if rule.profiles.get(profile) is not None
    }


def counting(anchors: tuple[Anchor, ...], profile: Profile) -> tuple[Anchor, ...]:
    """Those that count in a profile: doubt is a finding in code about to run only."""
    if profile is Profile.AGENT:
        return tuple(one for one in anchors if not one.outdone)
    return tuple(one for one in anchors if not one.doubtful)


class Seen(NamedTuple):
    """What the bytes of a file show: the rules that may fire, and which of the signs it has."""

    hits: Anchors
    signs: Set[str]

    @property
    def any(self) -> bool:
        """Whether anything may be found, or is to be said of comments that suppress."""
        return bool(self.hits) or OWN_MARK in self.signs


class Prefilter:
    """Knows the words of every rule; its cost does not grow with the number of rules.

    A rule in `needs` waits for one of those anchors as well: the source of a flow. `signs` are
    regexes that are looked for on the way.
    """

    def __init__(
        self, anchors: Anchors, needs: Anchors = _NO_NEEDS, signs: Sequence[str] = ()
    ) -> None:
        self._rules = dict(anchors)
        # Most rules wait for the same: it is looked for under the name of the first of them.
        same: dict[int, str] = {}
        self._firsts = {rule: same.setdefault(id(wanted), rule) for rule, wanted in needs.items()}
        self._waiting = frozenset(needs)
        self._needs = _Index({first: needs[first] for first in same.values()})
        self._own = _Index(anchors)
        self._words = Vocabulary(self._needs.words | self._own.words)
        self._texts = Texts((*self._needs.regexes, *self._own.regexes, *signs))
        self._signs = frozenset(signs)

    def hits(self, data: bytes, spared: Set[str] = frozenset()) -> Anchors:
        """The rules that may fire, without the spared ones, each with its anchors that hold.

        A rule left out cannot fire, however the code is spelt. Bytes that do not mean what they
        seem to (odd codecs, NUL) give every rule without anchors, as one that must see it whole.
        """
        return self.seen(data, spared).hits

    def seen(self, data: bytes, spared: Set[str] = frozenset()) -> Seen:
        """The rules that may fire, and the signs."""
        written = self._look(data)
        looks = self._looks(data, written)
        if looks is None:
            hits: Anchors = {rule: () for rule in self._rules if rule not in spared}
        else:
            hits = self._held(looks, spared)
        return Seen(hits, self._signs.intersection(written.texts.first))

    def _looks(self, data: bytes, written: "_Look") -> "list[_Look] | None":
        """As it is written and, where Python reads it otherwise, so; None: nobody knows how."""
        if b"\0" in data or _odd_codec(data):
            return None
        if data.isascii():
            return [written]
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return None
        if unicodedata.is_normalized("NFKC", text):
            return [written]
        folded = self._look(unicodedata.normalize("NFKC", text).encode())
        written.words = folded.words = written.words | folded.words
        return [folded, written]

    def _look(self, data: bytes) -> "_Look":
        return _Look(self._words.found_in(data), self._texts.found_in(data), Mentions(data))

    def _held(self, looks: "list[_Look]", spared: Set[str]) -> Anchors:
        """The rules that may fire as the words stand in the file, in either of its spellings."""
        met = self._needs.held(looks, frozenset())
        if not met:
            return self._own.held(looks, spared | self._waiting if spared else self._waiting)
        needed = {rule: met[first] for rule, first in self._firsts.items() if first in met}
        held = self._own.held(looks, spared | (self._waiting - needed.keys()))
        return {
            rule: (*anchors, *needed[rule]) if rule in needed else anchors
            for rule, anchors in held.items()
        }


@dataclass(slots=True, eq=False)
class _Look:
    """What is known of a file: the words in it that any rule waits for, and how they stand."""

    words: frozenset[bytes]
    texts: Found
    mentions: Mentions

    def holds(self, choice: "_Choice") -> bool:
        """Whether it is there as an anchor says, all whose words are."""
        if any(map(self.words.isdisjoint, choice.listed)):
            return False
        if choice.is_told and not self.mentions.allow(choice.anchor):
            return False
        return all(map(self.texts.__getitem__, choice.regexes))


@dataclass(slots=True, eq=False)
class _Choice:
    """An anchor, its `uses` by their places among all anchors, and the rules that have it."""

    anchor: Anchor
    uses: "dict[int, _Use]" = field(default_factory=dict)
    rules: frozenset[str] = field(init=False)
    words: frozenset[bytes] = field(init=False)
    listed: tuple[frozenset[bytes], ...] = field(init=False)
    regexes: tuple[str, ...] = field(init=False)
    is_told: bool = field(init=False)

    def opened(self) -> "_Choice":
        """With what is asked of a file worked out: of most anchors nobody asks it."""
        self.rules = frozenset(rule for rule, _ in self.uses.values())
        self.words = encoded(self.anchor.words)
        self.listed = tuple(filter(None, map(listed_in, self.anchor.texts)))
        self.regexes = _regexes(self.anchor)
        self.is_told = is_told_by_place(self.anchor)
        return self


class _Index:
    """The anchors of some rules: each under its rarest word, and only once for all of them."""

    def __init__(self, anchors: Anchors) -> None:
        self._always = [rule for rule, choices in anchors.items() if not choices]
        choices = _choices(anchors)
        needs = Counter(chain.from_iterable(one.anchor.words for one in choices))
        self._closed = _by_rarest(choices, needs)
        self._by_word: dict[bytes, list[_Choice]] = {}
        self._by_regex = _by_regex(self._closed.pop(b"", ()))
        listed = (listed_in(text) for choice in choices for text in choice.anchor.texts)
        self.words = encoded(needs).union(*listed)
        self.regexes = [regex for regex in self._by_regex if regex]

    def held(self, looks: Iterable[_Look], spared: Set[str]) -> dict[str, tuple[Anchor, ...]]:
        """The rules that may fire, without the spared ones, each with those anchors that hold."""
        found: dict[int, _Use] = {}
        for look in looks:
            for choice in self._worded(look):
                if not choice.rules <= spared and look.holds(choice):
                    found.update(choice.uses)
        held: dict[str, list[Anchor]] = {rule: [] for rule in self._always}
        for place in sorted(found):
            rule, anchor = found[place]
            if rule not in spared:
                held.setdefault(rule, []).append(anchor)
        return {rule: tuple(anchors) for rule, anchors in held.items()}

    def _worded(self, look: _Look) -> list[_Choice]:
        """The anchors all of whose words are there."""
        words, by_word = look.words, self._by_word
        if self._closed:
            self._open(words)
        choices = [one for word in words for one in by_word.get(word, ()) if one.words <= words]
        for regex in ("", *look.texts.first):
            choices += self._by_regex.get(regex, ())
        return choices

    def _open(self, words: Set[bytes]) -> None:
        """Another thread may do the same: what is not closed any more is open already."""
        for word in self._closed.keys() & words:
            self._by_word[word] = [one.opened() for one in self._closed.get(word, ())]
            self._closed.pop(word, None)


def _choices(anchors: Anchors) -> list[_Choice]:
    """Rules that were read from the cache share their equal anchors."""
    known: dict[int, _Choice] = {}
    every = ((rule, anchor) for rule, own in anchors.items() for anchor in own)
    for place, use in enumerate(every):
        anchor = use[1]
        choice = known.get(id(anchor))
        if choice is None:
            choice = known[id(anchor)] = _Choice(anchor)
        choice.uses[place] = use
    return list(known.values())


def _by_rarest(choices: Iterable[_Choice], needs: Mapping[str, int]) -> dict[bytes, list[_Choice]]:
    """The anchors under the word of theirs that fewest others need; under none, the wordless."""
    found: dict[bytes, list[_Choice]] = defaultdict(list)
    parts = {word: _part_of(word) for word in ("", *needs)}
    for choice in choices:
        words = choice.anchor.words
        rarest = min(words, key=needs.__getitem__) if len(words) > 1 else next(iter(words), "")
        found[parts[rarest]].append(choice)
    return dict(found)


def _part_of(word: str) -> bytes:
    """A word as it is looked for, or the part of it that is."""
    plain = word.isascii() and word.isidentifier()
    return word.encode() if plain else min(encoded([word]), default=b"")


def _regexes(anchor: Anchor) -> tuple[str, ...]:
    """What is said of the whole file first: it is the simpler."""
    texts = (text for text in anchor.texts if not listed_in(text))
    return tuple(filter(None, (*texts, anchor.regex)))


def _by_regex(choices: Iterable[_Choice]) -> dict[str, list[_Choice]]:
    """The anchors without words under the regex of theirs that fewest others need."""
    choices = [choice.opened() for choice in choices]
    needs = Counter(regex for choice in choices for regex in choice.regexes)
    found: dict[str, list[_Choice]] = defaultdict(list)
    for choice in choices:
        rarest = min(choice.regexes, key=lambda regex: (needs[regex], regex), default="")
        found[rarest].append(choice)
    return dict(found)


def _odd_codec(data: bytes) -> bool:
    second = data.find(b"\n", data.find(b"\n") + 1)  # a cookie stands on the first line or this
    written = data.find(b"coding", 0, len(data) if second < 0 else second) >= 0
    cookie = _COOKIE.match(data) if written else None
    return cookie is not None and cookie[1].lower() not in _ASCII_COMPATIBLE
