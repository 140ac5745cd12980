"""Assignments of every form: what is given to which variable, attribute, key or parameter."""

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.language.defaulting import DEFAULT, HOLDERS
from vetbox.rules.matchers.references import code_of, first_in, shown_name
from vetbox.rules.matching.conditions import holds, texts
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve.canonical import attribute
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import Kinds, identifier, written_name


def match_assign(matcher: f.Assign, node: cst.CSTNode, facts: Resolver) -> Match | None:
    for given in _given_values(node, matcher.forms, facts):
        name = _target_name(matcher, given, facts)
        if name is None or not _keyed(matcher.key, given.key, facts):
            continue
        words = {"target": name, "name": name.rpartition(".")[2]}
        if matcher.value is None:
            shown = {} if given.value is None else {"value": code_of(given.value)}
            return Match(given.shown, {**words, **shown})
        for value in _offered(given.value):
            if holds(matcher.value, value, facts):
                return Match(given.shown, {**words, "value": code_of(value)})
    return None


Target = cst.BaseExpression | str
_GIVES = Kinds(
    *(cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor, cst.WithItem),
    *(cst.DictElement, cst.Arg, cst.Param, cst.Comparison),
)


class _Given(NamedTuple):
    """A value for a target, and the node to show.

    `changes`: what the target stands for becomes another, not what is called so.
    """

    target: Target
    key: cst.BaseExpression | None
    value: cst.BaseExpression | None
    shown: cst.CSTNode
    changes: bool = False


def _given_values(node: cst.CSTNode, forms: frozenset[str], facts: Resolver) -> Iterator[_Given]:
    """Whatever gives a value to something."""
    if not _GIVES[type(node)]:
        return
    match node:
        case cst.Assign(targets=targets, value=value):
            for target, part in (pair for one in targets for pair in _parts(one.target, value)):
                if "assign" in forms:
                    yield _placed(target, part, node)
                if "item" in forms:
                    for text in _key_texts(target, facts):
                        yield _Given(text, None, part, node)
        case cst.AnnAssign(target=target, value=value) if "assign" in forms and value:
            yield _placed(target, value, node)
        case cst.NamedExpr(target=target, value=value) if "assign" in forms:
            yield _Given(target, None, value, node)
        case cst.AugAssign(target=target) if "assign" in forms:
            yield _placed(target, None, node)._replace(changes=True)
        case (
            cst.For(target=target)
            | cst.CompFor(target=target)
            | cst.WithItem(asname=cst.AsName(name=target))
        ) if "assign" in forms and facts.folder.is_wary:
            # A variable of that name is the program's own.
            parts = (part for part, _ in _parts(target, None) if not isinstance(part, cst.Name))
            yield from (_placed(part, None, part) for part in parts)
        case cst.DictElement(key=key, value=value) if "item" in forms:
            for text in texts(key, facts):
                yield _Given(text, None, value, value)
        case cst.Arg(keyword=cst.Name() as keyword, value=value) if "keyword" in forms:
            yield _Given(identifier(keyword), None, value, value)
        case cst.Param(name=name, default=value) if "default" in forms and value:
            yield _Given(name, None, value, value)
        case cst.Comparison(left=left, comparisons=[only]) if "compare" in forms:
            if isinstance(only.operator, (cst.Equal, cst.NotEqual)):
                for one, other in ((left, only.comparator), (only.comparator, left)):
                    yield _Given(one, None, other, node)
                    for text in _key_texts(one, facts):
                        yield _Given(text, None, other, node)


def _parts(
    target: cst.BaseExpression, value: cst.BaseExpression | None
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression | None]]:
    """`a` and `b` of `a, b = x, y`, each with its value where that is told."""
    if isinstance(target, cst.StarredElement):
        yield from _parts(target.value, None)
        return
    if not isinstance(target, (cst.Tuple, cst.List)):
        yield target, value
        return
    given = value.elements if isinstance(value, (cst.Tuple, cst.List)) else ()
    starred = any(isinstance(one, cst.StarredElement) for one in (*target.elements, *given))
    paired = len(given) == len(target.elements) and not starred
    for at, part in enumerate(target.elements):
        inner = part if isinstance(part, cst.StarredElement) else part.value
        yield from _parts(inner, given[at].value if paired else None)


