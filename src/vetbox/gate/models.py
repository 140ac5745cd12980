"""Models under the gate: each is held to a fixture of its own by a rule that is made around it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from vetbox.gate.clauses import Data

Around = Callable[[Data], Data]
"""From a file's data to the rule that its fixture is run with."""

ENTRY = "incoming(...)"
EXIT = "arrives(...)"


def is_model(rule_file: Path) -> bool:
    return rule_file.parent.name == "models"


def itself(data: Data) -> Data:
    """A rule's file holds the rule."""
    return data


def rule_around(model: Data) -> Data:
    """A flow between the model's places and one made-up name at the other end.

    `incoming(…)` stands for any source, `arrives(…)` for any sink. A matcher is all of its rule.
    """
    if not isinstance(model, dict):
        return model
    head = {**_HEAD, "id": model.get("kind"), "subpatterns": model.get("subpatterns", {})}
    if model["role"] == "matcher":
        return {**head, "message": "found", "match": _any(model["places"])}
    source: Data = [{"match": ENTRY}]
    sink: Data = [{"match": EXIT, "at": "args"}]
    places = model.get("places")
    ends: Mapping[Data, dict[str, Data]] = {
        "source": {"sources": places, "sinks": sink},
        "sink": {"sources": source, "sinks": places},
        "sanitizer": {"sources": source, "sinks": sink, "sanitizers": places},
    }
    message = "{source} arrives in {callee}()"
    return {**head, "message": message, "taint": ends[model["role"]]}


# What a name stands for does not depend on who asks.
_HEAD: dict[str, Data] = {"severity": "error", "profiles": {"agent": "off", "repo": "error"}}


def _any(places: Data) -> Data:
    """A formula that holds at each of the places."""
    rows = [row for row in places if isinstance(row, dict)] if isinstance(places, list) else []
    return {"any": [row.get("match", {"kind": row.get("kind")}) for row in rows]}
