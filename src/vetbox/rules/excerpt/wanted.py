"""Wanted: the words of some anchors, by what they say at the places where they stand."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache

from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.filtering.anchors import Anchor
from vetbox.rules.resolve.homes import HOMES

_READERS = frozenset({"getattr"})  # what they give is a part of what they are given


@dataclass(frozen=True, slots=True)
class Wanted:
    """A rule fires at `sites`, and what `via` names leads to them.

    Of the sites, those of `fixed` fire under no other name, those of `anywhere` whatever is before
    them, those of `behind_dots` behind every dot, those of `in_strings` in texts too; `tops` are
    modules that are sites themselves. What `indirections` give may be anything, also behind a dot
    where they are `dynamic`; what `readers` give is a part of what they are given. Behind a dot,
    `free` words lead to a site whatever is before it. `roots` are the modules and builtins that
    names begin with; those in `outermost` are part of no other module.
    """

    sites: frozenset[bytes]
    via: frozenset[bytes]
    fixed: frozenset[bytes]
    anywhere: frozenset[bytes]
    behind_dots: frozenset[bytes]
    in_strings: frozenset[bytes]
    tops: frozenset[bytes]
    indirections: frozenset[bytes]
    dynamic: frozenset[bytes]
    readers: frozenset[bytes]
    free: frozenset[bytes]
    roots: frozenset[bytes]
    outermost: frozenset[bytes]

    @classmethod
    def of(cls, anchors: Sequence[Anchor], layout: Layout) -> "Wanted":
        dotted = [anchor for anchor in anchors if anchor.dotted]
        dynamic = [anchor for anchor in anchors if anchor.dynamic]
        sites = encoded(anchor.sites for anchor in anchors)
        via = encoded(anchor.via for anchor in anchors)
        anywhere = encoded(anchor.sites for anchor in anchors if anchor.any_receiver)
        roots = encoded({anchor.root} for anchor in anchors if anchor.root)
        alone = encoded(anchor.sites for anchor in dynamic if len(anchor.words) == 1)
        return cls(
            sites=sites,
            via=via.union(_homes_of(via, layout)),
            fixed=sites - encoded(anchor.sites for anchor in anchors if anchor.aliased),
            anywhere=anywhere,
            behind_dots=anywhere | encoded(a.sites for a in dotted if not a.via),
            in_strings=encoded(anchor.sites for anchor in anchors if anchor.in_strings),
            tops=encoded(anchor.sites & {anchor.root} for anchor in anchors),
            indirections=encoded(anchor.sites for anchor in dynamic),
            dynamic=encoded(anchor.sites for anchor in dynamic if anchor.dotted),
            readers=encoded(a.sites & _READERS for a in dynamic if len(a.words) > 1) - alone,
            free=encoded({anchor.lead} if anchor.lead else anchor.via for anchor in dotted),
            roots=roots,
            outermost=roots - encoded(anchor.via - {anchor.root} for anchor in anchors),
        )


def encoded(groups: Iterable[Set[str]]) -> frozenset[bytes]:
    """All words of some groups, as a file holds them."""
    return frozenset(word.encode() for group in groups for word in group)


def _homes_of(via: Set[bytes], layout: Layout) -> Iterator[bytes]:
    """The last words of the modules that define what is `via`, of those that the file speaks of."""
    homes = _homes()
    for word in via & homes.keys():
        for dotted, words in homes[word]:
            imported = words <= layout.imported_words and any(
                words <= line for line in layout.import_words.values()
            )
            if imported or layout.holds(dotted):
                yield dotted.rpartition(".")[2].encode()


@cache
def _homes() -> Mapping[bytes, Sequence[tuple[str, frozenset[bytes]]]]:
    """Modules and their words, by the last word of what their content is offered as."""
    found = defaultdict[bytes, list[tuple[str, frozenset[bytes]]]](list)
    for home, offered in HOMES.items():
        found[offered.rpartition(".")[2].encode()].append((home, encoded([{*home.split(".")}])))
    return found
