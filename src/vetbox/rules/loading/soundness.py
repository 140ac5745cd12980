"""Checks of formulas: clauses that no code can satisfy, reported where they are written.

Such a rule would fire never or everywhere, and nobody would learn why: a `where` on a metavariable
that no pattern binds, a `not` that cannot stand where the rest does, a sink that no word leads to.
"""

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import TypeAlias

import libcst as cst

from vetbox.rules.filtering.anchoring import anchors_of
from vetbox.rules.language import formula as f
from vetbox.rules.language.comparison import Comparison
from vetbox.rules.loading.compiling import formula_of
from vetbox.rules.loading.fixes import METAVARIABLE, of_parts, unwritable
from vetbox.rules.loading.labels import unlabelled
from vetbox.rules.loading.messages import misspelt, unfilled
from vetbox.rules.loading.places import idle
from vetbox.rules.loading.problems import Keys, Problem
from vetbox.rules.loading.shared import kinds, shared_model
from vetbox.rules.matching.dispatch import Kind, spots
from vetbox.rules.patterns import parse_pattern
from vetbox.rules.patterns.vocabulary import metavariable
from vetbox.rules.schema.formula import FormulaModel, WhereModel
from vetbox.rules.schema.rule_file import RuleModel
from vetbox.rules.schema.taint import PlaceModel

Check: TypeAlias = Callable[[RuleModel], Iterator[Problem]]

_LEVEL = f.Resolve.ALIASES
_ELSEWHERE = "use not-inside for what is around, {not: {has: …}} for what is within"
_NO_WORD = (
    "has no word of its own by which it is found in a file; "
    "name the function, attribute or keyword it is about"
)


def unsound(model: RuleModel, checks: Iterable[Check]) -> list[Problem]:
    """What the checks have against a rule, the first thing at each place."""
    found: dict[Keys, str] = dict(_unheard_of(model) if checks else ())
    for check in () if found else checks:
        for keys, sentence in check(model):
            found.setdefault(keys, sentence)
    return list(found.items())


