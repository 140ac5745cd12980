"""How far the verdict on a formula looks: at a line, a block, a function or the whole file."""

from collections.abc import Iterator

from vetbox.rules.filtering.anchors import Reach
from vetbox.rules.language import formula as f

_WHOLE = (f.Raw, f.StringRef, f.Where)
# Wider looks later: a rule looks as far as its widest part.
_WIDTHS = (
    Reach.LINE, Reach.BLOCK, Reach.NAMES, Reach.SUITE, Reach.FUNCTION, Reach.FILE
)  # fmt: skip


def reach_of(formula: f.Formula) -> Reach:
    """The widest look of any part."""
    return max((_reach(part) for part in _parts(formula)), key=_WIDTHS.index)


def _reach(part: f.Formula) -> Reach:
    match part:
        case f.Assert(test=None):
            return Reach.LINE
        case f.Except(types=None) | f.String():
            return Reach.BLOCK
        case f.Except():
            return Reach.SUITE
        case f.Has():
            return Reach.FUNCTION
        case f.Where(part=None):
            return Reach.NAMES
        case f.Code(pattern=pattern):
            return _pattern_reach(pattern)
    return Reach.FILE if isinstance(part, _WHOLE) else Reach.NAMES


def _pattern_reach(text: str) -> Reach:
    """An expression without a word of its own never says where it stands: other parts do."""
    from vetbox.rules.patterns import is_local, parse_pattern

    pattern = parse_pattern(text)
    if pattern.expression is not None and not pattern.words:
        return Reach.NAMES
    return Reach.FUNCTION if is_local(pattern) else Reach.FILE


def _parts(formula: f.Formula) -> Iterator[f.Formula]:
    match formula:
        case f.Any(parts=parts) | f.All(parts=parts):
            for part in parts:
                yield from _parts(part)
        case f.Not(part=part) | f.Focused(part=part):
            yield from _parts(part)
        case f.Inside(part=part) | f.Has(part=part):
            yield formula
            yield from _parts(part)
        case _:
            yield formula
