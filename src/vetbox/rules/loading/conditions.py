"""Conditions on a value: from the words of a rule file to what is asked of code."""

from collections.abc import Iterable

from vetbox.rules.language import formula as f
from vetbox.rules.schema.values import ConditionModel, read_bits, read_comparison, underscored


def condition_of(model: ConditionModel) -> f.Condition:
    """What a value must be, as one condition."""
    parts = tuple(_conditions(model))
    return parts[0] if len(parts) == 1 else f.Both(parts)


def _conditions(model: ConditionModel) -> Iterable[f.Condition]:
    if model.is_:
        yield f.Is(underscored(model.is_))
    if model.in_ is not None:
        yield f.In(tuple(model.in_))
    if model.regex is not None:
        yield f.Regex(model.regex)
    if model.compare is not None:
        yield f.Compare(*read_comparison(model.compare))
    if model.bits is not None:
        yield f.Bits(read_bits(model.bits))
    if model.name:
        yield f.Named(f.Names.of(*model.name))
    if model.length is not None:
        yield f.Length(*read_comparison(model.length))
    if model.entropy is not None:
        yield f.Entropy(model.entropy)
    if model.backtracks is not None:
        yield f.Backtracks(whole=model.backtracks == "whole")
    yield from _parts(model)


def _parts(model: ConditionModel) -> Iterable[f.Condition]:
    if model.contains is not None:
        yield f.Contains(condition_of(model.contains))
    if model.first is not None:
        yield f.Item(0, condition_of(model.first))
    for key, value in model.has.items():
        yield f.Item(key, condition_of(value))
    if model.any_:
        yield f.Either(tuple(map(condition_of, model.any_)))
    if model.not_ is not None:
        yield f.Unlike(condition_of(model.not_))
