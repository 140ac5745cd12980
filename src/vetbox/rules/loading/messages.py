"""Checks of messages: words in braces that nothing the rule finds can fill in."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import reduce

from vetbox.rules.language import formula as f
from vetbox.rules.loading.compiling import formula_of
from vetbox.rules.loading.problems import Problem
from vetbox.rules.schema.formula import FormulaModel
from vetbox.rules.schema.rule_file import ProfileModel, RuleModel

WORDS = (
    *("argument", "attr", "base", "callee", "kind", "match", "module", "name", "resembled"),
    *("source", "string", "target", "use", "value"),
)
"""What the matchers tell a message, as `{callee}`."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NOTHING: frozenset[str] = frozenset()


def misspelt(model: RuleModel) -> Iterator[Problem]:
    """A word in braces that is nearly one that matchers tell a message; others are just text."""
    for keys, message in _messages(model):
        for word in _PLACEHOLDER.findall(message):
            near = get_close_matches(word, WORDS, n=1, cutoff=0.7)
            if near and word not in WORDS:
                yield keys, f"nothing fills in {{{word}}}; did you mean {{{near[0]}}}?"


def unfilled(model: RuleModel) -> Iterator[Problem]:
    """A word that some matchers tell a message, but none of those that this rule has."""
    for keys, message in _messages(model):
        asked = {word for word in _PLACEHOLDER.findall(message) if word in WORDS}
        if asked <= {"source"}:
            continue
        told = told_by(_looked_for(model), flows=model.taint is not None)
        for word in sorted(asked - told):
            known = ", ".join(f"{{{one}}}" for one in sorted(told))
            sentence = f"nothing that this rule looks for fills in {{{word}}}"
            yield keys, f"{sentence}; use {known} or a metavariable of a pattern"


def _messages(model: RuleModel) -> Iterator[Problem]:
    yield ("message",), model.message
    for name in ("agent", "repo"):
        said = getattr(model.profiles, name)
        if isinstance(said, ProfileModel):
            yield ("profiles", name, "message"), said.message


def _looked_for(model: RuleModel) -> f.Formula:
    """All that a rule may find; of one on flows, where they end."""
    if model.taint is not None:
        ends = [
            sink.match or FormulaModel.model_validate({"kind": sink.kind})
            for sink in model.taint.sinks
        ]
        return f.Any(tuple(map(_formula_of, ends)))
    beside = [part for part in model.where if isinstance(part, FormulaModel)]
    given = [part for part in (model.match, *beside, *model.doubtful) if part is not None]
    return f.All(tuple(map(_formula_of, given)))


def _formula_of(model: FormulaModel) -> f.Formula:
    return formula_of(model, f.Resolve.ALIASES)


def told_by(formula: f.Formula, *, flows: bool, always: bool = False) -> frozenset[str]:
    """What a formula tells a message where it holds; only what it `always` does, if asked for."""
    return _told(formula, always=always) | ({"kind", "source"} if flows else {"source"})


def _told(formula: f.Formula, *, always: bool) -> frozenset[str]:
    match formula:
        case f.Any(parts=parts):
            told = [_told(part, always=always) for part in parts]
            return reduce(frozenset.intersection, told) if always else _NOTHING.union(*told)
        case f.All(parts=parts):
            return _NOTHING.union(*(_told(part, always=always) for part in parts))
        case f.Focused(part=part):
            return _told(part, always=always)
    said, perhaps = _of_matcher(formula)
    return frozenset(said if always else said + perhaps)


def _of_matcher(matcher: f.Formula) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What it always tells, and what it may tell as well; a pattern binds metavariables instead."""
    match matcher:
        case f.Call(arguments=()):
            return ("callee", "name"), ()
        case f.Call():
            return ("callee", "name", "argument", "value"), ()
        case f.Name() | f.Decorator() | f.Def():
            return ("callee", "name"), ()
        case f.Class(base=None):
            return ("name",), ()
        case f.Class():
            return ("name", "base", "callee"), ()
        case f.Attr():
            return ("attr", "name"), ()
        case f.Import(resembles=resembles):
            return ("module", "name"), ("resembled",) if resembles else ()
        case f.Assign(value=value):
            return ("target", "name", *(("value",) if value else ())), ("value",)
        case f.Identifier() | f.Except():
            return ("name",), ()
        case f.String():
            return ("string", "match"), ()
        case f.StringRef():
            return ("string", "use"), ()
        case f.Raw():
            return ("match",), ()
    return (), ()
