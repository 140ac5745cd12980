"""Conjunctions: what has to hold together in semgrep, where it asks of ranges and we of nodes."""

from collections.abc import Mapping
from typing import Any

from vetbox.semgrep.unsupported import Unsupported

Data = Any
_AROUND = frozenset({"inside", "not-inside", "not"})
_WHOLE = "$WHOLE_MATCH"


def together(formulas: list[dict[str, Data]], *, focused: bool) -> dict[str, Data]:
    """All of some formulas; what is said of text is said of the code that the others find."""
    said = [part["raw"]["regex"] for part in formulas if "raw" in part]
    denied = [part["not"]["raw"]["regex"] for part in formulas if "raw" in part.get("not", ())]
    rest = [part for part in formulas if "raw" not in part and "raw" not in part.get("not", ())]
    found = [part for part in rest if not is_around(part)]
    if not found and said:
        if rest or len(said) > 1:
            raise Unsupported("pattern-regex beside nothing but what is around it")
        return {"raw": {"regex": said[0], **({"unless": denied} if denied else {})}}
    if not found and focused:
        rest = _pointing_into(rest)
    joined = _overlapping(rest, found) if len(found) > 1 else {"all": rest}
    if not said and not denied:
        return joined
    told = [("written", regex) for regex in said] + [("not-written", regex) for regex in denied]
    where = [{"metavariable": _WHOLE, key: regex} for key, regex in told]
    return {"all": [{**joined, "as": _WHOLE}], "where": where}


def is_around(part: Mapping[str, Data]) -> bool:
    """Does it say what is around, and nothing of what is found?"""
    options = part.get("any")
    if set(part) == {"all"}:
        return all(map(is_around, part["all"]))
    return bool(_AROUND & set(part)) or (bool(options) and all(map(is_around, options or ())))


def _overlapping(parts: list[dict[str, Data]], found: list[dict[str, Data]]) -> dict[str, Data]:
    """Several things at one place, or one of them within the others; the innermost is found."""
    ways = [{"all": parts}]
    for inner in found:
        around = [{"inside": part} for part in found if part is not inner]
        others = [part for part in parts if not any(part is one for one in found)]
        ways.append({"all": [inner, *around, *others]})
    return {"any": ways}


def standing(formula: dict[str, Data]) -> dict[str, Data]:
    """A whole rule: where it has nothing but what is around, that is found."""
    parts = formula.get("all", [formula]) if set(formula) <= {"all", "inside"} else []
    if parts and all(set(part) <= {"not", "not-inside"} for part in parts):
        raise Unsupported("a conjunction of nothing but what must not be")
    if not parts or not all(map(is_around, parts)):
        return formula
    return {"all": _pointing_into(parts)}


def _pointing_into(around: list[dict[str, Data]]) -> list[dict[str, Data]]:
    """What is around is what is found, where the rule points at a part of it."""
    last = max((n for n, part in enumerate(around) if "inside" in part), default=None)
    if last is None:
        return around
    return [*around[:last], around[last]["inside"], *around[last + 1 :]]
