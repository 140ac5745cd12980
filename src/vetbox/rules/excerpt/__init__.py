"""The excerpt: the few lines of a file that decide what its rules say, as a module of their own.

Parsing is what judging costs (25,000 lines a second), and a rule rarely depends on more than the
line it fires on, what encloses it and what its names are bound to. The law, held by tests: findings
on the excerpt are the findings on the whole file.

- the file without parsing it: `layout` (logical lines and blocks), `targets` (what a line binds),
  `flows` (from what it assigns).
- the lines on which rules may fire: `sites`, by the words that are `wanted` and their aliases
  (`meanings`, `carriers`); `askers` are the rules of a site.
- the lines that decide there: `bindings` of names, put together by `assembly`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Protocol, TypeAlias

from vetbox.rules.excerpt.askers import Askers
from vetbox.rules.excerpt.assembly import PARTNERS, Excerpt, assemble, completed, flat, stands_alone
from vetbox.rules.excerpt.bindings import Bindings
from vetbox.rules.excerpt.layout import Doubt, Layout, laid_out
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.excerpt.targets import DEF, IMPORTS, SCOPE, bindings_of, first_word
from vetbox.rules.language.anchors import Anchors, Reach

__all__ = ["Excerpt", "Kept", "Sieve", "reduce"]

Kept: TypeAlias = Mapping[Reach, Mapping[int, bytes | None]]
"""By reach the lines on which a rule may fire, each with the words that decide (None: all)."""
_ADJACENT = frozenset({Reach.FUNCTION, Reach.RUN, Reach.CLASS, Reach.FILE})
"""The reaches of rules that may depend on which statement follows directly."""
_WORTHWHILE = (
    0.9  # of lines and characters; an excerpt nearer to the whole costs more than it saves
)


class Sieve(Protocol):
    """Drops rules and lines which a cheaper judgement excludes, as `rules.sifting` does."""

    def possible(self, rules: Iterable[str]) -> set[str]: ...

    def kept(self, sites: Sites, askers: Askers) -> Kept: ...


def reduce(
    text: str,
    anchors: Anchors,
    reaches: Mapping[str, Reach],
    sieve: Callable[[Layout], Sieve] | None = None,
) -> Excerpt | None:
    """The excerpt that decides what the rules in `anchors` say about a file; None: judge it whole.

    `anchors` holds the rules that may fire (see Prefilter.hits). An empty excerpt: none does, their
    sites are only in comments or behind other receivers.
    """
    reaching = defaultdict[Reach, set[str]](set)
    for rule in anchors:
        reaching[reaches[rule]].add(rule)
    reaching.pop(Reach.TEXT, None)
    placed = all(found and all(anchor.is_placed for anchor in found) for found in anchors.values())
    if not placed or (Reach.FILE in reaching and sieve is None):
        return None
    try:
        layout = laid_out(text)
        return _excerpt(layout, anchors, reaching, sieve(layout) if sieve else None)
    except Doubt:
        return None


def _excerpt(
    layout: Layout, anchors: Anchors, reaching: Mapping[Reach, set[str]], sieve: Sieve | None
) -> Excerpt:
    kept, looking = _kept(layout, anchors, reaching, sieve)
    if not kept:
        return assemble(layout, ())
    if Reach.FILE in kept:
        raise Doubt("the whole file may matter")
    if set(kept) == {Reach.LINE}:
        lines = kept[Reach.LINE]
        if all(stands_alone(layout, line) for line in lines):
            return flat(layout, lines)
    chosen = completed(layout, _chosen(layout, kept))
    if len(chosen) > _WORTHWHILE * len(layout) and _size(layout, chosen) > _WORTHWHILE * len(
        layout.text
    ):
        raise Doubt("nearly everything matters")
    return assemble(layout, chosen, apart=not _ADJACENT.isdisjoint(looking))


def _kept(
    layout: Layout, anchors: Anchors, reaching: Mapping[Reach, set[str]], sieve: Sieve | None
) -> tuple[dict[Reach, dict[int, bytes | None]], set[Reach]]:
    """The lines on which rules may fire, by how far these look, and the reaches of those rules."""
    kept: dict[Reach, dict[int, bytes | None]] = {}
    looking: set[Reach] = set()
    for reach, asked in reaching.items():
        rules = asked if sieve is None else sieve.possible(asked)
        if not rules:
            continue
        asked_for = {rule: anchors[rule] for rule in rules}
        sites = Sites(layout, chain.from_iterable(asked_for.values()))
        if sieve is None:
            found: Kept = {reach: dict.fromkeys(sites.lines)}
        else:
            found = sieve.kept(sites, Askers(layout, sites, asked_for))
        for near, lines in found.items():
            if lines:
                looking.add(reach)
                _add(kept.setdefault(near, {}), lines)
    return kept, looking


def _add(kept: dict[int, bytes | None], lines: Mapping[int, bytes | None]) -> None:
    for line, words in lines.items():
        known = kept.get(line, b"")
        kept[line] = None if known is None or words is None else known + b" " + words


def _size(layout: Layout, lines: Iterable[int]) -> int:
    """The characters of some lines; those of comments and blank lines are in none."""
    return sum(layout.ends[line] - layout.starts[line] for line in lines)


def _chosen(layout: Layout, kept: Mapping[Reach, Mapping[int, bytes | None]]) -> set[int]:
    bindings = Bindings(layout)
    lines: set[int] = set()
    for reach, found in kept.items():
        hits = {near for line in found for near in _NEARBY[reach](layout, line)}
        if reach in (Reach.RUN, Reach.CLASS):
            hits |= _beside(layout, found)
        if reach in (Reach.LINE, Reach.BLOCK):
            lines |= hits
        else:
            lines |= bindings.closure(hits, found if reach is Reach.NAMES else {})
    return lines


def _itself(layout: Layout, line: int) -> set[int]:
    return {line}


def _with_suite(layout: Layout, line: int) -> set[int]:
    return {line, *layout.suite(line)}


_GLOBAL = re.compile(rb"\bglobal\b|(?<![.\w])globals[\s\\]*\(|=[\s\\]*globals\b")
_WORD = re.compile(rb"\w+")
_MANY_USES = 200  # lines; following more costs more than parsing the file whole


def _function(layout: Layout, line: int) -> set[int]:
    """The whole function that a line is a part of, with what uses the names it gives a module.

    What is written around it, decorators and bases among it, may be asked for what it means.
    """
    found: set[int] = set()
    waiting = [line]
    while waiting:
        line = _decorated(layout, waiting.pop())
        if line in found:
            continue
        around = list(layout.enclosing(line))
        functions = [outer for outer in (line, *around) if DEF.match(layout.codes[outer])]
        found.add(line)
        for outer in (functions or around or [line])[-1:]:
            suite = {outer, *layout.suite(outer)}
            found |= completed(layout, {outer}) | suite
            found |= set() if functions else _later_clauses(layout, outer)
            waiting += _lines_with(layout, _declared_in(layout, suite))
        if not functions and first_word(layout.codes[line]) not in IMPORTS:
            waiting += _lines_with(layout, bindings_of(layout.codes[line]))
        if len(waiting) > _MANY_USES:
            raise Doubt("what the module's own statements bind is used everywhere")
    return found


def _declared_in(layout: Layout, lines: Iterable[int]) -> Iterator[bytes]:
    """The names that functions bind for the whole module, by declaring them."""
    for line in lines:
        code = layout.codes[line]
        if _GLOBAL.search(code):
            if first_word(code) != b"global":
                raise Doubt("a function may bind names of the module")
            yield from _WORD.findall(code.partition(b";")[0])[1:]


def _later_clauses(layout: Layout, line: int) -> set[int]:
    """What belongs to the statement of a clause from there on: `else`, `except` and the like."""
    end = layout.after_suite(line)
    while end < len(layout) and first_word(layout.codes[end]) in PARTNERS:
        end = layout.after_suite(end)
    return set(range(line + 1, end))


def _class(layout: Layout, line: int) -> set[int]:
    """The function, and the outermost block around it."""
    found = _function(layout, line)
    for outer in list(layout.enclosing(line))[-1:]:
        found |= _with_suite(layout, outer)
    return found


def _beside(layout: Layout, lines: Iterable[int]) -> set[int]:
    """All that stands beside some lines or around them but other functions and classes."""
    found: set[int] = set()
    for around in {frozenset(layout.enclosing(line)) for line in lines}:
        at = 0
        while at < len(layout):
            code = layout.codes[at]
            if SCOPE.match(code) and at not in around:
                at = layout.after_suite(at)
                continue
            if first_word(code) != b"@":
                found.add(at)
            at += 1
    return found


def _within(layout: Layout, line: int) -> set[int]:
    """What a node of a line holds: a decorator stands for what is below it."""
    below = _decorated(layout, line)
    opens = layout.opens_block(below)
    return {line} | _function(layout, below) if opens else {line}


def _decorated(layout: Layout, line: int) -> int:
    """The function or class that a decorator stands over; another line itself."""
    while line + 1 < len(layout) and first_word(layout.codes[line]) == b"@":
        line += 1
    return line


def _lines_with(layout: Layout, names: Iterable[bytes]) -> Iterator[int]:
    """Where some names stand; in a comment above all lines they are in none."""
    for name in names:
        yield from (at for at in map(layout.line_at, layout.occurrences(name)) if at >= 0)


_NEARBY: Mapping[Reach, Callable[[Layout, int], set[int]]] = {
    Reach.LINE: _itself,
    Reach.NAMES: _itself,
    Reach.BLOCK: _with_suite,
    Reach.SUITE: _with_suite,
    Reach.WITHIN: _within,
    Reach.FUNCTION: _function,
    Reach.RUN: _function,
    Reach.CLASS: _class,
}
