"""Turns the taint part of a semgrep rule, of either notation, into that of a vetbox rule."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from vetbox.semgrep.conjunction import is_around
from vetbox.semgrep.unsupported import Unsupported

Data = Any
FormulaOf = Callable[[Data], dict[str, Data]]

UNLABELLED = "__SOURCE__"
"""The label of data that has no other; a sink that requires nothing refuses this alone."""
_UNLIKE_OURS = {
    "control": "sources of control flow",
    "at-exit": "sinks at the exit of a function",
    "not-conflicting": "sanitizers that are not-conflicting",
}
_OPTIONS_UNLIKE_OURS = (
    *("taint_unify_mvars", "taint_focus_on", "taint_assume_safe_functions"),
    "taint_only_propagate_through_assignments",
)
_SAID = frozenset({"by-side-effect", "exact", "label", "requires", "replace-labels", "from", "to"})
"""Keys of a place beside its formula."""


def taint(rule: Mapping[str, Data], formula_of: FormulaOf) -> dict[str, Data]:
    """Sources, sinks and what is between them. Raises Unsupported."""
    for option in _OPTIONS_UNLIKE_OURS:
        if (rule.get("options") or {}).get(option):
            raise Unsupported(f"the option {option}")
    body = rule.get("taint") or {
        key.removeprefix("pattern-"): rule[key] for key in rule if key.startswith("pattern-")
    }
    labelled = _is_labelled(body)
    read = {
        "sources": lambda part: _source(part, formula_of, labelled=labelled),
        "sinks": lambda part: _sink(part, formula_of, labelled=labelled),
        "sanitizers": lambda part: _sanitizer(part, formula_of),
        "propagators": lambda part: _propagator(part, formula_of),
    }
    for role in ("sources", "sinks"):
        if not isinstance(body.get(role), list) or not body[role]:
            raise Unsupported("an empty list of formulas")
    return {role: [*map(read[role], body[role])] for role in read if body.get(role)}


def _is_labelled(body: Mapping[str, Data]) -> bool:
    parts: Sequence[Data] = [
        part for some in body.values() if isinstance(some, list) for part in some
    ]
    return any(isinstance(part, Mapping) and {"label", "requires"} & set(part) for part in parts)


def _source(part: Data, formula_of: FormulaOf, *, labelled: bool) -> dict[str, Data]:
    place = _place(part, formula_of)
    if labelled:
        place["label"] = _said(part, "label") or UNLABELLED
    return place | _required(part)


def _sink(part: Data, formula_of: FormulaOf, *, labelled: bool) -> dict[str, Data]:
    return {
        **_place(part, formula_of),
        **({"requires": UNLABELLED} if labelled else {}),
        **_required(part),
    }


def _sanitizer(part: Data, formula_of: FormulaOf) -> dict[str, Data]:
    """All that is within what it has around: nothing else says what the code itself is."""
    place = _place(part, formula_of)
    if is_around(place["match"]):
        parts = place["match"].get("all", [place["match"]])
        place["match"] = {"all": [{"pattern": "$_"}, *parts]}
    return place


def _propagator(part: Mapping[str, Data], formula_of: FormulaOf) -> dict[str, Data]:
    if part.get("by-side-effect", True) is not True:
        raise Unsupported("propagators without side effect")
    place = {**_formula(part, formula_of), "from": part["from"], "to": part["to"]}
    if part.get("label"):
        place["label"] = part["label"]
        place |= {"replaces": part["replace-labels"]} if part.get("replace-labels") else {}
    return place | _required(part)


def _place(part: Data, formula_of: FormulaOf) -> dict[str, Data]:
    for key, what in _UNLIKE_OURS.items():
        if _said(part, key):
            raise Unsupported(what)
    spread = _said(part, "by-side-effect")
    if spread not in (None, True, False):
        raise Unsupported(f"by-side-effect: {spread}")
    return _formula(part, formula_of) | ({"by": "side-effect"} if spread else {})


def _formula(part: Data, formula_of: FormulaOf) -> dict[str, Data]:
    if not isinstance(part, Mapping):
        return {"match": formula_of(part)}
    beside = _SAID | _UNLIKE_OURS.keys()
    return {"match": formula_of({key: part[key] for key in part if key not in beside})}


def _required(part: Data) -> dict[str, Data]:
    asked = _said(part, "requires")
    if asked is None or asked is True:
        return {}
    if not isinstance(asked, str):
        raise Unsupported("`requires` that is not one condition on labels")
    return {"requires": asked}


def _said(part: Data, key: str) -> Data:
    return part.get(key) if isinstance(part, Mapping) else None
