"""The layout of a file without parsing it: its strings masked, its logical lines, its blocks."""

import re
import string
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Set
from functools import cached_property, lru_cache
from itertools import accumulate, compress, count, islice, takewhile
from operator import add

from vetbox.code import lexemes

# In the masked text every character of a string is one of these; newlines in strings are too.
IN_STRING = 1
IN_FSTRING = 2  # code may stand in it

_BLANK_PAGE = re.compile(rb"^[ \t]*\f[ \t\f]*$", re.MULTILINE)
_NOT_STRUCTURE = bytes(byte for byte in range(256) if byte not in b"()[]{}\n")
_PAIRS = (b"()", b"[]", b"{}")
_OPENS = {b")"[0]: b"("[0], b"]"[0]: b"["[0], b"}"[0]: b"{"[0]}
_WORD_CHARACTERS = frozenset((string.ascii_letters + string.digits + "_").encode())
_DECLARED = re.compile(rb"\b(?:global|nonlocal)\b([^\n;]*)")
_NAME = re.compile(rb"\w+")
_TEXT = re.compile(rb"[ \t]*[rRbBuU]{0,2}\x01+\s*")
_PREFIXES = frozenset({b"f", b"F", b"t", b"T", b"r", b"R"})  # they may stand before a quote
_HASH = b"#"[0]
_COLON = b":"[0]
_TAB_WIDTH = 8


class Doubt(Exception):
    """The layout cannot be told without a parser: the whole file must be judged."""


