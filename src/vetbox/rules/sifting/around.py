"""Around: the blocks that a line is in, and what is written over its functions."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache

from vetbox.rules.excerpt.layout import IN_FSTRING, IN_STRING, Layout
from vetbox.rules.excerpt.targets import CLASS, DEF, IMPORTS, SCOPE, first_word
from vetbox.rules.filtering.name_anchors import name_anchors
from vetbox.rules.fragments import Unreadable, identifiers, nodes_in
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.assignments import NameAssignments
from vetbox.rules.sifting.blocks import (
    begun_by,
    decorated_with,
    keywords_of,
    opened_by,
    returns,
    words_around,
)
from vetbox.rules.sifting.naming import is_called

_PLAIN = re.compile(rb"\s*@\s*(?:\w+\s*\.\s*)*(\w+)\s*(?:\([^()]*\))?\s*")
_STATED = re.compile(rb"\s*(?:\w+\.)*\w+")
_COMMENT = b" "[0]
_WORD = re.compile(rb"\w+")
_NAMED = re.compile(rb"\s*(?:async\b[\s\\]*)?(def|class)\b[\s\\]*(\w+)")


class Around:
    """Answers about one line; each is worked out when it is first asked for."""

    def __init__(self, layout: Layout, line: int) -> None:
        self._layout = layout
        self._line = line

    @cached_property
    def _lines(self) -> list[int]:
        return [self._line, *self._layout.enclosing(self._line)]

    @cached_property
    def decorators(self) -> Set[str]:
        """The last words of the decorators of all functions and classes around, and its own."""
        return {word for opener in self._lines for word in _above(self._layout, opener)}

    @cached_property
    def named(self) -> Mapping[str, Set[str]] | None:
        """What the functions (`def`) and classes around are called, its own too; None: not told."""
        if any(first_word(self._layout.codes[opener]) == b"@" for opener in self._lines):
            return None  # a part of what is below
        found: dict[str, set[str]] = {"def": set(), "class": set()}
        for opener in self._lines:
            scope = _NAMED.match(self._layout.codes[opener])
            if scope:
                found[scope[1].decode()].add(scope[2].decode())
        return found

    @cached_property
    def header_words(self) -> Set[str] | None:
        """The words of the headers of all functions around, its own too; None: not told."""
        if self.named is None:
            return None
        headers = filter(DEF.match, (self._layout.codes[opener] for opener in self._lines))
        return {word.decode() for header in headers for word in _WORD.findall(header)}

    @cached_property
    def bases(self) -> Sequence[ast.expr] | None:
        """What the classes around inherit from, its own too; None: not told."""
        if self.named is None:
            return None
        headers = filter(self._is_class, self._lines)
        try:
            nodes = [node for line in headers for node in nodes_in(self._layout.written(line))]
        except Unreadable:
            return None
        return [base for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases]

    def _is_class(self, line: int) -> bool:
        return CLASS.match(self._layout.codes[line]) is not None

    def imported_with(self, words: Set[str]) -> Set[str]:
        """All words of the imports that have one of some, or a star."""
        codes, wanted = self._layout.codes, {word.encode() for word in words}
        lines = self._layout.import_words.items()
        found = [said for line, said in lines if said & wanted or b"*" in codes[line]]
        return {word.decode() for said in found for word in said}

    def has_all(self, words: Set[str]) -> bool:
        """Are they all written in the file, be it as parts of others?"""
        return all(map(self._layout.holds, words))

    def mentions(self, words: Set[str] | None) -> bool:
        """Is one of them written in the file, be it as a part of another? None: any word."""
        return words is None or any(map(self._layout.holds, words))

    def may_follow(self, called: str) -> bool:
        """May a call of this come before the line, as a statement of a block around it?"""
        layout, word = self._layout, called.encode()
        blocks = {*self._lines}
        for start in layout.occurrences(word):
            kind = layout.masked[start]
            if kind in (_COMMENT, IN_STRING):
                continue
            line = layout.line_at(start)
            code = layout.codes[line]
            if first_word(code) in IMPORTS and b" as " not in code:
                continue
            end = start + len(word) - layout.starts[line]
            if (
                kind == IN_FSTRING
                or not _STATED.fullmatch(code, 0, end)
                or code[end : end + 1] != b"("
            ):
                return True  # it may go by another name
            if line <= self._line and blocks.issuperset(layout.enclosing(line)):
                return True
        return False

    def may_begin(self, keywords: Set[str]) -> bool:
        """May a statement with these words stand before the line, in a block around it?"""
        blocks = {*self._lines}
        return not keywords or any(
            line <= self._line and blocks.issuperset(self._layout.enclosing(line))
            for line in self._with_words(keywords, 0, self._layout.ends[self._line])
        )

    def may_hold(self, openers: Set[str], keywords: Set[str]) -> bool:
        """May a block that begins so stand in a function around the line?"""
        lines = self._in_function(keywords) if keywords else None
        return lines is None or any(
            first_word(self._layout.codes[line]).decode() in openers for line in lines
        )

    def may_return(self) -> bool:
        """May a function around the line return something?"""
        lines = self._in_function(frozenset({"return"}))
        return lines is None or any(True for _ in lines)

    def _in_function(self, keywords: Set[str]) -> Iterable[int] | None:
        """The lines of all functions around with these words; None: not told."""
        layout = self._layout
        if first_word(layout.codes[self._line]) == b"@":
            return None  # a part of what is below
        functions = [line for line in self._lines if DEF.match(layout.codes[line])]
        if not functions:
            return ()
        start, last = functions[-1], layout.after_suite(functions[-1]) - 1
        return self._with_words(keywords, layout.starts[start], layout.ends[last])

    def _with_words(self, keywords: Set[str], start: int, end: int) -> Iterator[int]:
        """The lines between two offsets that have all these words outside of strings."""
        layout = self._layout
        wanted = {word.encode() for word in keywords}
        for at in layout.occurrences(max(wanted, key=len), start, end):
            if layout.masked[at] not in (_COMMENT, IN_STRING):
                line = layout.line_at(at)
                written = layout.data[layout.starts[line] : layout.ends[line]]
                if wanted.issubset(_WORD.findall(written)):
                    yield line

    @cached_property
    def openers(self) -> Set[str]:
        """The first words of the blocks around it, and its own."""
        return {first_word(self._layout.codes[opener]).decode() for opener in self._lines}


def _above(layout: Layout, line: int) -> Iterator[str]:
    if not SCOPE.match(layout.codes[line]):
        return
    while line and layout.codes[line - 1].lstrip().startswith(b"@"):
        line -= 1
        code = layout.codes[line]
        plain = _PLAIN.fullmatch(code)
        yield from (word.decode() for word in ([plain[1]] if plain else _WORD.findall(code)))


def may_be_around(formula: f.Formula, around: Around, assignments: NameAssignments) -> bool:
    """May it hold at something around the line?"""
    match formula:
        case f.All(parts=parts):
            return all(may_be_around(part, around, assignments) for part in parts) and all(
                around.may_hold(opened_by(held), keywords_of(held))
                for held in _held_by_function(parts)
            )
        case f.Any(parts=parts):
            return any(may_be_around(part, around, assignments) for part in parts)
        case f.Def(names=names, decorator=decorator, parameters=wanted):
            words = around.header_words
            if not _is_named(names, "def", around) or not (words is None or wanted <= words):
                return False
            return decorator is None or _is_decorated(decorator.last_words, around, assignments)
        case f.Class(names=names, inherited=True):
            return around.bases != [] and _is_named(names, "class", around)
        case f.Class(names=names, base=base, resolve=level):
            inherited = base is None or _is_inherited(base, level, around, assignments)
            return inherited and _is_named(names, "class", around)
        case f.Has(part=f.Call(names=names, resolve=level) | f.Name(names=names, resolve=level)):
            return level is f.Resolve.DYNAMIC or around.mentions(names.last_words)
        case f.Code(pattern=pattern):
            return _may_be_code_around(pattern, around, assignments)
    return True


def _may_be_code_around(pattern: str, around: Around, assignments: NameAssignments) -> bool:
    """May a pattern match a block that the line is in, or one that follows it?"""
    openers = opened_by(pattern)
    if openers and openers.isdisjoint(around.openers):
        return False
    if not around.has_all(words_around(pattern)):
        return False
    if not all(_is_decorated({word}, around, assignments) for word in decorated_with(pattern)):
        return False
    called = begun_by(pattern)
    if called is not None and not around.may_follow(called):
        return False
    if returns(pattern) and not around.may_return():
        return False
    return bool(openers) or around.may_begin(keywords_of(pattern))


def _held_by_function(parts: Sequence[f.Formula]) -> Sequence[str]:
    """The patterns of blocks that a function has to hold, where the parts are asked of one."""
    if not any(map(_is_function, parts)):
        return ()
    held = [
        one.part.pattern for one in parts if isinstance(one, f.Has) and isinstance(one.part, f.Code)
    ]
    return [pattern for pattern in held if opened_by(pattern)]


def _is_function(formula: f.Formula) -> bool:
    match formula:
        case f.Code(pattern=pattern):
            return "def" in opened_by(pattern)
    return isinstance(formula, f.Def)


def _is_named(names: f.Names, kind: str, around: Around) -> bool:
    """May a function or a class around have one of the names?"""
    return around.named is None or any(name in names for name in around.named[kind])


def _is_inherited(
    wanted: f.Names, level: f.Resolve, around: Around, assignments: NameAssignments
) -> bool:
    """May a class around have a base of one of the names?"""
    bases = around.bases
    return bases is None or any(_may_be(wanted, level, base, around, assignments) for base in bases)


def _may_be(
    wanted: f.Names, level: f.Resolve, base: ast.expr, around: Around, assignments: NameAssignments
) -> bool:
    """A plain name that is given nothing means what it spells, with the imports of its words."""
    words = frozenset(identifiers(base))
    if not _is_plain(base) or any(map(assignments.is_anything, words)):
        return True
    spelled = words | around.imported_with(words)
    return any(needed <= spelled for needed in _needed(wanted, level))


def _is_plain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


@lru_cache(maxsize=1_000)
def _needed(wanted: f.Names, level: f.Resolve) -> Sequence[Set[str]]:
    """The words that have to be written for one of the names to be meant."""
    if any("?" in name for name in (*wanted.exact, *wanted.globs)):
        return (frozenset(),)
    return tuple(anchor.words for anchor in name_anchors(wanted, level))


def _is_decorated(wanted: Set[str] | None, around: Around, assignments: NameAssignments) -> bool:
    """May a function or a class around have a decorator that ends with one of these words?"""
    if around.named is None:
        return True  # the line is a decorator itself, and others stand below it
    return wanted is None or any(
        is_called(word, wanted) or assignments.is_bound(word) or assignments.is_member(word)
        for word in around.decorators
    )
