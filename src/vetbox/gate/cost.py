"""Cost: clauses that make a rule look at whole files in which it finds nothing."""

from collections.abc import Iterator

from vetbox.rules import Profile, Rule
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Reach
from vetbox.rules.narrowing.locality import is_local


def costs(rule: Rule) -> Iterator[str]:
    """One sentence for each thing that makes the rule slow on large code bases; none when it isn't.

    A rule that finds nothing in a file should be passed over by a look at its words, and one that
    may find something should be judged on the lines around them.
    """
    if isinstance(rule.matcher, f.Raw) or not rule.profiles.get(Profile.REPO):
        return
    if not rule.anchors:
        yield "has no word by which files can be passed over: every file is parsed"
    if rule.flows:
        yield from _costs_of_flow(rule)
    elif rule.reach is Reach.FILE:
        yield "looks at whole files: a pattern or a `where` in it may hold anywhere in them"


def _costs_of_flow(rule: Rule) -> Iterator[str]:
    if not rule.needs:
        yield "has a source without a word of its own: every file with a sink is parsed"
    if rule.taint is not None and not is_local(rule.taint):
        yield "has a place that spans lines: no function can be left out"