class Layout:
    """Logical lines that hold code are numbered from 0; every method speaks in these numbers.

    `masked` and `data` have one byte for every character of `text`, so offsets agree. Raises Doubt
    for what a lexer must not decide alone: CR line ends, form feeds before code, identifiers beyond
    ASCII, quotes or brackets that do not match.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode("ascii", "replace")
        masked = _mask(self.data)
        self.masked = _BLANK_PAGE.sub(_spaces, masked) if b"\f" in masked else masked
        # A question mark in the masked text is an identifier beyond ASCII.
        if b"?" in self.masked or b"\r" in self.data or b"\f" in self.masked:
            raise Doubt("unusual characters")
        self._rows = self.masked.split(b"\n")  # a string over several lines is within one row
        self._joined = _joined_rows(self.masked, self._rows)
        self._after: dict[int, int] = {}
        self._known: dict[bytes, list[int]] = {}
        self._read: dict[bytes, bool] = {}
        self._held: dict[str, bool] = {}

    @cached_property
    def _lines(self) -> tuple[list[int], list[int], list[bytes]]:
        """Where each begins and ends, and its masked text."""
        rows = self._rows
        starts = [*map(add, accumulate(map(len, rows), initial=0), count())]
        if self._joined:
            rows = rows.copy()
            for first, last in self._joined:
                rows[first] = self.masked[starts[first] : starts[last + 1] - 1]
                rows[first + 1 : last + 1] = [b""] * (last - first)
        said = [*map(bytes.strip, rows)]
        codes, begun = [*compress(rows, said)], [*compress(starts, said)]
        return begun, [*map(add, begun, map(len, codes))], codes

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line."""
        return self._lines[0]

    @cached_property
    def ends(self) -> list[int]:
        """The offset behind each line."""
        return self._lines[1]

    @cached_property
    def codes(self) -> list[bytes]:
        """The masked text of each line."""
        return self._lines[2]

    def __len__(self) -> int:
        return len(self.starts)

    def line_at(self, offset: int) -> int:
        """The logical line that an offset of code lies in."""
        return bisect_right(self.starts, offset) - 1

    def occurrences(self, word: bytes, first: int = 0, last: int | None = None) -> list[int]:
        """Where a word stands as a whole, in strings and comments too, between two offsets."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = list(_whole(self.data, word))
        if last is None:
            return known
        return known[bisect_left(known, first) : bisect_left(known, last)]

    def holds(self, text: str) -> bool:
        """Is a text written anywhere, be it as a part of a word?"""
        known = self._held.get(text)
        if known is None:
            known = self._held[text] = text.encode() in self.data
        return known

    def is_read(self, word: bytes) -> bool:
        """Does a word stand anywhere but in comments, and in texts that are statements?"""
        known = self._read.get(word)
        if known is None:
            in_code = next(_whole(self.masked, word), None) is not None
            known = in_code or any(map(self._is_read_at, self.occurrences(word)))
            self._read[word] = known
        return known

    def _is_read_at(self, offset: int) -> bool:
        """The same of one place that is not in code itself."""
        kind = self.masked[offset]
        if kind == IN_STRING:
            return _TEXT.fullmatch(self.codes[self.line_at(offset)]) is None
        return kind == IN_FSTRING

    @cached_property
    def import_words(self) -> Mapping[int, Set[bytes]]:
        """Each line that imports, with all its words."""
        lines = dict.fromkeys(map(self.line_at, _places(self.masked, b"import")))
        return {line: frozenset(_NAME.findall(self.codes[line])) for line in lines}

    @cached_property
    def imported_words(self) -> Set[bytes]:
        """All words of all imports."""
        return frozenset().union(*self.import_words.values())

    @cached_property
    def _indents(self) -> list[int]:
        if b"\t" in self.masked:
            return [_width(code) for code in self.codes]
        return [len(code) - len(code.lstrip()) for code in self.codes]

    def indent(self, line: int) -> int:
        """The column, tabs expanded, at which a line begins."""
        return self._indents[line]

    def written(self, line: int) -> str:
        """The text of a logical line without the comment behind it."""
        start = self.starts[line]
        return self.text[start : start + len(self.codes[line].rstrip())]

    def opens_block(self, line: int) -> bool:
        return self.codes[line].rstrip().endswith(b":")

    def suite(self, line: int) -> range:
        """The lines nested below an opener."""
        return range(line + 1, self.after_suite(line))

    def after_suite(self, line: int) -> int:
        """The first line that is not nested below an opener."""
        known = self._after.get(line)
        if known is None:
            depth = self._indents[line]
            deeper = takewhile(depth.__lt__, islice(self._indents, line + 1, None))
            known = self._after[line] = line + 1 + sum(1 for _ in deeper)
        return known

    def enclosing(self, line: int) -> Iterator[int]:
        """The block openers around a line, innermost first."""
        if not self.codes[line][:1].isspace():
            return
        depth = self.indent(line)
        openers, indents, outers = self._openers
        index = bisect_left(openers, line) - 1
        while depth and index >= 0:
            if indents[index] < depth:
                yield openers[index]
                depth = indents[index]
            index = outers[index]

    @cached_property
    def declared(self) -> Set[bytes]:
        """The names that some function may bind in another scope."""
        if b"global" not in self.masked and b"nonlocal" not in self.masked:
            return frozenset()
        return frozenset(_NAME.findall(b" ".join(_DECLARED.findall(self.masked))))

    @cached_property
    def _openers(self) -> tuple[list[int], list[int], list[int]]:
        """Lines that open a block, how far each is indented, and which opener it is nested in."""
        codes = enumerate(map(bytes.rstrip, self.codes))
        openers = [line for line, code in codes if code[-1] == _COLON]
        indents = [self._indents[line] for line in openers]
        outers: list[int] = []
        around: list[int] = []
        for index, indent in enumerate(indents):
            while around and indents[around[-1]] >= indent:
                around.pop()
            outers.append(around[-1] if around else -1)
            around.append(index)
        return openers, indents, outers


def _whole(data: bytes, word: bytes) -> Iterator[int]:
    size, last = len(word), len(data) - len(word)
    at = data.find(word)
    while at >= 0:
        begins = not at or data[at - 1] not in _WORD_CHARACTERS
        if begins and (at == last or data[at + size] not in _WORD_CHARACTERS):
            yield at
        at = data.find(word, at + size)


def _places(data: bytes, part: bytes) -> Iterator[int]:
    at = data.find(part)
    while at >= 0:
        yield at
        at = data.find(part, at + len(part))


@lru_cache(maxsize=1)
def laid_out(text: str) -> Layout:
    """The layout of a text, kept until the next one is asked for; raises Doubt."""
    return Layout(text.replace("\r\n", "\n"))


def _width(code: bytes) -> int:
    width = len(code) - len(code.lstrip())
    if b"\t" in code[:width]:
        return len(code[:width].expandtabs(_TAB_WIDTH))
    return width


def _spaces(match: "re.Match[bytes]") -> bytes:
    return b" " * len(match.group())


def _mask(data: bytes) -> bytes:
    found = lexemes.parts(data)
    if found is None:
        raise Doubt("a string without end")
    parts = [*found]
    parts[1::2] = map(_masked, parts[1::2], parts[::2])
    return b"".join(parts)


def _masked(token: bytes, before: bytes) -> bytes:
    """A comment or a string without what it says."""
    if token[0] == _HASH:
        return b" " * len(token)
    if before[-1:] not in _PREFIXES or not _formatted(before):
        return b"\1" * len(token)
    if token.count(b"{") != token.count(b"}"):
        raise Doubt("a string inside an f-string may have ended it")
    return b"\2" * len(token)


def _formatted(before: bytes) -> bool:
    """Whether the letters before a quote open an f-string or a t-string."""
    return any(letter in b"fFtT" for letter in before[-2:])


def _joined_rows(masked: bytes, rows: list[bytes]) -> list[tuple[int, int]]:
    """(first, last) of every logical line of more than one physical line, in order."""
    spans = _bracketed(masked)
    if b"\\" in masked:
        spans = _merged(sorted(spans + _continued(masked, rows)))
    return spans


def _bracketed(masked: bytes) -> list[tuple[int, int]]:
    structure = masked.translate(None, _NOT_STRUCTURE)
    size = -1
    while size != len(structure):
        size = len(structure)
        for pair in _PAIRS:
            structure = structure.replace(pair, b"")
    spans: list[tuple[int, int]] = []
    open_brackets: list[int] = []
    first = 0
    for line, brackets in enumerate(structure.split(b"\n")):
        if not brackets:
            continue
        if not open_brackets:
            first = line
        _follow(brackets, open_brackets)
        if not open_brackets:
            spans.append((first, line))
    if open_brackets:
        raise Doubt("a bracket is never closed")
    return spans


def _follow(brackets: bytes, open_brackets: list[int]) -> None:
    for bracket in brackets:
        if bracket not in _OPENS:
            open_brackets.append(bracket)
        elif not open_brackets or open_brackets.pop() != _OPENS[bracket]:
            raise Doubt("a bracket closes nothing")


def _continued(masked: bytes, rows: list[bytes]) -> list[tuple[int, int]]:
    """A backslash outside strings may only end a line."""
    if masked.count(b"\\") != masked.count(b"\\\n"):
        raise Doubt("a stray backslash")
    return [(number, number + 1) for number, row in enumerate(rows) if row.endswith(b"\\")]


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, last in spans:
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
