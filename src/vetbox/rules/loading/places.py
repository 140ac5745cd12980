"""Checks of places: keys that only another kind of place (source, sink, sanitizer) reads."""

from collections.abc import Iterator

from vetbox.rules.loading.problems import Problem
from vetbox.rules.schema.rule_file import RuleModel

_OF_PARAMETERS = frozenset({"parameters", "handed", "methods"})
"""Parts of which each is a parameter."""
_WAYS = {"source": ("result", "side-effect"), "sink": ("result",)}
"""In which data may enter or arrive; a sanitizer also works as a guard or by a refusal."""


def idle(model: RuleModel) -> Iterator[Problem]:
    """A key of a place without any effect there."""
    for role in ("source", "sink", "sanitizer"):
        for number, place in enumerate(getattr(model.taint, f"{role}s", ())):
            at = ("taint", f"{role}s", number)
            if place.by not in _WAYS.get(role, (place.by,)):
                yield (*at, "by"), f"says how a sanitizer works; this is a {role}"
            if place.at.partition(".")[0] in _OF_PARAMETERS:
                continue
            for key in ("except-type", "except-name"):
                if getattr(place, key.replace("-", "_")):
                    ways = "`at: parameters`, `at: handed.…` or `at: methods.…`"
                    yield (*at, key), f"is about parameters; it goes with {ways}"
