"""Profiles: the severity of a rule in each, from its model."""

from collections.abc import Iterable

from vetbox.findings import Severity
from vetbox.rules.language.rule import Profile
from vetbox.rules.schema.rule_file import ProfileModel, RuleModel


def blocks(model: RuleModel) -> bool:
    """Does the rule keep code from running?"""
    return dict(severities(model))[Profile.AGENT] is Severity.ERROR


def severities(model: RuleModel) -> Iterable[tuple[Profile, Severity | None]]:
    for profile in Profile:
        given = getattr(model.profiles, profile.value)
        level = given.severity if isinstance(given, ProfileModel) else given or model.severity
        yield profile, None if level == "off" else Severity(level)


def messages(model: RuleModel) -> Iterable[tuple[Profile, str]]:
    for profile in Profile:
        given = getattr(model.profiles, profile.value)
        if isinstance(given, ProfileModel):
            yield profile, given.message
