"""The prefilter: which rules can fire in a file at all, from its bytes, at the speed of C."""

import re
import string
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from vetbox.rules.filtering.anchors import Anchor, Anchors
from vetbox.rules.language.resemblance import resembled
from vetbox.rules.language.rule import Profile, Rule

# Bytes above 127 separate words too: more hits than there are, never fewer.
_IDENTIFIER = frozenset(string.ascii_letters + string.digits + "_")
_WORDS_ONLY = bytes(byte if chr(byte) in _IDENTIFIER else ord(" ") for byte in range(256))
_COOKIE = re.compile(rb"(?:[^\r\n]*\r?[\r\n]|)[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
# Without a word boundary before it, which would have every byte looked at.
_IMPORT = re.compile(rb"import\b[^\n(\\]*(?:\\\r?\n[^\n(\\]*|\([^)]*\)?[^\n(\\]*)*")
_Choice: TypeAlias = tuple[str, Anchor, frozenset[bytes]]
_Indexed: TypeAlias = tuple[int, str, Anchor, frozenset[bytes]]
_AFTER_COMMENT_BYTES = 2_000
_ASCII_COMPATIBLE = frozenset(
    b"utf-8 utf_8 utf8 utf-8-sig ascii us-ascii latin-1 latin1 iso-8859-1 iso-8859-15".split()
)


def anchors_in(rules: Iterable[Rule], profile: Profile) -> dict[str, tuple[Anchor, ...]]:
    """The anchors that count in a profile, of the rules that say anything in it."""
    return {
        rule.id: counting(rule.anchors, profile)
        for rule in rules
        if rule.profiles.get(profile) is not None
    }


def counting(anchors: tuple[Anchor, ...], profile: Profile) -> tuple[Anchor, ...]:
    """Those that count in a profile: doubt is a finding in code about to run only."""
    return tuple(one for one in anchors if profile is Profile.AGENT or not one.doubtful)


class Prefilter:
    """Knows the words of every rule; its cost does not grow with the number of rules.

    bytes.translate and split find the words of 100 MB in 0.7 CPU seconds. Hyperscan takes 0.1, but
    0.1 to 0.5 more to compile its patterns, a native package, and more with every rule.
    """

    def __init__(self, anchors: Anchors) -> None:
        self._anchors = dict(anchors)
        self._always: Anchors = {rule: () for rule, choices in anchors.items() if not choices}
        self._choices = [
            (rule, anchor, _encoded(anchor.words))
            for rule, choices in anchors.items()
            for anchor in choices
        ]
        self._by_word = _by_rarest(self._choices)
        self._by_regex = _by_regex(self._by_word.get(b"", ()))
        self._words = frozenset(word for _, _, words in self._choices for word in words)
        self._texts = _Texts(regex for regex in self._by_regex if regex)
        self._worded = lru_cache(maxsize=10_000)(self._with_words)

    def hits(self, data: bytes) -> Anchors:
        """The rules that may fire, each with those of its anchors that hold.

        A rule left out cannot fire, however the code is spelt. Bytes that do not mean what they
        seem to (odd codecs, NUL) give every rule without anchors, as one that must see it whole.
        """
        if b"\0" in data or _odd_codec(data):
            return dict.fromkeys(self._anchors, ())
        words = self._words_of(data)
        if data.isascii():
            return self._reachable(words, data)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return dict.fromkeys(self._anchors, ())
        if unicodedata.is_normalized("NFKC", text):
            return self._reachable(words, data)
        folded = unicodedata.normalize("NFKC", text).encode()
        words |= self._words_of(folded)
        return {**self._reachable(words, folded), **self._reachable(words, data)}

    def _words_of(self, data: bytes) -> frozenset[bytes]:
        return self._words.intersection(data.translate(_WORDS_ONLY).split())

    def _with_words(
        self, words: frozenset[bytes], regexes: frozenset[str]
    ) -> tuple[tuple[str, Anchor], ...]:
        """The anchors all of whose words are there, in the order of the rules."""
        found = [
            (index, rule, anchor)
            for word in words
            for index, rule, anchor, needed in self._by_word.get(word, ())
            if needed <= words
        ]
        found += (one[:3] for regex in ("", *regexes) for one in self._by_regex.get(regex, ()))
        found.sort(key=lambda one: one[0])
        return tuple((rule, anchor) for _, rule, anchor in found)

    def _reachable(self, words: frozenset[bytes], data: bytes) -> Anchors:
        """What still holds when it is seen how the words stand in the file."""
        held = dict(self._always)
        texts = self._texts.found_in(data)
        modules = _Modules(data)
        for rule, anchor in self._worded(words, texts.first):
            if not _may_fire(anchor, data, modules):
                continue
            if all(texts[regex] for regex in (anchor.regex, *anchor.texts) if regex):
                held[rule] = (*held.get(rule, ()), anchor)
        return held


def _by_rarest(choices: list[_Choice]) -> dict[bytes, list[_Indexed]]:
    """The anchors under the word of theirs that fewest others need; under none, the wordless."""
    needs = Counter(word for _, _, words in choices for word in words)
    found: dict[bytes, list[_Indexed]] = defaultdict(list)
    for index, (rule, anchor, words) in enumerate(choices):
        rarest = min(words, key=lambda word: (needs[word], word), default=b"")
        found[rarest].append((index, rule, anchor, words))
    return dict(found)


def _by_regex(choices: Iterable[_Indexed]) -> dict[str, list[_Indexed]]:
    """The anchors without words under their regex."""
    found: dict[str, list[_Indexed]] = defaultdict(list)
    for choice in choices:
        found[choice[2].regex].append(choice)
    return dict(found)


class _Texts:
    """Regexes of which some are looked for in every file, and so together."""

    def __init__(self, always: Iterable[str]) -> None:
        self._always = list(dict.fromkeys(always))

    @cached_property
    def _together(self) -> Any:
        import re2

        together = re2.Set.SearchSet()
        for regex in self._always:
            together.Add(regex)
        together.Compile()
        return together

    def found_in(self, data: bytes) -> "_Found":
        found = (self._together.Match(data) if self._always else None) or ()
        known = dict.fromkeys(self._always, False)
        known.update((self._always[index], True) for index in found)
        return _Found(data, known)


class _Found(dict[str, bool]):
    """Whether a regex matches in a file, worked out when first asked; `first` were found before."""

    def __init__(self, data: bytes, known: dict[str, bool]) -> None:
        super().__init__(known)
        self._data = data
        self.first = frozenset(regex for regex, found in known.items() if found)

    def __missing__(self, regex: str) -> bool:
        found = self[regex] = compiled(regex).search(self._data) is not None
        return found


class _Modules(dict[str, bool]):
    """Whether a file may mean a module by its name, worked out when first asked."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data

    @cached_property
    def _imported(self) -> frozenset[bytes]:
        return imported_words(self._data)

    def resemble(self, known: frozenset[str]) -> bool:
        """Whether any word of an import looks like a known one."""
        return any(resembled(word.decode("ascii"), known) for word in self._imported)

    def __missing__(self, module: str) -> bool:
        imported = module.encode() in self._imported
        known = self[module] = imported or taken_for_granted(module, self._data)
        return known


def _may_fire(anchor: Anchor, data: bytes, modules: _Modules) -> bool:
    if anchor.root:
        return modules[anchor.root]
    if anchor.resembles:
        return modules.resemble(anchor.resembles)
    anywhere = anchor.regex or anchor.any_receiver or anchor.dotted
    return bool(anywhere) or _stands_alone(anchor, data)


def _stands_alone(anchor: Anchor, data: bytes) -> bool:
    """Whether a builtin, or a module that has it, is written without a dot before it."""
    return _bytes_pattern(_bare(anchor.sites | anchor.via, anchor.via)).search(data) is not None


@lru_cache(maxsize=1_000)
def _bare(words: frozenset[str], homes: frozenset[str]) -> bytes:
    """Every object may have a namespace: `frame.f_builtins`, `module.__builtins__`."""
    anywhere = frozenset(home for home in homes if "_" in home.lstrip("_"))
    found = rb"(?:^|[^\w.])(?:%s)\b" % b"|".join(sorted(_encoded(words)))
    return rb"%s|\b(?:%s)\b" % (found, b"|".join(sorted(_encoded(anywhere)))) if anywhere else found


def taken_for_granted(module: str, data: bytes) -> bool:
    """Whether a module's name stands before a dot: used, though perhaps not imported."""
    name = rb"(?:^|[^\w.])%s[\s\\]*\." % module.encode()
    return module.encode() in data and _bytes_pattern(name).search(data) is not None


def imported_words(data: bytes) -> frozenset[bytes]:
    """Every word of every import statement, and some more."""
    words: set[bytes] = set()
    for found in _IMPORT.finditer(data):
        start = data.rfind(b"\n", 0, found.start()) + 1
        while data[start - 2 : start - 1] == b"\\":  # the line before goes on
            start = data.rfind(b"\n", 0, start - 1) + 1
        end = found.end()
        if b"#" in found[0]:  # a bracket in a comment ends nothing
            end += _AFTER_COMMENT_BYTES
        words.update(data[start:end].translate(_WORDS_ONLY).split())
    return frozenset(words)


def _encoded(words: Iterable[str]) -> frozenset[bytes]:
    return frozenset(" ".join(words).encode().translate(_WORDS_ONLY).split())


def _odd_codec(data: bytes) -> bool:
    cookie = _COOKIE.match(data)
    return cookie is not None and cookie[1].lower() not in _ASCII_COMPATIBLE


@lru_cache(maxsize=1_000)
def _bytes_pattern(pattern: bytes) -> Any:
    """RE2 again: Python's engine tries a pattern without a first letter at every byte."""
    import re2

    return re2.compile(pattern)


@lru_cache(maxsize=1_000)
def compiled(regex: str) -> Any:
    """RE2: no rule can hang the scan. Imported late because most rule sets have no such anchor."""
    import re2

    return re2.compile(regex)
