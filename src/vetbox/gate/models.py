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

    `incoming(…)` stands for any source, `arrives(…)` for any sink.
    """
    if not isinstance(model, dict):
        return model
    source: Data = [{"match": ENTRY}]
    sink: Data = [{"match": EXIT, "at": "args"}]
    places = model.get("places")
    ends: Mapping[Data, dict[str, Data]] = {
        "source": {"sources": places, "sinks": sink},
        "sink": {"sources": source, "sinks": places},
        "sanitizer": {"sources": source, "sinks": sink, "sanitizers": places},
    }
    return {
        "id": model.get("kind"),
        "message": "{source} arrives in {callee}()",
        "severity": "error",
        # What a name stands for does not depend on who asks.
        "profiles": {"agent": "off", "repo": "error"},
        "taint": ends[model["role"]],
    }
