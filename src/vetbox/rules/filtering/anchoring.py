"""The anchors of a formula: words without which it cannot match."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from vetbox.rules.filtering.literals import sure_words
from vetbox.rules.filtering.name_anchors import ANYWHERE, computed, name_anchors, one_name
from vetbox.rules.filtering.pattern_anchors import (
    Texts,
    code_anchors,
    holding,
    metavariable_texts,
    received,
    within,
)
from vetbox.rules.filtering.regex_search import one_of
from vetbox.rules.filtering.relaxed_regexes import OBSCURED, relaxed, written
from vetbox.rules.filtering.required_parts import needed_by
from vetbox.rules.language import formula as f
from vetbox.rules.language import values as v
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.doubting import split_in
from vetbox.rules.resolve.canonical import spellings

_TEXT_USES = frozenset(
    {"getattr", "hasattr", "setattr", "delattr", "__getattribute__", "attrgetter", "methodcaller"}
)
_USES = {
    "getattr": _TEXT_USES,
    "attrgetter": frozenset({"attrgetter", "methodcaller"}),
    "format": frozenset({"format", "format_map", "vformat", "Formatter"}),
}
_BODIES = {"pass": r"pass\b", "continue": r"continue\b"}
_ANY_BODY = r"(?:pass\b|continue\b|\.\.\.)"
# What may follow a name that is bound: `= v`, `: T = v`, `"] = v`, `": v` in a dict, `, b = v, w`.
_BOUND_AFTER = r"""["']?\s*\]?\s*(?:=[^=]|:|,|\)\s*=[^=]"""
# Before a name that something is compared with: `v == c.n`, `v != f()["n"]`.
_COMPARED = r"""[!=]=\s*[^\n=]*?"""
_NO_TEXTS: Texts = {}


@lru_cache(maxsize=500)  # most places of a model are those of the mutant before
def anchors_of(formula: f.Formula) -> tuple[Anchor, ...]:
    """Alternatives, one of which a file must hold; none when the formula may match anywhere."""
    found = tuple(dict.fromkeys(_anchors(formula)))
    return () if ANYWHERE in found else found


def _anchors(formula: f.Formula, texts: Texts = _NO_TEXTS) -> Iterator[Anchor]:
    """`texts`: what is told of the text that a metavariable stands for."""
    match formula:
        case f.Any(parts=parts):
            split = split_in(formula)
            for part in parts if split is None else (split.whole,):
                yield from _anchors(part, texts) if texts else _untold(part)
        case f.All(parts=parts):
            yield from _joint_anchors(parts, {**texts, **dict(metavariable_texts(parts))})
        case f.Focused(part=part):
            yield from _anchors(part, texts)
        case f.Code():
            yield from code_anchors(formula, texts)
        case f.Name(names=names, resolve=level):
            yield from name_anchors(names, level)
        case f.Decorator(names=names, resolve=level):
            yield from map(_decorating, name_anchors(names, level))
        case f.Not() | f.Inside() | f.Has() | f.Where():
            yield ANYWHERE
        case _:
            yield from _MATCHERS[type(formula)](formula)


@lru_cache(maxsize=2_000)
def _untold(part: f.Formula) -> tuple[Anchor, ...]:
    """Those of a part of a choice; remembered, as a rule and its mutants share most choices."""
    return tuple(_anchors(part))


REMEMBERED = (anchors_of, _untold)


def _joint_anchors(parts: Sequence[f.Formula], texts: Texts) -> Iterator[Anchor]:
    """Of parts that hold together, those of the one that holds at the fewest places."""
    found = max((tuple(_anchors(part, texts)) for part in parts), key=_selectivity)
    for part in parts:
        outer = needed_by(part, f.Inside)
        if outer is not None and ANYWHERE not in found:
            around = tuple(_anchors(outer, texts))
            if around and ANYWHERE not in around:
                found = tuple(one for anchor in found for one in within(anchor, around))
            elif around and (text := _inherited(outer)):
                found = tuple(one for anchor in found for one in _beside(anchor, text))
        inner = needed_by(part, f.Has)
        held = () if inner is None else tuple(_anchors(inner, texts))
        if held and ANYWHERE not in found:
            found = tuple(one for anchor in found for one in holding(anchor, held))
    for anchor in found:
        yield from received(anchor, parts, texts)


def _inherited(formula: f.Formula) -> str:
    """What is written in a file with a class whose bases are named by their ends only."""
    match formula:
        case f.Class(base=f.Names(exact=exact, globs=globs, regex="")) if globs and not exact:
            ends = [name.rpartition("*")[2].rpartition(".")[2] for name in globs]
            return "|".join(sorted(map(re.escape, ends))) if all(ends) else ""
    return ""


def _beside(anchor: Anchor, text: str) -> Iterator[Anchor]:
    """An anchor that waits for a text as well, but for doubt."""
    yield anchor._replace(texts=(*anchor.texts, text))
    yield anchor._replace(doubtful=True)


def _selectivity(anchors: tuple[Anchor, ...]) -> tuple[int, bool, int]:
    """Names that go by other names first: what stands for them is found only if they are asked."""
    if not anchors or ANYWHERE in anchors:
        return (0, False, 0)
    words = min(len(anchor.words) for anchor in anchors)
    return (1, any(anchor.aliased for anchor in anchors), words * 100 - len(anchors))


def _itself(word: str) -> Anchor:
    """The word as it stands in code, never a name for something else."""
    words = frozenset({word})
    return Anchor(words, words, aliased=False, in_strings=False)


def _call_anchors(call: f.Call) -> Iterator[Anchor]:
    """By its name, the keywords it must have and, but for doubt, a text it must be given."""
    needed = _needed_keywords(call)
    given = [text for _, condition in call.arguments for text in written(condition)]
    listed = tuple(text for _, one in call.arguments for text in _listed_modules(one))
    for anchor in name_anchors(call.names, call.resolve):
        if anchor == ANYWHERE:
            yield from _any_call_anchors(call, needed)
            continue
        spelt = anchor.beside(needed, listed)
        yield spelt._replace(texts=(max(given, key=len), *listed)) if given else spelt
        if given:
            yield spelt._replace(doubtful=True)


def _any_call_anchors(call: f.Call, needed: frozenset[str]) -> Iterator[Anchor]:
    """A call of whatever name: by a keyword it must have, or what it must be given."""
    keywords = [argument.keywords for argument, _ in call.arguments if argument.position is None]
    conditions = [condition for _, condition in call.arguments]
    texts = [text for condition in conditions for text in written(condition)]
    if any(keywords):
        for keyword in min(filter(None, keywords), key=len):
            yield Anchor(needed | {keyword}, frozenset({keyword}), aliased=False)
    elif texts:  # a variable may hold it
        yield Anchor(texts=(texts[0],))
    else:
        given = [one for condition in conditions for one in _value_anchors(condition)]
        yield from given or [ANYWHERE]
        if given and ANYWHERE not in given:
            yield from _held_anchors(conditions)


def _listed_modules(condition: v.Condition) -> Iterator[str]:
    """A list of modules names one of them, or what others hold, or looks it up."""
    match condition:
        case v.Contains(element=v.Named(names=f.Names(exact=exact, globs=(), regex="")) as element):
            if all(map(str.isidentifier, exact)):
                anchors = (*_value_anchors(element), *_held_anchors([element]))
                yield one_of(word for anchor in anchors for word in anchor.sites)


def _held_anchors(conditions: Iterable[v.Condition]) -> Iterator[Anchor]:
    """In doubt, a module that is given is what others hold, or what is looked up."""
    names = {name for one in conditions for anchor in _value_anchors(one) for name in anchor.sites}
    words = sorted(word for name in names for word in spellings(name))
    for word in words:
        yield Anchor(frozenset({word}), frozenset({word}), in_strings=False, doubtful=True)
    yield from (anchor for anchor in computed(frozenset({""})) if words and anchor.doubtful)


def _needed_keywords(call: f.Call) -> frozenset[str]:
    """Keywords that must be there: those with one spelling and no position."""
    return frozenset(
        argument.keywords[0]
        for argument, _ in call.arguments
        if len(argument.keywords) == 1 and argument.position is None
    )


def _import_anchors(imported: f.Import) -> Iterator[Anchor]:
    """An import spells its module; a dynamic one may compute it. Any may resemble another."""
    if imported.resembles:
        written = _itself("import")._replace(resembles=imported.resembles)
        yield from (written, _itself("__import__"), _itself("import_module"))
    if imported.modules.regex:
        yield ANYWHERE
    for name in (*imported.modules.exact, *imported.modules.globs):
        anchor = one_name(name if "." in name else f"{name}.*")
        segments = frozenset(part for part in name.split(".") if "*" not in part)
        yield anchor if anchor == ANYWHERE else anchor._replace(words=segments, aliased=False)
        for word in ("__import__", "import_module"):
            computed = Anchor(frozenset({word}), frozenset({word}), in_strings=False)
            yield computed._replace(words=segments | {word})
            yield computed._replace(doubtful=True)


def _attr_anchors(attr: f.Attr) -> Iterator[Anchor]:
    names = attr.names
    if names.regex or any("*" in name for name in names.globs):
        yield ANYWHERE
    bases = [*attr.base.exact, *attr.base.globs] if attr.base and not attr.base.regex else [""]
    for name, base in product(sorted(names.exact), sorted(bases)):
        anchor = Anchor(frozenset({name}), frozenset({name}), aliased=False)
        yield _behind(anchor, base) if base else anchor
    if attr.resolve is f.Resolve.DYNAMIC:
        for word in sorted(_TEXT_USES):
            yield Anchor(frozenset({word}), frozenset({word}), in_strings=False)


def _behind(anchor: Anchor, base: str) -> Anchor:
    """An attribute of what has to come from a module."""
    whole = one_name(base if "." in base else f"{base}.*")
    if whole == ANYWHERE:
        return anchor
    if whole.dotted:  # whatever it may be called, somewhere it is by its words
        return anchor._replace(words=whole.words | anchor.words)
    via = whole.via | whole.sites
    return whole._replace(words=whole.words | anchor.words, sites=anchor.sites, via=via)


def _assign_anchors(assign: f.Assign) -> Iterator[Anchor]:
    """By the target and, but for doubt, by what its key and its value must say."""
    given = [text for part in (assign.key, assign.value) if part for text in written(part)]
    texts = (max(given, key=len),) if given else ()
    values = [anchor.words for anchor in _value_anchors(assign.value)] or [frozenset[str]()]
    if assign.target.regex:
        compares = "compare" in assign.forms
        name = relaxed(assign.target.regex, edge=r"\b")
        regex = name + _BOUND_AFTER + (r"|\)?\s*[!=]=" if compares else "") + ")"
        if compares:
            regex = f"{regex}|{_COMPARED}{name}"
        for words in dict.fromkeys(values):
            yield Anchor(words, regex=regex, texts=texts, aliased=False)
    for name in sorted((*assign.target.exact, *assign.target.globs)):
        anchor = one_name(name)
        if anchor == ANYWHERE:
            yield anchor
            continue
        if "." not in name:  # a target of that name is no builtin
            anchor = anchor._replace(any_receiver=True, via=frozenset())
        target = anchor._replace(in_strings=True, any_receiver=not anchor.root)
        yield target._replace(texts=texts)
        if texts:
            yield target._replace(doubtful=True)


def _value_anchors(condition: v.Condition | None) -> Iterator[Anchor]:
    match condition:
        case v.Named(names=names) if not names.regex:
            yield from (one_name(name) for name in (*names.exact, *names.globs))
        case v.Both(parts=parts):
            for part in parts:
                yield from _value_anchors(part)


def _definition_anchors(definition: f.Def | f.Class) -> Iterator[Anchor]:
    names = definition.names
    keyword = "def" if isinstance(definition, f.Def) else "class"
    needed = frozenset({keyword, *getattr(definition, "parameters", ())})
    if isinstance(definition, f.Def) and definition.decorator is not None and names.exact:
        # It is read from the line of its decorator.
        for anchor in name_anchors(definition.decorator, definition.resolve):
            for name in sorted(names.exact):
                yield _decorating(anchor._replace(words=anchor.words | needed | {name}))
        return
    if names.regex or names.globs or not names.exact:
        wider = definition.decorator if isinstance(definition, f.Def) else definition.base
        if wider is not None:
            found = name_anchors(wider, definition.resolve)
            yield from map(_decorating, found) if keyword == "def" else found
        else:
            anywhere = _itself(keyword)._replace(words=needed)
            named = rf"\b{keyword}[\s\\]+\w*(?:{relaxed(names.regex)})" if names.regex else ""
            yield anywhere._replace(regex=named)
            yield anywhere._replace(doubtful=True)
        return
    for name in sorted(names.exact):
        yield _itself(name)._replace(words=needed | {name})


def _decorating(anchor: Anchor) -> Anchor:
    """A decorator of whatever object stands behind an @."""
    if anchor.via or anchor.dynamic or not anchor.dotted or len(anchor.sites) != 1:
        return anchor
    (site,) = anchor.sites
    return anchor._replace(texts=(rf"@[^\n]*\b{site}\b",))


def _except_anchors(handler: f.Except) -> Iterator[Anchor]:
    if handler.body is None:
        yield _itself("except")
        return
    body = _BODIES.get(handler.body, _ANY_BODY)
    needed = frozenset({"except"} | ({handler.body} & _BODIES.keys()))
    kinds = handler.types.exact if handler.types else [""]
    for name in sorted(kind.rpartition(".")[2] for kind in kinds):
        spelt = rf"[^:]*\b{name}\b[^:]*" if name else r"[^:]*"
        spelt = r"[\s\\]*" if handler.bare else spelt
        regex = rf"\bexcept\b{spelt}:\s*(?:#[^\n]*\s+)*{body}"
        yield _itself("except")._replace(words=needed | ({name} - {""}), regex=regex)
    if handler.types:
        regex = rf"\bexcept\b[^:]*:\s*(?:#[^\n]*\s+)*{body}"
        yield _itself("except")._replace(words=needed, regex=regex, doubtful=True)


def _text_anchors(string: f.String) -> Iterator[Anchor]:
    """The text as it is written; a literal that escapes or splits it beside one, or in doubt."""
    texts = list(written(string.condition))
    if not texts:
        yield ANYWHERE
        return
    yield Anchor(regex=texts[0])
    yield Anchor(regex=OBSCURED, texts=(texts[0],))
    yield Anchor(regex=OBSCURED, doubtful=True)


def _use_anchors(reference: f.StringRef) -> Iterator[Anchor]:
    for use in sorted(reference.uses):
        if use not in _USES:
            yield ANYWHERE
            continue
        for word in sorted(_USES[use]):
            yield Anchor(frozenset({word}), frozenset({word}), in_strings=False)


_MATCHERS: Mapping[type, Callable[[Any], Iterable[Anchor]]] = {
    f.Assert: lambda _: [_itself("assert")],
    f.Assign: _assign_anchors,
    f.Attr: _attr_anchors,
    f.Call: _call_anchors,
    f.Class: _definition_anchors,
    f.Def: _definition_anchors,
    f.Except: _except_anchors,
    f.Identifier: lambda _: [Anchor(regex=r"[^\x00-\x7F]", in_strings=False)],
    f.Import: _import_anchors,
    f.Raw: lambda raw: [Anchor(sure_words(raw.regex), regex=raw.regex)],
    f.String: _text_anchors,
    f.StringRef: _use_anchors,
}
