"""Turns one semgrep rule into the data of a vetbox rule, or says what of it cannot be.

Both notations are read: the operators of version 1 (`patterns`, `pattern-either`, …) and the
formulas of version 2 (`match: {any: [...], where: [...]}`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from keyword import kwlist
from typing import Any

from vetbox.semgrep.conjunction import standing, together
from vetbox.semgrep.generic import as_text
from vetbox.semgrep.regexes import on_name, on_text, only_denied, re2
from vetbox.semgrep.taint import taint
from vetbox.semgrep.unsupported import Unsupported

Data = Any
SEVERITIES = {
    "ERROR": "error",
    "WARNING": "warning",
    "INFO": "info",
    "CRITICAL": "error",
    "HIGH": "error",
    "MEDIUM": "warning",
    "LOW": "info",
    "INVENTORY": "info",
    "EXPERIMENT": "info",
}
LANGUAGES = frozenset({"python", "py", "python3", "python2"})
_ANALYZERS: Mapping[str, Mapping[str, Data]] = {
    "entropy": {"regex": r"^\S+$", "value": {"entropy": 3.0}},
    "redos": {"value": {"backtracks": "found"}},
}
_TEXT = frozenset({"generic", "regex", "none"})
DEFAULT_WHY = "Imported from a semgrep rule, which says no more than its message."
MAX_FIX_CHARACTERS = 2_000
_CWE = re.compile(r"CWE-(\d+)", re.IGNORECASE)
_ID = re.compile(r"[^A-Za-z0-9_.-]+")
_NAME = re.compile(r"(?<![\w$.\"'])[A-Za-z_]\w*")
_SEPARATORS = re.compile(r"[-_.]{2,}")
_COMPARISON = re.compile(
    r"^\s*(\$\w+)\s*(<=|>=|==|!=|<|>)\s*(-?(?:0[xo][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?))\s*$"
)


def converted(rule: Mapping[str, Data]) -> dict[str, Data]:
    """The rule as vetbox data, under its own id. Raises Unsupported."""
    languages = rule.get("languages") or ()
    if not LANGUAGES & {str(language).lower() for language in languages}:
        raise Unsupported("it is not for Python" if languages else "it has no languages")
    metadata = rule.get("metadata") or {}
    data: dict[str, Data] = {
        "id": _SEPARATORS.sub("-", _ID.sub("-", str(rule["id"]))).strip("-._"),
        "message": " ".join(str(rule.get("message", rule["id"])).split())[:300],
        "severity": _severity(rule),
        "confidence": str(metadata.get("confidence", "medium")).lower(),
        "cwe": _cwe(metadata.get("cwe", ())),
    }
    data |= _looked_for(rule)
    data |= _paths(rule)
    data |= _fix(rule)
    data["why"] = DEFAULT_WHY
    data["instead"] = str(metadata.get("fix-hint", "See the message."))
    data["references"] = [r for r in _texts(metadata.get("references")) if r.startswith("http")]
    data["tags"] = ["semgrep"]
    return {key: value for key, value in data.items() if value not in ([], {})}


def _severity(rule: Mapping[str, Data]) -> str:
    written = str(rule.get("severity", "WARNING")).upper()
    if written not in SEVERITIES:
        raise Unsupported(f"the severity {written}")
    return SEVERITIES[written]


def _cwe(written: Data) -> list[int]:
    return [int(found[1]) for text in _texts(written) if (found := _CWE.search(text))]


def _texts(written: Data) -> list[str]:
    if written is None:
        return []
    return [str(text) for text in (written if isinstance(written, list) else [written])]


def _paths(rule: Mapping[str, Data]) -> dict[str, Data]:
    paths = rule.get("paths") or {}
    kept = {key: _globs(paths[key]) for key in ("include", "exclude") if paths.get(key)}
    return {"paths": kept} if kept else {}


def _globs(written: Data) -> list[str]:
    """semgrep anchors a glob without a slash anywhere in the tree."""
    globs = [text.lstrip("/") for text in _texts(written)]
    return [glob if glob.startswith("**/") else f"**/{glob}" for glob in globs]


def _fix(rule: Mapping[str, Data]) -> dict[str, Data]:
    """What to write instead of the match, or (`fix-regex`) in its text."""
    written = rule.get("fix-regex") or {}
    text = str(rule.get("fix") or written.get("replacement", ""))
    if len(text) > MAX_FIX_CHARACTERS:
        raise Unsupported(f"a fix of more than {MAX_FIX_CHARACTERS:,} characters")
    if rule.get("fix") is not None:
        return {"fix": {"replace": text.strip("\n"), "safety": "unsafe"}}
    if not written:
        return {}
    said = {"regex": re2(str(written["regex"])), "by": text}
    count = written.get("count") or 0
    if not isinstance(count, int):
        raise Unsupported("a count in fix-regex that is no number")
    often = {"count": count} if count else {}
    return {"fix": {"substitute": {**said, **often}, "safety": "unsafe"}}


def _looked_for(rule: Mapping[str, Data]) -> dict[str, Data]:
    options = rule.get("options") or {}
    calls = {} if options.get("symbolic_propagation") else {"assigned": False}
    found: dict[str, Data] = _read_so(
        _operators(rule), {**calls, "defaults": False, "nested": True}
    )
    return found


def _read_so(data: Data, said: Mapping[str, Data]) -> Data:
    """The same, with what is said of how each of its patterns is read."""
    if isinstance(data, list):
        return [_read_so(item, said) for item in data]
    if not isinstance(data, dict):
        return data
    found = {key: _read_so(value, said) for key, value in data.items()}
    return {**found, **said} if "pattern" in data else found


def _operators(rule: Mapping[str, Data]) -> dict[str, Data]:
    if rule.get("mode") == "taint" or "taint" in rule:
        found = taint(rule, formula)
        pointed = any("focus" in sink["match"] for sink in found["sinks"])
        return {"taint": found, **({"report": {"at": "focus"}} if pointed else {})}
    if rule.get("mode") not in (None, "search"):
        raise Unsupported(f"mode: {rule['mode']}")
    if "match" in rule:
        return {"match": standing(formula(rule["match"]))}
    known = {key: rule[key] for key in _OPERATORS if key in rule}
    if not known:
        strange = sorted(key for key in rule if key.startswith("pattern"))
        raise Unsupported(", ".join(strange) or "no pattern")
    return {"match": standing(formula(known))}


# Formulas --------------------------------------------------------------------------------------


def formula(written: Data) -> dict[str, Data]:
    """One formula, of either notation, as ours."""
    if isinstance(written, str):
        return _pattern(written)
    if not isinstance(written, Mapping):
        raise Unsupported(f"a formula that is a {type(written).__name__}")
    core = {key: value for key, value in written.items() if key in _OPERATORS}
    unknown = set(written) - set(_OPERATORS) - _ANNOTATIONS
    if unknown:
        raise Unsupported(", ".join(sorted(unknown)))
    if len(core) != 1:
        raise Unsupported(
            "several operators in one formula" if core else "a formula without an operator"
        )
    ((key, value),) = core.items()
    return _annotated(_OPERATORS[key](value), written)


def _annotated(found: dict[str, Data], written: Mapping[str, Data]) -> dict[str, Data]:
    """What version 2 writes beside an operator: `where`, `focus`, `as`."""
    filters = [_filter(item) for item in written.get("where", ()) if "focus" not in item]
    focus = [item["focus"] for item in written.get("where", ()) if "focus" in item]
    focus += [written[key] for key in ("focus", "focus-metavariable") if key in written]
    return _with(found, filters, focus, written.get("as"))


def _with(
    found: dict[str, Data], filters: Sequence[Data], focus: Sequence[Data], name: Data = None
) -> dict[str, Data]:
    if filters or focus or name:
        found = dict(found) if _is_plain(found) else {"all": [found]}
    if filters:
        found["where"] = [*found.get("where", ()), *filters]
    if name:
        found["as"] = name
    return _focused(found, focus)


def _focused(found: dict[str, Data], focus: Sequence[Data]) -> dict[str, Data]:
    """Found at a metavariable; a list of them is each for itself."""
    if not focus:
        return found
    if len(focus) > 1:
        raise Unsupported("focus on what several metavariables share")
    each = [{**found, "focus": name} for name in _texts(focus[0])]
    return each[0] if len(each) == 1 else {"any": each}


def _is_plain(found: Mapping[str, Data]) -> bool:
    return not {"where", "focus", "as"} & set(found)


def _pattern(text: Data) -> dict[str, Data]:
    """semgrep follows imports, and compares names as they are written besides."""
    if not isinstance(text, str):
        raise Unsupported("a pattern that is no text")
    written = text.strip("\n")
    names = set(_NAME.findall(written)).difference(kwlist)
    return {"pattern": written, **({"spelled": True} if names else {})}


def _any(parts: Data) -> dict[str, Data]:
    return {"any": [formula(part) for part in _parts(parts)]}


def _all(parts: Data) -> dict[str, Data]:
    """A conjunction; filters and focus among its parts belong to all of it."""
    formulas: list[dict[str, Data]] = []
    filters: list[Data] = []
    focus: list[Data] = []
    for part in _parts(parts):
        if isinstance(part, Mapping) and len(part) == 1 and next(iter(part)) in _FILTERS:
            ((key, value),) = part.items()
            filters.append(_FILTERS[key](value))
        elif isinstance(part, Mapping) and "focus-metavariable" in part and len(part) == 1:
            focus.append(part["focus-metavariable"])
        else:
            formulas.append(formula(part))
    if not formulas:
        raise Unsupported("a conjunction of filters alone")
    return _with(together(formulas, focused=bool(focus)), filters, focus)


def _parts(parts: Data) -> Sequence[Data]:
    if not isinstance(parts, list) or not parts:
        raise Unsupported("an empty list of formulas")
    return parts


def _not(part: Data) -> dict[str, Data]:
    """Version 2 writes `not: {inside: …}`."""
    return {"not": formula(part)}


def _regex(text: Data) -> dict[str, Data]:
    return {"raw": {"regex": re2(str(text))}}


_OPERATORS: dict[str, Callable[[Data], dict[str, Data]]] = {
    "pattern": _pattern,
    "patterns": _all,
    "all": _all,
    "pattern-either": _any,
    "any": _any,
    "pattern-not": _not,
    "not": _not,
    "pattern-inside": lambda part: {"inside": formula(part)},
    "inside": lambda part: {"inside": formula(part)},
    "pattern-not-inside": lambda part: {"not-inside": formula(part)},
    "not-inside": lambda part: {"not-inside": formula(part)},
    "has": lambda part: {"has": formula(part)},
    "pattern-regex": _regex,
    "regex": _regex,
    "pattern-not-regex": lambda text: {"not": _regex(text)},
}
_ANNOTATIONS = frozenset({"where", "focus", "focus-metavariable", "as"})


# Filters ---------------------------------------------------------------------------------------


def _filter(item: Mapping[str, Data]) -> dict[str, Data]:
    """A `where` entry of version 2: `{metavariable: $X, regex|pattern|type|analyzer|…}`."""
    if "comparison" in item:
        return _comparison(item)
    name = item["metavariable"]
    rest = {key: value for key, value in item.items() if key != "metavariable"}
    if set(rest) == {"regex"}:
        return on_name(name, str(rest["regex"]))
    if set(rest) == {"type"} or set(rest) == {"types"}:
        return {"metavariable": name, "type": _texts(rest.get("type") or rest.get("types"))}
    if "analyzer" in rest:
        return _analysis({"metavariable": name, **rest})
    return {"metavariable": name, "match": formula(rest)}


def _metavariable_regex(item: Mapping[str, Data]) -> dict[str, Data]:
    return on_name(item["metavariable"], str(item["regex"]))


def _metavariable_pattern(item: Mapping[str, Data]) -> dict[str, Data]:
    rest = {key: item[key] for key in item if key not in ("metavariable", "language")}
    language = str(item.get("language", "python")).lower()
    if language in _TEXT:
        rest = as_text(rest, generic=language == "generic")
    elif language not in LANGUAGES:
        raise Unsupported(f"metavariable-pattern of language {language}")
    denied = only_denied(rest)
    if denied:
        return on_text(item["metavariable"], {"unless": [re2(regex) for regex in denied]})
    found = formula(rest)
    if set(found) == {"raw"}:
        return on_text(item["metavariable"], found["raw"])
    return {"metavariable": item["metavariable"], "match": found}


def _comparison(item: Mapping[str, Data]) -> dict[str, Data]:
    written, name = str(item["comparison"]), item.get("metavariable")
    if item.get("strip") and name:
        written = re.sub(rf"{re.escape(str(name))}\b", f"int({name})", written)
    found = _COMPARISON.match(written)
    if found is None:
        return {"comparison": written}
    return {"metavariable": found[1], "value": {"compare": f"{found[2]} {found[3]}"}}


def _analysis(item: Mapping[str, Data]) -> dict[str, Data]:
    found = _ANALYZERS.get(str(item.get("analyzer")))
    if found is None:
        raise Unsupported(f"the analyzer {item.get('analyzer')}")
    return {"metavariable": item["metavariable"], **found}


def _type(item: Mapping[str, Data]) -> dict[str, Data]:
    types = _texts(item.get("type") or item.get("types"))
    return {"metavariable": item["metavariable"], "type": types}


_FILTERS: dict[str, Callable[[Mapping[str, Data]], dict[str, Data]]] = {
    "metavariable-regex": _metavariable_regex,
    "metavariable-pattern": _metavariable_pattern,
    "metavariable-comparison": _comparison,
    "metavariable-analysis": _analysis,
    "metavariable-type": _type,
}
