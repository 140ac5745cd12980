"""Checks of labels: those that a flow requires though none of its places gives them."""

from collections.abc import Iterator
from difflib import get_close_matches

from vetbox.rules.language.requirement import MARKUP, Requirement
from vetbox.rules.loading.problems import Keys, Problem
from vetbox.rules.schema.rule_file import RuleModel


def unlabelled(model: RuleModel) -> Iterator[Problem]:
    """A label that is required and that nothing gives; sources that all wait for one."""
    if model.taint and all(source.requires for source in model.taint.sources):
        yield ("taint", "sources"), "all of them require labels; write where data enters first"
    given = sorted(_labels_given(model))
    for keys, name in _labels_required(model):
        if name not in given and name != MARKUP:
            near = get_close_matches(name, given, n=1)
            hint = f"did you mean {near[0]}?" if near else "write `label:` beside a source"
            yield keys, f"no source or propagator gives the label {name}; {hint}"


def _labels_given(model: RuleModel) -> Iterator[str]:
    for role in ("sources", "propagators"):
        for place in getattr(model.taint, role, ()):
            if place.label is not None:
                yield place.label


def _labels_required(model: RuleModel) -> Iterator[tuple[Keys, str]]:
    for role in ("sources", "sinks", "propagators"):
        for number, place in enumerate(getattr(model.taint, role, ())):
            for name in sorted(Requirement.of(place.requires).labels if place.requires else ()):
                yield ("taint", role, number, "requires"), name
            for name in getattr(place, "replaces", ()):
                yield ("taint", role, number, "replaces"), name
