"""Telling: the names and texts that must be in the code wherever a formula holds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vetbox.rules.language import formula as f

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


def needs(formula: f.Formula | Unknown) -> Iterator[f.Names]:
    """Names of each of which one must be spelt."""
    for part in parts(formula):
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
    """Regexes, each of which is found in a text that a call is given."""
    for part in parts(formula):
        for _, one in part.arguments if isinstance(part, f.Call) else ():
            match one:
                case f.Regex(regex=regex):
                    yield regex
                case f.In(values=values):
                    yield from _one_of(values)


def _one_of(values: Sequence[object]) -> Iterator[str]:
    """What finds one of some texts; nothing where other values would do."""
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        yield "|".join(map(re.escape, texts))


def is_beyond_ascii(part: f.Formula | Unknown) -> bool:
    """Is it an identifier with letters that look like others, or like nothing?"""
    return isinstance(part, f.Identifier) and part.kind in _KINDS_BEYOND_ASCII
