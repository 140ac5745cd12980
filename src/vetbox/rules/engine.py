"""The engine: a source and rules in, findings out, each with its exact place.

Bytes first (which rules can fire at all?), then only the parts of the file that matter are parsed,
then every rule is asked at the nodes it may fire at, and places are worked out for hits only.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from vetbox.code.source import Source, SourceError
from vetbox.findings import Failure, FailureKind, Finding, less_sure, position
from vetbox.rules.budget import BudgetExceededError
from vetbox.rules.filtering.prefilter import Seen
from vetbox.rules.filtering.signs import ANY_MARK, OWN_MARK
from vetbox.rules.language.anchors import Anchors
from vetbox.rules.language.rule import Profile, RuleSet
from vetbox.rules.language.whereabouts import is_beside
from vetbox.rules.once import told_once
from vetbox.rules.program import Program, program_of

if TYPE_CHECKING:
    from vetbox.rules.screening import Decided, Screened

_TOO_DEEP = "nested too deeply to be judged; flatten it, or use a dict or match"


def check(
    source: Source, rules: RuleSet, *, profile: Profile, seen: Seen | None = None
) -> tuple[Finding, ...]:
    """Every finding in a source, by position; raises SourceError for code that cannot be judged.

    `seen` is the prefilter's answer, where the caller has asked for it already. In the repo profile
    `told-by` rules speak for others, findings in tests, examples and the like have less confidence,
    and those that a comment suppresses stay in with `suppressed` set.
    """
    program = program_of(rules, profile)
    hits, signs = program.seen(source) if seen is None else seen
    try:
        found = _judged(source, program, hits) if hits else []
    except BudgetExceededError as error:
        raise SourceError(Failure(source.path, FailureKind.TOO_DEEP, str(error))) from error
    except RecursionError as error:
        # Hundreds of elif: each is a level deeper to the judge.
        raise SourceError(Failure(source.path, FailureKind.TOO_DEEP, _TOO_DEEP)) from error
    if found and profile is Profile.REPO:
        found = told_once(found, program.rules)
        if is_beside(source.path):
            found = [less_sure(one) for one in found]
    if profile is Profile.REPO and (ANY_MARK if found else OWN_MARK) in signs:
        from vetbox.rules.suppressions import suppressed

        found = suppressed(source, found, rules=rules.rules, others=rules.left_out)
        found = [one for one in found if one.code not in rules.left_out]
    return tuple(sorted(found, key=position))


def readable(source: Source, profile: Profile) -> Source:
    """The code as it is judged: in the repo profile newer grammar is rewritten for this Python.

    Raises SourceError for code that cannot be parsed; an agent's code is never rewritten.
    """
    if profile is Profile.REPO:
        return source.readable()
    source.tree  # noqa: B018 - the parser answers here
    return source


def _judged(source: Source, program: Program, hits: Anchors) -> list[Finding]:
    """What the rules in question find; the tree of an agent's code decides some of it alone."""
    if program.profile is not Profile.AGENT:
        return _with_judge(source, program, hits, [])
    import vetbox.rules.late_inits  # noqa: F401 - before whatever imports libcst

    screened = program.screened(source, hits)
    decided = screened.decided
    open_ = {rule: found for rule, found in screened.left.items() if rule not in decided}
    return _with_judge(source, program, open_, _placed(source, program, decided), screened)


def _placed(source: Source, program: Program, decided: "Decided") -> Iterator[Finding]:
    if not decided:
        return
    from vetbox.rules.page import Page

    page = Page.of(source, program.profile)
    for rule, verdicts in decided.items():
        for node, words in verdicts:
            yield page.finding(program.rules[rule], words, page.span_of(node))


def _with_judge(
    source: Source,
    program: Program,
    hits: Anchors,
    decided: Iterable[Finding],
    screened: "Screened | None" = None,
) -> list[Finding]:
    """The findings that are decided already, those of the judge, and those of flows."""
    flowing = {rule: found for rule, found in hits.items() if program.rules[rule].flows}
    rest: Anchors = {rule: anchors for rule, anchors in hits.items() if rule not in flowing}
    from vetbox.rules.settling import settled  # a file without hits needs none of this

    found, rest = settled(source, program, rest)
    found += decided
    if rest or flowing:
        import vetbox.rules.late_inits  # noqa: F401 - before whatever imports libcst
    if rest:
        from vetbox.rules.judging import findings

        known = None if screened is None or flowing else screened.excerpt_for(rest)
        found += findings(source, program, rest, known)
    if flowing:
        from vetbox.rules.following import flow_findings, unexcused

        flows = flow_findings(source, program, flowing, found)
        found = [*unexcused(found, flows, program), *flows.findings]
    return found