def _offered(value: cst.BaseExpression | None) -> Iterator[cst.BaseExpression]:
    """The value, and each text that it may turn out to be: the `"b"` of `a or "b"`."""
    if value is None:
        return
    yield value
    yield from (text for text in _texts_within(value) if text is not value)


def _texts_within(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    match value:
        case cst.SimpleString() | cst.ConcatenatedString():
            yield value
        case cst.BooleanOperation(left=one, right=other) | cst.IfExp(body=one, orelse=other):
            yield from _texts_within(one)
            yield from _texts_within(other)
        case cst.Call(func=func, args=args) if _last_word(written_name(func)) in HOLDERS:
            for at, arg in enumerate(args):
                if (at == 0 and not arg.keyword) or _is_default(arg):
                    yield from _texts_within(arg.value)


def _is_default(arg: cst.Arg) -> bool:
    return arg.keyword is not None and identifier(arg.keyword) == DEFAULT


def _last_word(name: str | None) -> str | None:
    return name.rpartition(".")[2] if name else None


def _placed(
    target: cst.BaseExpression, value: cst.BaseExpression | None, shown: cst.CSTNode
) -> _Given:
    """`d[k]` as the container and its key, `d[:]` as the container."""
    container, key = _unkeyed(target)
    return _Given(container, key, value, shown, changes=container is not target)


def _unkeyed(
    target: cst.BaseExpression,
) -> tuple[cst.BaseExpression, cst.BaseExpression | None]:
    if isinstance(target, cst.Subscript) and len(target.slice) == 1:
        index = target.slice[0].slice
        return target.value, index.value if isinstance(index, cst.Index) else None
    return target, None


def _key_texts(value: cst.BaseExpression, facts: Resolver) -> Iterator[str]:
    """What the key may be under which `d[k]` or `d.get(k)` keeps its value."""
    match value:
        case cst.Call(func=cst.Attribute(attr=attr), args=[first, *_]):
            key = first.value if identifier(attr) == "get" else None
        case _:
            _, key = _unkeyed(value)
    if key is not None:
        yield from texts(key, facts)


def _keyed(wanted: f.Condition | None, key: cst.BaseExpression | None, facts: Resolver) -> bool:
    if wanted is None:
        return True
    return key is not None and holds(wanted, key, facts)


def _target_name(matcher: f.Assign, given: _Given, facts: Resolver) -> str | None:
    """What the target is called: by its own words, then by what they resolve to."""
    target = given.target
    written = target if isinstance(target, str) else written_name(target)
    last = _last_word(written)
    if matcher.target.regex:
        return last if last and f.re2_search(matcher.target.regex, last) else None
    if last and last in matcher.target:
        return last
    if isinstance(target, str):
        return None
    if isinstance(target, cst.Name):
        if written in matcher.target.exact:
            return written
        held = matcher.key is not None or (given.changes and facts.folder.is_wary)
        names = facts.names(target, matcher.resolve) if held else frozenset()
    elif isinstance(target, cst.Attribute):
        names = _names_of(target, matcher.resolve, facts, changes=given.changes)
    else:
        names = facts.names(target, matcher.resolve)
    found = first_in(matcher.target, names)
    return shown_name(found) if found else None


def _names_of(
    target: cst.Attribute, level: f.Resolve, facts: Resolver, *, changes: bool
) -> frozenset[str]:
    """Where a value goes: a new `builtins.print` is that, not the print that the name means."""
    owners = facts.names(target.value, level)
    attr = identifier(target.attr)
    places = frozenset(
        f"builtins.{attr}" if owner == "builtins" else attribute(owner, attr) for owner in owners
    )
    return places | facts.names(target, level) if changes else places
