"""The anchors of a rule: those of all that it looks for, and which of them add nothing.

Where doubt is a finding, of two anchors the one that asks for less says all that the other does:
most names can be computed, and then no other word has to be there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from vetbox.rules.filtering.anchoring import anchors_of
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.raising import raised
from vetbox.rules.language.taint import Taint


def rule_anchors(matcher: f.Formula, taint: Taint | None, *, judges: bool) -> tuple[Anchor, ...]:
    """Those of a rule; where it `judges` code about to run, names are followed further there.

    Of a rule that follows data all stay: each tells which of its places may be there.
    """
    if taint is not None:
        return anchors_of(matcher)
    return _thinned(_raised_anchors(matcher) if judges else anchors_of(matcher))


def source_anchors(taint: Taint | None) -> tuple[Anchor, ...]:
    """A file without any source has no flow, whatever sinks it has."""
    if taint is None:
        return ()
    return anchors_of(f.Any(tuple(place.formula for place in taint.sources if place.enters)))


def _raised_anchors(formula: f.Formula) -> tuple[Anchor, ...]:
    """Those for code about to run as well, where names are followed further (raising.py)."""
    anchors = anchors_of(formula)
    further = anchors_of(raised(formula)) if anchors else ()
    return tuple(dict.fromkeys((*anchors, *map(_in_doubt, filter(_adds, further)))))


def _adds(anchor: Anchor) -> bool:
    """In doubt, what computes a name needs no other word beside it."""
    return not anchor.dynamic or len(anchor.words) == 1


def _in_doubt(anchor: Anchor) -> Anchor:
    return anchor._replace(doubtful=True)


def _thinned(anchors: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """All that count somewhere: what is outdone counts only where it is not in doubt."""
    outdone = set(_outdone(anchors))
    marked = (one._replace(outdone=True) if one in outdone else one for one in anchors)
    return tuple(one for one in marked if not (one.outdone and one.doubtful))


def _outdone(anchors: Iterable[Anchor]) -> Iterator[Anchor]:
    """Those that hold only where another does."""
    alike: dict[Anchor, list[Anchor]] = defaultdict(list)
    for one in anchors:
        alike[one._replace(words=frozenset(), texts=(), doubtful=False)].append(one)
    for group in alike.values():
        for one in group:
            if any(_outdoes(other, one) for other in group):
                yield one


def _outdoes(other: Anchor, one: Anchor) -> bool:
    """Does the other ask for less, or for the same without doubt?"""
    less = other.words <= one.words and set(other.texts) <= set(one.texts)
    same = other.words == one.words and set(other.texts) == set(one.texts)
    return (one.doubtful and not other.doubtful) if same else less
