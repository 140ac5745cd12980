"""How far the verdict on a formula looks: at a line, a block, a function or the whole file."""

from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Reach

_WHOLE = (f.Raw, f.StringRef)
# Wider looks later: a rule looks as far as its widest part.
WIDTHS = (
    Reach.LINE,
    Reach.BLOCK,
    Reach.NAMES,
    Reach.SUITE,
    Reach.WITHIN,
    Reach.FUNCTION,
    Reach.RUN,
    Reach.CLASS,
    Reach.FILE,
)


def reach_of(formula: f.Formula, *, around: bool = False) -> Reach:
    """The widest look of any part; `around`: it is asked of what stands around the place."""
    match formula:
        case f.Any(parts=parts) | f.All(parts=parts):
            found = widest(*(reach_of(part, around=around) for part in parts))
            # What a class around holds may stand in its other methods.
            looks_into_it = around and found is Reach.FUNCTION and _is_of_class(formula)
            return Reach.CLASS if looks_into_it else found
        case f.Not(part=part) | f.Focused(part=part):
            return reach_of(part, around=around)
        case f.Inside(part=part):
            if is_told_by_header(part) or _is_on_the_line(part):
                return Reach.NAMES
            return widest(Reach.FUNCTION, reach_of(part, around=True))
        case f.Has(part=part):
            return widest(Reach.FUNCTION if around else Reach.WITHIN, reach_of(part))
        case f.Where(part=part):
            if part is None:
                told = formula.written or formula.not_written
                return Reach.FUNCTION if told else Reach.NAMES
            return widest(Reach.FUNCTION, reach_of(part))
        case f.Code(pattern=pattern):
            return _pattern_reach(pattern, around=around)
    return _matcher_reach(formula)


def is_told_by_header(part: f.Formula) -> bool:
    """Does what encloses a line tell it alone, whatever its names mean?"""
    from vetbox.rules.patterns import is_any_block, parse_pattern

    match part:
        case f.Any(parts=parts) | f.All(parts=parts):
            return all(map(is_told_by_header, parts))
        case f.Not(part=inner) | f.Focused(part=inner):
            return is_told_by_header(inner)
        case f.Def(decorator=None) | f.Class(base=None):
            return True
        case f.Code(pattern=pattern):
            return is_any_block(parse_pattern(pattern))
    return False


def _is_on_the_line(part: f.Formula) -> bool:
    """Is what encloses a place a part of its line?"""
    from vetbox.rules.patterns import is_around_on_line, parse_pattern

    match part:
        case f.Any(parts=parts):
            return all(map(_is_on_the_line, parts))
        case f.Code(pattern=pattern):
            return is_around_on_line(parse_pattern(pattern))
    return isinstance(part, f.Assign)


def _is_of_class(formula: f.Formula) -> bool:
    """May it be asked of a class?"""
    if isinstance(formula, f.Any | f.All):
        return any(map(_is_of_class, formula.parts))
    if isinstance(formula, f.Focused):
        return _is_of_class(formula.part)
    return isinstance(formula, f.Class)


def widest(*reaches: Reach) -> Reach:
    """The one that looks furthest; at the line alone where there is none."""
    return max(reaches, key=WIDTHS.index, default=Reach.LINE)


def _matcher_reach(matcher: f.Formula) -> Reach:
    match matcher:
        case f.Assert(test=None):
            return Reach.LINE
        case f.Except(types=None) | f.String():
            return Reach.BLOCK
        case f.Except():
            return Reach.SUITE
        case f.Class(inherited=True):
            return Reach.FILE
    return Reach.FILE if isinstance(matcher, _WHOLE) else Reach.NAMES


def _pattern_reach(text: str, *, around: bool) -> Reach:
    """What matches an expression, or a statement without a block, is on the line itself."""
    from vetbox.rules.patterns import (
        is_hole,
        is_line,
        is_local,
        is_run,
        is_together,
        parse_pattern,
    )

    pattern = parse_pattern(text)
    if around and is_hole(pattern):
        return Reach.FILE
    if is_line(pattern):
        return Reach.NAMES
    if is_local(pattern) or (around and is_together(pattern)):
        return Reach.FUNCTION
    return Reach.RUN if around and is_run(pattern) else Reach.FILE
