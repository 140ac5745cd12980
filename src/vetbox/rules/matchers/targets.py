"""Assignments of every form: what is given to which variable, attribute, key or parameter."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.matchers.references import code_of, first_in, shown_name
from vetbox.rules.matching.conditions import holds, texts
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import identifier, written_name


def match_assign(matcher: f.Assign, node: cst.CSTNode, facts: Resolver) -> Match | None:
    for target, key, value, shown in _given_values(node, matcher.forms, facts):
        name = _target_name(matcher, target, facts)
        if name is None or not _keyed(matcher.key, key, facts):
            continue
        if matcher.value is None or (value is not None and holds(matcher.value, value, facts)):
            words = {"target": name, "name": name.rpartition(".")[2]}
            if value is not None:
                words["value"] = code_of(value)
            return Match(shown, words)
    return None


Target = cst.BaseExpression | str


_Given = tuple[Target, cst.BaseExpression | None, cst.BaseExpression | None, cst.CSTNode]


def _given_values(node: cst.CSTNode, forms: frozenset[str], facts: Resolver) -> Iterator[_Given]:
    """(target, key, value, node to show) of whatever gives a value to something."""
    match node:
        case cst.Assign(targets=targets, value=value):
            for target in targets:
                if "assign" in forms:
                    yield (*_unkeyed(target.target), value, node)
                if "item" in forms:
                    for text in _key_texts(target.target, facts):
                        yield text, None, value, node
        case cst.AnnAssign(target=target, value=value) if "assign" in forms and value:
            yield (*_unkeyed(target), value, node)
        case cst.NamedExpr(target=target, value=value) if "assign" in forms:
            yield target, None, value, node
        case cst.AugAssign(target=target) if "assign" in forms:
            yield (*_unkeyed(target), None, node)
        case cst.DictElement(key=key, value=value) if "item" in forms:
            for text in texts(key, facts):
                yield text, None, value, value
        case cst.Arg(keyword=cst.Name() as keyword, value=value) if "keyword" in forms:
            yield identifier(keyword), None, value, value
        case cst.Param(name=name, default=value) if "default" in forms and value:
            yield name, None, value, value
        case cst.Comparison(left=left, comparisons=[only]) if "compare" in forms:
            if isinstance(only.operator, (cst.Equal, cst.NotEqual)):
                for one, other in ((left, only.comparator), (only.comparator, left)):
                    yield one, None, other, node
                    for text in _key_texts(one, facts):
                        yield text, None, other, node


def _unkeyed(target: cst.BaseExpression) -> tuple[Target, cst.BaseExpression | None]:
    """`d[k]` as the container and its key, `d[:]` as the container."""
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


def _target_name(matcher: f.Assign, target: Target, facts: Resolver) -> str | None:
    """What the target is called: by its own words, then by what they resolve to."""
    written = target if isinstance(target, str) else written_name(target)
    last = written.rpartition(".")[2] if written else None
    if matcher.target.regex:
        return last if last and f.re2_search(matcher.target.regex, last) else None
    if last and last in matcher.target:
        return last
    if isinstance(target, str):
        return None
    if isinstance(target, cst.Name):
        return (
            written
            if written and written in matcher.target.exact
            else _container(matcher, target, facts)
        )
    found = first_in(matcher.target, _names_of(target, matcher.resolve, facts))
    return shown_name(found) if found else None


def _names_of(target: cst.BaseExpression, level: f.Resolve, facts: Resolver) -> frozenset[str]:
    """A new `builtins.print` is that, and no longer the print that the name would mean."""
    names = facts.names(target, level)
    if isinstance(target, cst.Attribute) and "builtins" in facts.names(target.value, level):
        return names | {f"builtins.{identifier(target.attr)}"}
    return names


def _container(matcher: f.Assign, target: cst.Name, facts: Resolver) -> str | None:
    """`e = os.environ; e["A"] = 1`: the key is set in what the name stands for."""
    if matcher.key is None:
        return None
    found = first_in(matcher.target, facts.names(target, matcher.resolve))
    return shown_name(found) if found else None
