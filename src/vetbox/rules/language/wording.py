"""Formulas and conditions in words, for people who ask why."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from vetbox.rules.language import formula as f
from vetbox.rules.language import values as v
from vetbox.rules.language.doubting import is_doubtful

MAX_NAMES = 6
Given = TypeVar("Given")


def of(formula: f.Formula) -> str:
    """One line that says what a formula looks for."""
    return _FORMULAS[type(formula)](formula)


def outline(formula: f.Formula, depth: int = 0) -> Iterator[tuple[int, str]]:
    """What a formula looks for, line by line: how far it is indented, and the words."""
    head = _HEADS.get(type(formula))
    match formula:
        case f.All(parts=(only,)) | f.Any(parts=(only,)):
            yield from outline(only, depth)
        case f.Any(parts=parts) | f.All(parts=parts):
            yield depth, of(formula)
            for part in parts:
                yield from outline(part, depth + 1)
        case f.Not(part=part) | f.Inside(part=part) | f.Has(part=part) if head:
            yield depth, head
            yield from outline(part, depth + 1)
        case f.Focused(part=part):
            yield from outline(part, depth)
        case f.Call():
            yield depth, of(formula)
            yield from ((depth + 1, words) for words in _given(formula))
        case _:
            yield depth, of(formula)


def _given(call: f.Call) -> Iterator[str]:
    for wanted_one, value in call.arguments:
        yield f"{argument(wanted_one)} {condition(value)}"
    yield from (f"{argument(one)} is not given" for one in call.absent)


def condition(wanted: v.Condition) -> str:
    """What a value must be, as the end of a sentence that begins with the value."""
    return _CONDITIONS[type(wanted)](wanted)


def argument(wanted: f.Argument) -> str:
    """`shell=`, `argument 1`, or both."""
    words = [f"{keyword}=" for keyword in wanted.keywords]
    if wanted.position is not None:
        words.append(f"argument {wanted.position}")
    return " or ".join(words) or "some argument"


def names(found: Iterable[str]) -> str:
    """What the resolver answered; `?` is something it cannot know."""
    return " or ".join(sorted(found)) or "nothing with a name"


def wanted(these: v.Names) -> str:
    """The names a matcher waits for, the first few of them."""
    listed = sorted((*these.exact, *these.globs))
    if listed == ["*"]:
        return "anything"
    shown = ", ".join(listed[:MAX_NAMES])
    more = f" or {len(listed) - MAX_NAMES} others" if len(listed) > MAX_NAMES else ""
    return (shown + more) or f"a name like /{these.regex}/"


def _called(noun: str, these: v.Names) -> str:
    """`a function called main`, `a class with a name like /Form$/`, `any function`."""
    words = wanted(these)
    if words == "anything":
        return f"any {noun}"
    return f"a {noun} {'called' if these.exact or these.globs else 'with'} {words}"


def _on_one_line(code: str) -> str:
    return " ⏎ ".join(line.strip() for line in code.strip().splitlines())


def _told(where: f.Where) -> Iterator[str]:
    if where.condition is not None:
        yield condition(where.condition)
    if where.types is not None:
        yield f"is a {wanted(where.types)}"
    if where.part is not None:
        yield f"holds {of(where.part)}"
    if where.written:
        yield f"is written like /{where.written}/"
    if where.not_written:
        yield f"is not written like /{where.not_written}/"
    if where.comparison is not None:
        yield f"is such that {where.comparison.text}"


def _either(parts: Iterable[v.Condition]) -> str:
    return " or ".join(map(condition, parts))


def _if(given: Given | None, told: Callable[[Given], str], before: str) -> str:
    """What a matcher says besides, where it says it."""
    return f"{before}{told(given)}" if given else ""


def _listed(these: Iterable[str]) -> str:
    return ", ".join(sorted(these))


_BODIES = {
    "pass": "that only passes",
    "continue": "that only continues",
    "empty": "that does nothing",
}
_CONDITIONS: Mapping[type[object], Callable[[Any], str]] = {
    v.Is: lambda c: f"is {c.word.replace('_', ' ')}",
    v.Regex: lambda c: f"matches /{c.regex}/",
    v.In: lambda c: "is " + " or ".join(map(repr, c.values)),
    v.Compare: lambda c: f"{c.operator} {c.bound:g}",
    v.Bits: lambda c: f"has one of the bits {c.mask:#o}",
    v.Named: lambda c: f"is {wanted(c.names)}",
    v.Contains: lambda c: f"contains something that {condition(c.element)}",
    v.Item: lambda c: f"has at {c.key!r} something that {condition(c.element)}",
    v.Backtracks: lambda c: "is a regular expression that takes exponential time to refuse a text",
    v.Entropy: lambda c: f"has {c.bits:g} bits of entropy per character or more",
    v.Length: lambda c: f"has a length {c.operator} {c.bound:g}",
    v.Both: lambda c: " and ".join(map(condition, c.parts)),
    v.Either: lambda c: _either(c.parts),
    v.Unlike: lambda c: f"not: {condition(c.part)}",
}
_HEADS: Mapping[type[object], str] = {
    f.Not: "but not",
    f.Inside: "inside",
    f.Has: "with, somewhere in it,",
}
_FORMULAS: Mapping[type[object], Callable[[Any], str]] = {
    f.Call: lambda m: f"a call of {wanted(m.names)}",
    f.Import: lambda m: (
        "an import that looks like a well-known one"
        if m.resembles
        else f"an import of {wanted(m.modules)}"
    ),
    f.Attr: lambda m: f"the attribute {wanted(m.names)}{_if(m.base, wanted, ' of ')}",
    f.String: lambda m: f"a string that {condition(m.condition)}",
    f.StringRef: lambda m: f"a text used as a name that {condition(m.condition)}",
    f.Name: lambda m: f"a reference to {wanted(m.names)}",
    f.Assign: lambda m: (
        f"a value given to {wanted(m.target)}"
        f"{_if(m.key, condition, ' under a key that ')}{_if(m.value, condition, ' that ')}"
    ),
    f.Decorator: lambda m: f"the decorator {wanted(m.names)}",
    f.Def: lambda m: (
        f"{_called('function', m.names)}{_if(m.decorator, wanted, ' decorated with ')}"
        f"{_if(m.parameters, _listed, ' with the parameters ')}"
    ),
    f.Class: lambda m: f"{_called('class', m.names)}{_if(m.base, wanted, ' that derives from ')}",
    f.Except: lambda m: (
        f"an exception handler{' of no type' if m.bare else ''}{_if(m.types, wanted, ' of ')}"
        f"{_if(m.body, _BODIES.__getitem__, ' ')}"
    ),
    f.Assert: lambda m: f"an assert statement{_if(m.test, condition, ' whose test ')}",
    f.Raw: lambda m: " but not ".join(f"text like /{one}/" for one in (m.regex, *m.unless)),
    f.Identifier: lambda m: "an identifier that does not read as what it is",
    f.Code: lambda m: f"code like {_on_one_line(m.pattern)}",
    f.Any: lambda m: "any of",
    f.All: lambda m: "all of",
    f.Not: lambda m: "not",
    f.Inside: lambda m: f"inside {of(m.part)}",
    f.Has: lambda m: f"with {of(m.part)} in it",
    f.Where: lambda m: f"${m.metavariable} {' and '.join(_told(m))}",
    f.Focused: lambda m: "doubtful, so of less confidence" if is_doubtful([m.as_]) else of(m.part),
}
