"""Regular expressions of semgrep rules as RE2 reads them, and what they say of a metavariable.

RE2 has no look-around. What rules use it for most, "does not begin so", is a denial beside the
rest: `(?!A)B` is `written: B` and `not-written: A`.
"""

import re
from collections.abc import Mapping
from typing import Any

from vetbox.semgrep.unsupported import Unsupported

_LOOKS = re.compile(r"\(\?<?[=!]|\\[1-9]|\(\?P=")
_DENIAL = "(?!"
_EVERYTHING = frozenset({"", ".*", ".*$", ".+", ".+$"})


def re2(regex: str) -> str:
    """The same for RE2; raises Unsupported for what it would read as something else."""
    if _LOOKS.search(regex):
        raise Unsupported("look-around or a back-reference in a regular expression")
    return regex


def on_name(name: str, regex: str) -> dict[str, Any]:
    """What a metavariable's text is held to: semgrep matches from its start."""
    denied = _denied(regex.removeprefix("^"))
    if denied is None:
        return {"metavariable": name, "written": _from_start(regex)}
    rest = regex.removeprefix("^")[len(_DENIAL) + len(denied) + 1 :]
    if "|" in rest:
        raise Unsupported("a choice behind look-around in a regular expression")
    said = {} if rest in _EVERYTHING else {"written": _from_start(rest)}
    return {"metavariable": name, **said, "not-written": _from_start(denied)}


def on_text(name: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """What is found anywhere in the text of a metavariable, and what is not."""
    denied = "|".join(f"(?:{regex})" for regex in raw.get("unless", ()))
    said = {"written": raw["regex"]} if "regex" in raw else {}
    return {"metavariable": name, **said} | ({"not-written": denied} if denied else {})


def only_denied(written: Mapping[str, Any]) -> list[str]:
    """The regular expressions of a conjunction that consists of nothing but denied ones."""
    parts = written.get("patterns") if set(written) == {"patterns"} else [written]
    denied = [part.get("pattern-not-regex") for part in parts or () if isinstance(part, Mapping)]
    whole = bool(denied) and len(denied) == len(parts or ()) and None not in denied
    return [str(regex) for regex in denied] if whole else []


def _from_start(regex: str) -> str:
    return re2(regex if regex.startswith("^") else f"^(?:{regex})")


def _denied(regex: str) -> str | None:
    """What stands in the denial that a regex begins with, if it does."""
    if not regex.startswith(_DENIAL):
        return None
    depth, in_class, at = 0, False, 0
    while at < len(regex):
        match regex[at]:
            case "\\":
                at += 1
            case "[" if not in_class:
                # The first bracket of a class is one of its characters: []a], [^]a].
                in_class, at = True, at + 1 + regex.startswith("^", at + 1)
            case "]":
                in_class = False
            case "(" if not in_class:
                depth += 1
            case ")" if not in_class:
                depth -= 1
                if not depth:
                    return regex[len(_DENIAL) : at]
        at += 1
    return None
