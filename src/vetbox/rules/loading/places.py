"""Places: what is said of a source, sink or sanitizer and read of another kind of place only."""

from collections.abc import Iterator
from typing import TypeAlias

from vetbox.rules.schema.rule_file import RuleModel

Keys: TypeAlias = tuple[str | int, ...]
_OF_PARAMETERS = frozenset({"parameters", "handed"})
"""Parts of which each is a parameter."""


def idle(model: RuleModel) -> Iterator[tuple[Keys, str]]:
    """A key of a place without any effect there."""
    for role in ("source", "sink", "sanitizer"):
        for number, place in enumerate(getattr(model.taint, f"{role}s", ())):
            at = ("taint", f"{role}s", number)
            if role != "sanitizer" and "by" in place.model_fields_set:
                yield (*at, "by"), f"says how a sanitizer works; this is a {role}"
            if place.at.partition(".")[0] in _OF_PARAMETERS:
                continue
            for key in ("except-type", "except-name"):
                if getattr(place, key.replace("-", "_")):
                    sentence = (
                        "is about parameters; it goes with `at: parameters` or `at: handed.…`"
                    )
                    yield (*at, key), sentence
