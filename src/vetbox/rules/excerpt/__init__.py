"""The excerpt: the few lines of a file that decide what its rules say, as a module of their own.

Parsing is what judging costs (25,000 lines a second), and a rule rarely depends on more than the
line it fires on, what encloses it and what its names are bound to. The law, held by tests: findings
on the excerpt are the findings on the whole file.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping

from vetbox.rules.anchors import Anchors, Reach
from vetbox.rules.excerpt.assembly import Excerpt, assemble, completed, flat, stands_alone
from vetbox.rules.excerpt.bindings import Bindings
from vetbox.rules.excerpt.layout import Doubt, Layout
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.excerpt.targets import IMPORTS, first_word

__all__ = ["Excerpt", "reduce"]

_WORTHWHILE = 0.6  # of the file's lines; an excerpt nearer to the whole costs more than it saves


def reduce(text: str, anchors: Anchors, reaches: Mapping[str, Reach]) -> Excerpt | None:
    """The excerpt that decides what the rules in `anchors` say about a file; None: judge it whole.

    `anchors` holds the rules that may fire (see Prefilter.hits). An empty excerpt: none does, their
    sites are only in comments or behind other receivers.
    """
    reaching = defaultdict[Reach, set[str]](set)
    for rule in anchors:
        reaching[reaches[rule]].add(rule)
    reaching.pop(Reach.TEXT, None)
    if Reach.FILE in reaching or not all(anchors.values()):
        return None
    try:
        return _excerpt(Layout(text.replace("\r\n", "\n")), anchors, reaching)
    except Doubt:
        return None


def _excerpt(layout: Layout, anchors: Anchors, reaching: Mapping[Reach, set[str]]) -> Excerpt:
    sites = {
        reach: Sites(layout, [anchor for rule in rules for anchor in anchors[rule]])
        for reach, rules in reaching.items()
    }
    if set(sites) == {Reach.LINE}:
        lines = sites[Reach.LINE].lines
        if all(stands_alone(layout, line) for line in lines):
            return flat(layout, lines)
    chosen = completed(layout, _chosen(layout, sites))
    if len(chosen) > _WORTHWHILE * len(layout):
        raise Doubt("nearly everything matters")
    return assemble(layout, chosen)


def _chosen(layout: Layout, sites: Mapping[Reach, Sites]) -> set[int]:
    bindings = Bindings(layout)
    lines: set[int] = set()
    for reach, found in sites.items():
        hits = {near for line in found.lines for near in _NEARBY[reach](layout, line)}
        if reach in (Reach.LINE, Reach.BLOCK):
            lines |= hits
        else:
            lines |= bindings.closure(hits, only=found.names if reach is Reach.CALLEE else None)
    return lines


def _itself(layout: Layout, line: int) -> set[int]:
    return {line}


def _with_suite(layout: Layout, line: int) -> set[int]:
    return {line, *layout.suite(line)}


def _outermost(layout: Layout, line: int) -> set[int]:
    """The whole statement of the module that a line is a part of; an import stands for itself."""
    around = list(layout.enclosing(line))
    if not around and first_word(layout.codes[line]) in IMPORTS:
        return {line}
    if not around or any(b"global" in layout.codes[inner] for inner in layout.suite(around[-1])):
        raise Doubt("the module's own statements may all matter")
    return {around[-1], *layout.suite(around[-1])}


_NEARBY: Mapping[Reach, Callable[[Layout, int], set[int]]] = {
    Reach.LINE: _itself,
    Reach.CALLEE: _itself,
    Reach.NAMES: _itself,
    Reach.BLOCK: _with_suite,
    Reach.SUITE: _with_suite,
    Reach.FUNCTION: _outermost,
}