def _unheard_of(model: RuleModel) -> Iterator[Problem]:
    """A kind that no model has; nothing else can be said of such a rule."""
    for keys, name in _kinds_named(model.model_dump(by_alias=True), ()):
        if name not in kinds():
            near = get_close_matches(name, kinds(), n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"they are {', '.join(kinds())}"
            yield keys, f"'{name}' is not a kind of rules/models; {hint}"


def misplaced(model: RuleModel) -> Iterator[Problem]:
    """A kind in another role than its own."""
    for role in ("source", "sink", "sanitizer"):
        for number, place in enumerate(getattr(model.taint, f"{role}s", ())):
            own = shared_model(place.kind).role if place.kind else role
            if own not in (role, "matcher"):
                yield ("taint", f"{role}s", number, "kind"), f"'{place.kind}' is a {own}, no {role}"


def _kinds_named(data: object, keys: Keys) -> Iterator[tuple[Keys, str]]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "kind" and isinstance(value, str) and "identifier" not in keys[-1:]:
                yield (*keys, key), value
            yield from _kinds_named(value, (*keys, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _kinds_named(value, (*keys, number))


# What a metavariable stands for ------------------------------------------------------------------


def unbound(model: RuleModel) -> Iterator[Problem]:
    """A metavariable that is asked about, and that no pattern beside or around binds."""
    for keys, root in _roots(model):
        yield from _unbound_in(root, keys, frozenset())
    bound = _bound_by_rule(model)
    for number, part in enumerate(model.where):
        yield from _unbound_in_condition(part, ("where", number), bound)
    for key, parts in (("unless", model.unless), ("doubtful", model.doubtful)):
        for number, formula in enumerate(parts):
            yield from _unbound_in(formula, (key, number), bound)
    if model.focus is not None:
        yield from _named((model.focus,), bound, ("focus",))
    for number, propagator in enumerate(model.taint.propagators if model.taint else ()):
        at = ("taint", "propagators", number)
        given = _bound(propagator.match)
        yield from _named((propagator.from_,), given, (*at, "from"))
        yield from _named((propagator.to,), given, (*at, "to"))


def unbound_in_fix(model: RuleModel) -> Iterator[Problem]:
    """The same for the code that a fix writes; of a flow every sink has to bind it."""
    written = METAVARIABLE.findall((model.fix and model.fix.replace) or "")
    if model.taint is None:
        yield from _named(written, _bound_by_rule(model), ("fix", "replace"))
    for sink in model.taint.sinks if model.taint else ():
        yield from _named(written, _bound_by_place(sink), ("fix", "replace"))


def _unbound_in(model: FormulaModel, keys: Keys, outer: frozenset[str]) -> Iterator[Problem]:
    bound = outer | _bound(model)
    if model.focus is not None:
        yield from _named((model.focus,), bound, (*keys, "focus"))
    for step, part in _parts(model):
        yield from _unbound_in(part, (*keys, *step), bound)
    for number, condition in enumerate(model.where):
        yield from _unbound_in_condition(condition, (*keys, "where", number), bound)


def _unbound_in_condition(
    condition: WhereModel | FormulaModel, keys: Keys, bound: frozenset[str]
) -> Iterator[Problem]:
    if isinstance(condition, FormulaModel):
        yield from _unbound_in(condition, keys, bound)
        return
    if condition.metavariable is not None:
        yield from _named((condition.metavariable,), bound, (*keys, "metavariable"))
    if condition.comparison is not None:
        names = Comparison.of(condition.comparison).metavariables
        yield from _named((f"${name}" for name in names), bound, (*keys, "comparison"))
    if condition.match is not None:
        yield from _unbound_in(condition.match, (*keys, "match"), bound)


def _named(names: Iterable[str], bound: frozenset[str], keys: Keys) -> Iterator[Problem]:
    for name in names:
        if _bare(name) not in bound:
            near = get_close_matches(_bare(name), sorted(bound), n=1)
            hint = f"did you mean ${near[0]}?" if near else "write it into the pattern it is about"
            yield keys, f"no pattern binds {name}; {hint}"


def _bare(name: str) -> str:
    """`$X` and `$...X` → `X`"""
    return name.lstrip("$.")


def _bound_by_rule(model: RuleModel) -> frozenset[str]:
    roots = [root for _, root in _roots(model)]
    asked = [part for part in model.where if isinstance(part, FormulaModel)]
    inner = [part.match for part in model.where if isinstance(part, WhereModel) and part.match]
    return frozenset().union(*map(_bound, (*roots, *asked, *inner)))


def _bound(model: FormulaModel) -> frozenset[str]:
    """What the patterns of a formula bind, but for those of what it denies."""
    found: set[str] = set()
    if model.pattern is not None:
        found.update(map(_bare, parse_pattern(model.pattern).metavariables))
    if model.as_ is not None:
        found.add(_bare(model.as_))
    for place in shared_model(model.kind).places if model.kind else ():
        found |= _bound(place.match) if place.match else frozenset()
    for step, part in _parts(model):
        if step[0] not in _DENYING:
            found |= _bound(part)
    for condition in model.where:
        asked = condition if isinstance(condition, FormulaModel) else condition.match
        found |= _bound(asked) if asked is not None else frozenset()
    return frozenset(found)


def _bound_by_place(place: PlaceModel) -> frozenset[str]:
    """What each place of a kind binds, or the formula of this one."""
    if place.match is not None:
        return _bound(place.match)
    places = shared_model(place.kind).places if place.kind else ()
    each = [_bound(one.match) if one.match else frozenset[str]() for one in places]
    return each[0].intersection(*each) if each else frozenset()


def not_of_calls(model: RuleModel) -> Iterator[Problem]:
    """A fix of arguments, of what is never a call."""
    fix = model.fix
    if fix is None or fix.replace is not None or model.match is None:
        return
    kinds = _kinds(formula_of(model.match, _LEVEL))
    if kinds is not None and cst.Call not in kinds:
        met = min(kind.__name__ for kind in kinds) if kinds else "text"
        yield ("fix",), f"changes arguments, and what is found here is a {met}; use replace"


# What denies nothing, or nothing but denies ------------------------------------------------------


def dead(model: RuleModel) -> Iterator[Problem]:
    """A `not` that can never stand where the rest of its formula does, or that has no rest."""
    for keys, root in _roots(model):
        whole = [root, *(part for part in model.where if isinstance(part, FormulaModel))]
        yield from _without_place(root, keys, whole)
        yield from _dead_in(root, keys)
        for number, part in enumerate(model.unless):
            yield from _never_meets(_kinds(formula_of(root, _LEVEL)), part, ("unless", number))


def _without_place(root: FormulaModel, keys: Keys, whole: list[FormulaModel]) -> Iterator[Problem]:
    """A rule, or one of its alternatives, that says only what is around or what is not there."""
    if all(_kinds(formula_of(part, _LEVEL)) is None for part in whole):
        branches = root.any_ or ()
        bare = [
            (*keys, "any", number)
            for number, part in enumerate(branches)
            if _kinds(formula_of(part, _LEVEL)) is None
        ]
        for place in bare or [keys]:
            yield place, "says only what is not there or around; add a matcher or a pattern to find"


def _dead_in(model: FormulaModel, keys: Keys) -> Iterator[Problem]:
    kinds = _kinds(formula_of(model, _LEVEL))
    for step, part in _conjuncts(model):
        if step[-1] == "not" or "unless" in step:
            yield from _never_meets(kinds, part, (*keys, *step))
    for step, part in _parts(model):
        yield from _dead_in(part, (*keys, *step))


def _never_meets(
    kinds: frozenset[Kind] | None, denied: FormulaModel, keys: Keys
) -> Iterator[Problem]:
    others = _kinds(formula_of(denied, _LEVEL))
    if kinds and others and not kinds & others:
        met, asked = (min(kind.__name__ for kind in some) for some in (kinds, others))
        sentence = f"denies nothing: what is found here is a {met}, never a {asked}; {_ELSEWHERE}"
        yield keys, sentence


def _conjuncts(model: FormulaModel) -> Iterator[tuple[Keys, FormulaModel]]:
    """All that must hold at the same node, through every `all`."""
    for step, part in _parts(model):
        if step[0] == "all":
            yield from (((*step, *inner), each) for inner, each in _conjuncts(part))
        yield step, part


def _kinds(formula: f.Formula) -> frozenset[Kind] | None:
    """The kinds of nodes at which a formula may hold; None: any."""
    match formula:
        case f.Any(parts=parts):
            some = [_kinds(part) for part in parts]
            return None if None in some else frozenset().union(*filter(None, some))
        case f.All(parts=parts):
            known = [kinds for part in parts if (kinds := _kinds(part)) is not None]
            return frozenset.intersection(*known) if known else None
        case f.Focused(part=part):
            return _kinds(part)
        case f.Not() | f.Inside() | f.Has() | f.Where():
            return None
        case f.Raw():
            return frozenset()
    return frozenset(kind for kind, _, _ in spots(formula))


# What is found everywhere, and what no word leads to ---------------------------------------------


def boundless(model: RuleModel) -> Iterator[Problem]:
    """A rule that is a hole and nothing else fires at every expression or statement."""
    root = model.match
    if root is None or root.model_fields_set - {"pattern", "resolve"} or root.pattern is None:
        return
    if not (model.where or model.unless or model.doubtful) and _is_hole(root.pattern):
        yield ("match",), "finds all code there is; write what is looked for around the hole"


def _is_hole(text: str) -> bool:
    root = parse_pattern(text).expression
    return isinstance(root, cst.Ellipsis) or metavariable(root) is not None


def unanchored(model: RuleModel) -> Iterator[Problem]:
    """A sink that no word leads to: every file that has a source would be followed whole."""
    for number, place in enumerate(model.taint.sinks if model.taint else ()):
        if place.match is not None and not anchors_of(formula_of(place.match, _LEVEL)):
            yield ("taint", "sinks", number, "match"), _NO_WORD


# The formulas of a rule --------------------------------------------------------------------------


def _roots(model: RuleModel) -> Iterator[tuple[Keys, FormulaModel]]:
    if model.match is not None:
        yield ("match",), model.match
    if model.taint is None:
        return
    for role in ("sources", "sinks", "sanitizers", "propagators"):
        for number, place in enumerate(getattr(model.taint, role)):
            if place.match is not None:
                yield ("taint", role, number, "match"), place.match


_DENYING = frozenset({"not", "not-inside", "unless"})


def _parts(model: FormulaModel) -> Iterator[tuple[Keys, FormulaModel]]:
    """The formulas in a formula, with the keys that lead to them; `where` is no formula."""
    for key in ("any", "all"):
        for number, part in enumerate(getattr(model, f"{key}_") or ()):
            yield (key, number), part
    for key, part in (
        ("not", model.not_),
        ("inside", model.inside),
        ("not-inside", model.not_inside),
        ("has", model.has),
    ):
        if part is not None:
            yield (key,), part
    for number, part in enumerate(model.unless):
        yield ("unless", number), part


IMPORTED: tuple[Check, ...] = (unbound,)
"""For rules written for another engine: what denies nothing there is no mistake."""
OWN: tuple[Check, ...] = (
    *(*IMPORTED, unbound_in_fix, misspelt, dead, boundless, unanchored, unlabelled, misplaced),
    *(unfilled, unwritable, of_parts, not_of_calls, idle),
)
