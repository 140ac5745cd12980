"""Wanted words: those of some anchors, by how they must stand in the text to be a site."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache

from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.resolve.homes import HOMES

_READERS = frozenset({"getattr"})  # what they give is a part of what they are given


@dataclass(frozen=True, slots=True)
class Wanted:
    """The words that lead to a site, by how they must stand in the text."""

    sites: frozenset[bytes]
    """Last words of names: a rule may fire on a line with one."""
    via: frozenset[bytes]
    """Earlier words of names: what is called so may lead to a site behind a dot."""
    fixed: frozenset[bytes]
    """Sites that are not followed through aliases."""
    anywhere: frozenset[bytes]
    """Sites whatever stands before them."""
    behind_dots: frozenset[bytes]
    """Sites behind every dot."""
    in_strings: frozenset[bytes]
    """Sites in string literals too."""
    tops: frozenset[bytes]
    """Modules that are sites themselves."""
    indirections: frozenset[bytes]
    """Calls whose result may be anything."""
    dynamic: frozenset[bytes]
    """Those of them that count behind a dot as well."""
    readers: frozenset[bytes]
    """Calls whose result is an attribute of their argument: `getattr`."""
    free: frozenset[bytes]
    """Words that lead to a site behind any dot, whatever stands before it."""
    roots: frozenset[bytes]
    """The modules and builtins with which names begin."""
    begun: frozenset[bytes]
    """All words that names are followed from."""
    outermost: frozenset[bytes]
    """Those of them that are part of no other module."""

    @classmethod
    def of(cls, anchors: Sequence[Anchor], layout: Layout) -> "Wanted":
        dotted = [anchor for anchor in anchors if anchor.dotted]
        dynamic = [anchor for anchor in anchors if anchor.dynamic]
        sites = encoded(anchor.sites for anchor in anchors)
        via = encoded(anchor.via for anchor in anchors)
        anywhere = encoded(anchor.sites for anchor in anchors if anchor.any_receiver)
        roots = encoded({anchor.root} for anchor in anchors if anchor.root)
        alone = encoded(anchor.sites for anchor in dynamic if len(anchor.words) == 1)
        homes = frozenset(_homes_of(via, layout))  # of pandas there may be modin.pandas
        return cls(
            sites=sites,
            via=via | homes,
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
            begun=roots | sites,
            outermost=roots - homes - encoded(anchor.via - {anchor.root} for anchor in anchors),
        )


def encoded(groups: Iterable[Set[str]]) -> frozenset[bytes]:
    """All words of some groups, as a file holds them."""
    return frozenset(word.encode() for group in groups for word in group)


def kept_sites(anchors: Iterable[Anchor]) -> dict[bytes | None, set[bytes]]:
    """The sites of what may be given a name first, by what is asked of it where it stands."""
    found: dict[bytes | None, set[bytes]] = {}
    for anchor in anchors:
        if anchor.kept:
            found.setdefault(anchor.asked.encode() or None, set()).update(encoded([anchor.sites]))
    return found


def _homes_of(via: Set[bytes], layout: Layout) -> Iterator[bytes]:
    """The last words of the modules that define what is `via`, of those that the file speaks of."""
    homes = _homes()
    for word in via & homes.keys():
        for dotted, words in homes[word]:
            root, _, last = dotted.partition(".")[0], *dotted.rpartition(".")[1:]
            imported = words <= layout.imported_words and any(
                words <= line for line in layout.import_words.values()
            )
            if imported or (root.encode() in layout.imported_words and layout.holds(f".{last}")):
                yield last.encode()


@cache
def _homes() -> Mapping[bytes, Sequence[tuple[str, frozenset[bytes]]]]:
    """Modules and their words, by the last word of what their content is offered as."""
    found = defaultdict[bytes, list[tuple[str, frozenset[bytes]]]](list)
    for home, offered in HOMES.items():
        found[offered.rpartition(".")[2].encode()].append((home, encoded([{*home.split(".")}])))
    return found
