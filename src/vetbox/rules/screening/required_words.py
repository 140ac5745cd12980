"""Required words: the names and texts without which a formula cannot hold."""

import re
from collections.abc import Iterator, Sequence

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.metavariable_places import is_code, written_as
from vetbox.rules.sifting.metavariables import regexes_of

_KINDS_BEYOND_ASCII = frozenset({"invisible", "mixed-script"})
_KEYED = frozenset({"item", "compare"})
"""Forms in which a text is taken for a name, also one that is put together."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A formula that says more than is understood here: it may hold anywhere."""


def parts(formula: f.Formula | Unknown) -> Iterator[f.Formula | Unknown]:
    """What must hold at the node itself."""
    match formula:
        case f.All(parts=all_of):
            for part in all_of:
                yield from parts(part)
        case f.Focused(part=part):
            yield from parts(part)
        case _:
            yield formula


def needed(formula: f.Formula | Unknown) -> Iterator[f.Formula | Unknown]:
    """What must hold at the node, around it or inside of it."""
    for part in parts(formula):
        yield part
        if isinstance(part, (f.Has, f.Inside)):
            yield from needed(part.part)


def needs(formula: f.Formula | Unknown) -> Iterator[f.Names]:
    """Names of each of which one must be spelt."""
    for part in needed(formula):
        match part:
            case f.Call(names=names, arguments=arguments):
                yield names
                yield from (one.names for _, one in arguments if isinstance(one, f.Named))
            case f.Name(names=names):
                yield names
            case f.Assign(target=names, forms=forms) if forms.isdisjoint(_KEYED):
                yield names
            case f.Import(modules=names, resembles=resembles) if not resembles:
                yield names
            case f.Attr(names=names):
                yield names
            case f.Def(names=names, decorator=wider) | f.Class(names=names, base=wider):
                yield from (one for one in (names, wider) if one is not None and _is_told(one))
            case f.Any(parts=choices):
                yield from _of_some(choices)


def _is_told(names: f.Names) -> bool:
    return not names.regex and "*" not in names.globs


def _of_some(choices: Sequence[f.Formula | Unknown]) -> Iterator[f.Names]:
    """What one of some formulas needs: for each of them the first that is told."""
    first = [next(filter(_is_told, needs(one)), None) for one in choices]
    told = [one for one in first if one is not None]
    if len(told) == len(choices):
        exact = frozenset[str]().union(*(one.exact for one in told))
        yield f.Names(exact, tuple({glob for one in told for glob in one.globs}))


def given(formula: f.Formula | Unknown) -> Iterator[f.Names]:
    """Names of which a call must be given some."""
    for part in parts(formula):
        if isinstance(part, f.Call):
            named = [one for _, one in part.arguments if isinstance(one, f.Named)]
            yield from (one.names for one in named if not one.names.regex)


def said(formula: f.Formula | Unknown) -> Iterator[str]:
    """Regexes, each of which is found in the text of a literal."""
    for part in parts(formula):
        match part:
            case f.String(condition=f.Regex(regex=regex)):
                yield regex
            case f.String(condition=f.In(values=values)):
                yield from _one_of(values)
            case f.String(condition=f.Both(parts=conditions)):
                yield from (one.regex for one in conditions if isinstance(one, f.Regex))


def told_to(formula: f.Formula | Unknown) -> Iterator[str]:
    """Regexes, each of which is found in a text: one that a call is given, or a pattern quotes."""
    all_ = list(parts(formula))
    for part in all_:
        match part:
            case f.Call(arguments=arguments):
                for _, one in arguments:
                    yield from _told_by(one)
            case f.Where(metavariable=name) if any(_quotes(one, name) for one in all_):
                yield from (one.regex for one in regexes_of(part))


def _told_by(condition: f.Condition) -> Iterator[str]:
    match condition:
        case f.Regex(regex=regex):
            yield regex
        case f.In(values=values):
            yield from _one_of(values)


def _quotes(formula: f.Formula | Unknown, metavariable: str) -> bool:
    """Is the metavariable a text of a pattern, and nothing else?"""
    return isinstance(formula, f.Code) and written_as(formula.pattern, metavariable) == "text"


def spelt(formula: f.Formula | Unknown) -> Iterator[str]:
    """Regexes, each of which is found in code that a metavariable of a pattern stands for.

    What several nodes are, and what a name is imported from, is written otherwise than it is read.
    """
    all_ = list(parts(formula))
    codes = [one for one in all_ if isinstance(one, f.Code)]
    for part in all_:
        if isinstance(part, f.Where) and any(_spells(one, part.metavariable) for one in codes):
            yield from (one.regex for one in regexes_of(part))


def _spells(code: f.Code, metavariable: str) -> bool:
    """Does a pattern have a metavariable for code that is read as it is written?"""
    if metavariable.startswith("...") or code.resolve is f.Resolve.DYNAMIC:
        return False
    return "import " not in code.pattern and is_code(code.pattern, metavariable)


def _one_of(values: Sequence[object]) -> Iterator[str]:
    """What finds one of some texts; nothing where other values would do."""
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        yield "|".join(map(re.escape, texts))


def is_beyond_ascii(part: f.Formula | Unknown) -> bool:
    """Is it an identifier with letters that look like others, or like nothing?"""
    return isinstance(part, f.Identifier) and part.kind in _KINDS_BEYOND_ASCII
