"""Sites: the logical lines on which a rule may fire, found by its words and aliases of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from functools import cached_property

from vetbox.rules.excerpt.carriers import carriers_in, handing_in, passed_on
from vetbox.rules.excerpt.flows import flows_of
from vetbox.rules.excerpt.layout import IN_FSTRING, IN_STRING, Doubt, Layout
from vetbox.rules.excerpt.meanings import NOTHING, Alias, Meaning
from vetbox.rules.excerpt.targets import (
    SCOPE,
    assigned_before,
    bindings_of,
    bound_by,
    first_word,
    function_at,
    imported,
    is_field,
    returned_by,
    visible,
)
from vetbox.rules.excerpt.wanted import Wanted, encoded, kept_sites
from vetbox.rules.filtering.mentions import taken_for_granted
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.regexes import re2_compiled
from vetbox.rules.resolve.canonical import CARRIED, CARRIED_BY_LIBRARY

_HELD = CARRIED | CARRIED_BY_LIBRARY
_LAST_WORD = re.compile(rb"\w*\Z")
_WORD = re.compile(rb"\w+")
_GAP = b" \t\n\\"
_RECEIVER_WINDOW_BYTES = 100  # a receiver further back than this is not looked for: it counts
_DEFINES = re.compile(rb"\b(?:def|class)\Z")
_GIVEN = re.compile(rb"[ \t]*=(?!=)")  # a keyword, a parameter with a default, a target
_UNPACKED = re.compile(rb"[\s\w,.*]*\Z")
_READ = re.compile(rb"[\s\\]*[.(\[]")  # before it is a target itself
_CALLED = re.compile(rb"[\s\\)]*\(")
_USED_UP = re.compile(
    rb"[\s\\)]*(?:\.(?!\s*__)|[-+*%<>&^@]|//|[!=]=|is\b|not\b|in\b)"
)  # x.__call__ is x, and a path / "name" is a path
_MANY_ALIASES = 1_000  # following more costs more than parsing the file whole
_COMMENT = b" "[0]


class Sites:
    """The hit `lines` of one file for some anchors; `names` are all words that lead to them.

    `renamed` are the names that may stand for something called otherwise, `matched` the lines where
    a regex of an anchor matches.
    """

    def __init__(self, layout: Layout, anchors: Iterable[Anchor]) -> None:
        self._layout = layout
        anchors = list(anchors)
        live = [anchor for anchor in anchors if not anchor.regex and self._reachable(anchor)]
        self._wanted = Wanted.of(live, layout)
        self._unimported = self._wanted.roots - layout.imported_words - self._wanted.sites
        self.matched = {anchor: {*self._matching(anchor)} for anchor in anchors if anchor.regex}
        self.lines = {line for lines in self.matched.values() for line in lines}
        self._aliases: set[Alias] = set()
        self._new: list[Alias] = []
        self._leading = set(self._wanted.via)
        self.renamed: set[bytes] = set()
        self._bound = defaultdict[bytes, set[bytes]](set)
        for anchor in live:
            if not anchor.dotted:
                self._know_root(anchor)
        self._import()
        self._follow()
        for asked, sites in kept_sites(anchors).items():
            kept = self.standing_for(sites)
            uses = {use for line in self.lines for use in self._uses(line, kept)}
            self.lines |= {one for one in uses if asked is None or asked in self._words(one)}

    def _know_root(self, anchor: Anchor) -> None:
        """A name begins with a builtin or with a module; one that is not imported is as it is."""
        if not anchor.root:
            self._know_builtin(anchor)
        elif anchor.root.encode() not in self._layout.imported_words:
            is_site = anchor.root in anchor.sites
            self._learn(anchor.root.encode(), Meaning(is_site, leads=not is_site))

    def _uses(self, line: int, kept: Set[bytes]) -> Iterator[int]:
        """Where the names stand that a line gives one of these words."""
        layout, is_asked = self._layout, not kept.isdisjoint(self._words(line))
        for name in bindings_of(self._code(line)) if is_asked else ():
            for word in kept:
                self._rename(word, name)
            for start in layout.occurrences(name, *visible(layout, line, name)):
                if layout.masked[start] not in (_COMMENT, IN_STRING):
                    yield layout.line_at(start)

    @property
    def names(self) -> Set[bytes]:
        """Every word that may be part of what a rule looks for."""
        return self._wanted.sites | self._wanted.via | {alias.name for alias in self._aliases}

    def follow(self, root: str) -> bool:
        """Is it known what stands for a module or a builtin? Nothing does for one of no place."""
        return root.encode() in self._wanted.begun or not self._layout.holds(root)

    def standing_for(self, words: Iterable[bytes]) -> Set[bytes]:
        """Some words of sites, and the names that are bound to what one of them stands for."""
        found: set[bytes] = set()
        new = {*words}
        while new:
            found |= new
            new = {name for word in new for name in self._bound.get(word, ())} - found
        return found

    def _reachable(self, anchor: Anchor) -> bool:
        if not anchor.root or anchor.root.encode() in self._layout.imported_words:
            return True
        return taken_for_granted(anchor.root, self._layout.data)

    @cached_property
    def _carriers(self) -> Set[bytes]:
        return carriers_in(self._layout)

    @cached_property
    def _handing(self) -> frozenset[bytes]:
        return handing_in(self._layout)

    def _know_builtin(self, anchor: Anchor) -> None:
        meaning = Meaning(is_site=True, leads=anchor.dynamic, gives=anchor.dynamic)
        for site in encoded([anchor.sites]):
            self._learn(site, meaning, dotted=anchor.any_receiver)
        for word in encoded([anchor.via]):
            self._learn(word, Meaning(is_site=False, leads=True))

    def _import(self) -> None:
        """What the imports of the file bind."""
        wanted = self._wanted.sites | self._wanted.via
        for line, words in self._layout.import_words.items():
            code = self._layout.codes[line]
            if wanted.isdisjoint(words):
                if b" as " in code:
                    self.renamed.update(name for name, path in imported(code) if name != path[-1])
                continue
            for name, path in imported(code):
                if name == b"*":
                    raise Doubt("a star import of what a rule looks for")
                is_site = self._is_site(path)
                leads = self._leads(name, path)
                gives = path[-1] in self._wanted.dynamic
                self._learn(name, Meaning(is_site, leads or gives, gives=gives), line)
                if name != path[-1]:
                    self.renamed.add(name)
                for word in path if is_site else ():
                    self._bound[word].add(name)

    def _leads(self, name: bytes, path: tuple[bytes, ...]) -> bool:
        """Whether an import binds what leads to a site: `logging.os` is os, `sympy.re` no re."""
        last, via = path[-1], self._wanted.via
        if name == path[0]:
            return name in via or last in via
        is_there = last not in self._wanted.outermost or last.decode().strip("_") in _HELD
        return last in via and (len(path) == 1 or is_there)

    def _is_site(self, path: tuple[bytes, ...]) -> bool:
        wanted = self._wanted
        return path[-1] in wanted.behind_dots or any(
            part in wanted.tops or (part in wanted.sites and above in wanted.via)
            for above, part in zip((b"", *path), path, strict=False)
        )

    def _learn(
        self, name: bytes, meaning: Meaning, line: int | None = None, *, dotted: bool = False
    ) -> None:
        """Remember a name bound on a line, or in the whole file."""
        if not (meaning.is_site or meaning.leads):
            return
        first, last = 0, len(self._layout.data)
        if line is not None and not dotted:
            first, last = visible(self._layout, line, name)
        alias = Alias(name, meaning, first, last, dotted)
        if alias in self._aliases:
            return
        if len(self._aliases) > max(_MANY_ALIASES, len(self._layout)):
            raise Doubt("everything is called something else")
        self._aliases.add(alias)
        self._new.append(alias)
        if meaning.leads:
            self._leading.add(name)

    def _follow(self) -> None:
        """What is bound to a site, or to what leads to one, is looked for in turn."""
        known = -1
        while known != len(self._leading):  # which receivers count depends on it
            known = len(self._leading)
            for word in self._wanted.sites | self._wanted.via:
                for start in self._layout.occurrences(word):
                    self._visit(word, start)
            while self._new:
                alias = self._new.pop()
                for start in self._layout.occurrences(alias.name, alias.first, alias.last):
                    self._visit(alias.name, start, alias)

    def _visit(self, word: bytes, start: int, alias: Alias | None = None) -> None:
        """Note the line when this occurrence is a site, and learn what its line binds to it."""
        kind = self._layout.masked[start]
        if kind == _COMMENT:
            return
        line = self._layout.line_at(start)
        if kind == IN_STRING:
            if word in self._wanted.in_strings:
                self.lines.add(line)
            return
        if word in self._wanted.readers and self._reads_another(word, start, line):
            return
        meaning = self._meaning(word, start, line, alias)
        if meaning.is_site:
            self.lines.add(line)
        leads = meaning.leads and word not in self._unimported
        if (meaning.is_site and word not in self._wanted.fixed) or leads:
            self._bind(word, start, line, meaning)

    def _reads_another(self, word: bytes, start: int, line: int) -> bool:
        """Whether `getattr` is called on what cannot be a module that the rules look for."""
        after = self._layout.ends[line]
        if not _CALLED.match(self._readable(start), start + len(word), after):
            return False
        words = _WORD.findall(self._layout.data, self._layout.starts[line], after)
        others = self._wanted.indirections - {word}
        return self._leading.isdisjoint(words) and others.isdisjoint(words)

    def _is_asked_for(self, line: int) -> bool:
        """`case object(eval=run)` reads an attribute."""
        return first_word(self._layout.codes[line]) == b"case"

    def _meaning(self, word: bytes, start: int, line: int, alias: Alias | None) -> Meaning:
        text, wanted = self._readable(start), self._wanted
        first = max(start - _RECEIVER_WINDOW_BYTES, self._layout.starts[line])
        before = text[first:start].rstrip(_GAP)
        dotted = before.endswith(b".")
        if (
            not dotted
            and word not in wanted.anywhere
            and (
                _DEFINES.search(before)
                or (_GIVEN.match(text, start + len(word)) and not self._is_asked_for(line))
                or (not _READ.match(text, start + len(word)) and self._is_target(start, line))
            )
        ):
            return NOTHING
        if alias is not None:
            return alias.meaning if alias.dotted >= dotted else NOTHING
        if dotted and word in wanted.dynamic:
            return Meaning(is_site=True, leads=True, gives=True)
        behind = dotted and self._behind(before[:-1].rstrip(_GAP), start, line)
        everywhere = wanted.behind_dots if dotted else wanted.anywhere
        is_site = word in everywhere or (behind and word in wanted.sites)
        leads = (behind and word in wanted.via) or (dotted and word in wanted.free)
        return Meaning(is_site, leads)

    def _is_target(self, start: int, line: int) -> bool:
        """Whether a name is one of several that an assignment unpacks into."""
        at = start - self._layout.starts[line]
        code = self._layout.codes[line]
        return _UNPACKED.match(code, 0, at) is not None and at < assigned_before(code)

    def _readable(self, at: int) -> bytes:
        """The text around an offset: an f-string is masked whole, the code in it too."""
        in_fstring = self._layout.masked[at] == IN_FSTRING
        return self._layout.data if in_fstring else self._layout.masked

    def _behind(self, before: bytes, start: int, line: int) -> bool:
        """Whether the receiver that ends here may be on the way to a site."""
        match = _LAST_WORD.search(before)
        if match is not None and match[0]:
            return match[0] in self._leading
        names = self._leading | self._wanted.indirections
        code = self._layout.codes[line][: start - self._layout.starts[line]]
        return not names.isdisjoint(_WORD.findall(code))

    def _bind(self, word: bytes, start: int, line: int, meaning: Meaning) -> None:
        """Learn what the line binds, unless it uses the value up: adds to it, passes it on."""
        end = start + len(word)
        after = self._layout.ends[line]  # what the next line begins with is no part of this one
        if _USED_UP.match(self._layout.masked, end, after):
            return
        if not meaning.gives and _CALLED.match(self._layout.masked, end, after):
            if meaning.made or not meaning.leads:
                return
            meaning = Meaning(is_site=False, leads=True, made=True)
        bound, giver = self._given(word, start, line)
        for name, dotted in bound:
            self._rename(word, name, is_site=meaning.is_site)
            self._learn(name, meaning, line, dotted=dotted)
        if giver:
            self._rename(word, giver, is_site=meaning.is_site)
            self._learn(giver, replace(meaning, gives=True), dotted=True)

    def _rename(self, word: bytes, name: bytes, *, is_site: bool = True) -> None:
        self.renamed.add(name)
        if is_site:
            self._bound[word].add(name)

    def _given(
        self, word: bytes, start: int, line: int
    ) -> tuple[Iterable[tuple[bytes, bool]], bytes | None]:
        """The names that a line binds to a word, and the function that gives it back."""
        layout = self._layout
        flows = flows_of(layout.written(line), self._handing)
        if flows is not None:
            targets = flows.bound.get(word, ())
            in_class = bool(targets) and is_field(layout, line)
            bound = {(one.name, one.dotted or (in_class and not one.inner)) for one in targets}
            return bound, function_at(layout, line) if word in flows.returned else None
        at = start - layout.starts[line]
        code = layout.codes[line]
        is_call = not SCOPE.match(code) and not self._is_asked_for(line)
        if is_call and passed_on(code, at, self._carriers):
            return (), None
        return bound_by(layout, line, at), returned_by(layout, line)

    def _matching(self, anchor: Anchor) -> Iterator[int]:
        """The lines in which a match of the regex begins; matches may overlap between lines."""
        layout, sites = self._layout, encoded([anchor.sites])
        regex = re2_compiled(anchor.regex)
        # RE2 reads bytes: of a text it would encode and count all again for every search.
        written = layout.data if layout.text.isascii() else layout.text.encode()
        byte = after = 0  # where to go on, in bytes and in characters
        match = regex.search(written)
        while match is not None and match.start() < len(written):
            start = after + len(written[byte : match.start()].decode(errors="ignore"))
            line = layout.line_at(start)
            kind = layout.masked[start]
            if kind == _COMMENT:
                after = layout.data.find(b"\n", start) + 1 or len(layout.data)
            else:
                after = max(layout.ends[line], start + 1)
                in_code = kind != IN_STRING or anchor.in_strings
                if in_code and (not sites or sites & set(_WORD.findall(self._code(line)))):
                    yield line
            byte = match.start() + len(layout.text[start:after].encode())
            match = regex.search(written, byte)

    def _words(self, line: int) -> list[bytes]:
        return _WORD.findall(self._code(line))

    def _code(self, line: int) -> bytes:
        """The words of a line, those in its f-strings too."""
        code = self._layout.codes[line]
        whole = self._layout.data[self._layout.starts[line] : self._layout.ends[line]]
        return whole if IN_FSTRING in code else code
