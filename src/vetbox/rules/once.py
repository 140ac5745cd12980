"""Once: where several rules find something at one place, one that tells more speaks for others."""

from collections.abc import Mapping, Sequence

from vetbox.findings import Finding
from vetbox.rules.language.rule import Rule


def told_once(found: Sequence[Finding], rules: Mapping[str, Rule]) -> list[Finding]:
    """What is found without what a rule leaves to another one that reports the same place."""
    return [one for one in found if not any(_tells(other, one, rules) for other in found)]


def _tells(other: Finding, found: Finding, rules: Mapping[str, Rule]) -> bool:
    rule = rules.get(found.code)
    if rule is None or other.code not in rule.told_by:
        return False
    place, there = found.location, other.location
    return place.holds(there) or there.holds(place)
