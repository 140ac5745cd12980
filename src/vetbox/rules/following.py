"""Following: the taint rules that may fire, asked where data goes in the part that decides."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain

import libcst as cst

from vetbox.code.source import Source, SourceError
from vetbox.findings import Finding, Fix, Location, Step
from vetbox.late_dataclasses import dataclass
from vetbox.rules.budget import BudgetExceededError
from vetbox.rules.filtering.anchoring import REMEMBERED
from vetbox.rules.filtering.name_anchors import NAMES_REMEMBERED
from vetbox.rules.fixes.offer import offered
from vetbox.rules.judging import part_of, resolver_of
from vetbox.rules.language.anchors import Anchors
from vetbox.rules.language.rule import Profile
from vetbox.rules.matching.facts import ResolverFacts
from vetbox.rules.narrowing import Narrowed, Posts, narrowed
from vetbox.rules.page import Page, Span
from vetbox.rules.positions import extent, span_over, spans
from vetbox.rules.program import Program
from vetbox.rules.recursion import deeper
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.taint.arrived import Arrived, Followed, words_of
from vetbox.rules.taint.policy.confidence import sureness
from vetbox.rules.taint.survey import Survey

INCOMPLETE = "analysis-incomplete"
"""The code of the finding that says a file was too much for the flow analysis."""

_NO_CALL = re.compile(r" (?:of|in|by) \{callee\}\(\)")
"""What a message says of the call where data arrives, when it arrives at none."""


@dataclass(frozen=True, slots=True)
class Flows:
    """The findings of flows, and the sinks where all data is of known origin, with their rules."""

    findings: Sequence[Finding] = ()
    excused: Sequence[tuple[str, Location]] = ()


def make_ready(program: Program) -> None:
    """Prepare the posts of all taint rules before workers are forked, which then share them.

    What was remembered for asking again is given back: nothing is asked again.
    """
    for rule in program.rules.values():
        if rule.flows:
            _posts(program).ends(rule)
    for function in (*REMEMBERED, *NAMES_REMEMBERED):
        function.cache_clear()


def flow_findings(
    source: Source, program: Program, hits: Anchors, found: Sequence[Finding] = ()
) -> Flows:
    """The flows that the rules in `hits` refuse, and the sinks that excuse findings in `found`.

    The repo profile follows only the functions that narrowing leaves; an agent's code, which may
    hide its functions, is followed whole. Where that takes too many steps, a finding INCOMPLETE
    says so.
    """
    left = Narrowed(frozenset(hits))
    asked = {name for one in found for name in _excusing(one, program)}
    is_narrowed = program.profile is not Profile.AGENT and not source.is_read_whole
    if is_narrowed and all(hits.values()):
        left = _narrowed(source, program, hits, asked) or left
    return _followed(source, program, left, asked) if left.rules else Flows()


def unexcused(found: Sequence[Finding], flows: Flows, program: Program) -> Iterator[Finding]:
    """The findings that no flow excuses: those where some data may be of unknown origin."""
    for one in found:
        excusing = _excusing(one, program)
        if not any(rule in excusing and sink.holds(one.location) for rule, sink in flows.excused):
            yield one


def _excusing(found: Finding, program: Program) -> Collection[str]:
    rule = program.rules.get(found.code)
    return () if rule is None else rule.excused_by


def _narrowed(source: Source, program: Program, hits: Anchors, asked: Set[str]) -> Narrowed | None:
    """The rules and functions that are left; None where a rule cannot be judged by lines."""
    posts = _posts(program)
    ends = {rule: posts.ends(program.rules[rule]) for rule in hits}
    if not all(end.local for end in ends.values()):
        return None
    further = (end.further for end in ends.values())
    held = posts.held(chain.from_iterable((*hits.values(), *further)))
    return narrowed(source, ends, held, asked)


def _posts(program: Program) -> Posts:
    known = program.posts = program.posts or Posts()
    return known


def _followed(source: Source, program: Program, left: Narrowed, asked: Set[str]) -> Flows:
    survey = _survey(program, left, asked)
    source.forget_tree()  # a large file's two trees at once are the most that a worker holds
    part, origin = (source, None) if left.excerpt is None else part_of(source, left.excerpt)
    page = Page.of(part, program.profile, origin)
    try:
        facts = resolver_of(part, program.profile)
        with deeper():
            followed = survey.followed(facts, left.spelled)
    except (BudgetExceededError, RecursionError, SourceError):
        return Flows([_incomplete(survey, page)])
    found = [*_placed(followed.arrived, facts, page, source.text)]
    return Flows(found, _excused(followed, facts, page))


def _excused(followed: Followed, facts: Resolver, page: Page) -> list[tuple[str, Location]]:
    if not followed.excused:
        return []
    found = spans(facts.tree, page.text, [node for _, node in followed.excused])
    return [(rule, page.location(found[id(node)])) for rule, node in followed.excused]


def _survey(program: Program, left: Narrowed, asked: Set[str]) -> Survey:
    """The survey of what is left, cached: many files leave the same rules."""
    excusing = program.excusing & left.rules & asked
    key = left.rules, left.posts, excusing
    survey = program.surveys.get(key)
    if survey is None:
        rules = [program.rules[name] for name in sorted(left.rules)]
        places = None if left.posts is None else [post.place for post in left.posts]
        survey = program.surveys[key] = Survey(rules, places, excusing)
    return survey


def _incomplete(survey: Survey, page: Page) -> Finding:
    """The finding for a file that was not followed to the end, which is never called clean."""
    rule = next(iter(survey.rules.values()))
    message = "the flows of this file take more steps than are followed; split the file"
    return replace(page.finding(rule, {}, (0, 0)), code=INCOMPLETE, message=message, cwe=())


def _placed(
    arrived: Sequence[Arrived], facts: Resolver, page: Page, file: str
) -> Iterator[Finding]:
    """The findings in a page, which may be a part of a file's text."""
    if not arrived:
        return
    nodes = [node for one in arrived for node in (one.shown, *extent(one.shown), *_nodes(one))]
    found = spans(facts.tree, page.text, nodes)
    for one in arrived:
        finding = page.finding(one.rule, words_of(one), found[id(one.shown)])
        finding = replace(finding, message=_NO_CALL.sub("", finding.message))
        confidence = sureness(one, finding.confidence, ResolverFacts(facts))
        steps = tuple(_steps(one, finding.code, found, page))
        fix = _fix(one, page.location(span_over(extent(one.shown), found)), facts, file)
        yield replace(finding, trace=steps, confidence=confidence, fix=fix)


def _fix(arrived: Arrived, place: Location, facts: Resolver, file: str) -> Fix | None:
    """What to write where the data arrives, at the place that is shown."""
    correction = arrived.rule.fix
    if correction is None or not arrived.mends:
        return None
    return offered(correction, replace(arrived.match, focus=arrived.shown), place, facts, file)


def _nodes(arrived: Arrived) -> list[cst.CSTNode]:
    return [stop.node for stop in arrived.flow.stops]


def _steps(arrived: Arrived, code: str, found: Mapping[int, Span], page: Page) -> Iterator[Step]:
    """A stop of the trace for each place, in the order the data took."""
    for stop in arrived.flow.stops:
        span = found.get(id(stop.node))
        if span is not None:
            note = stop.note.replace(f"{code}:source", "data").replace(f"{code}:", "")
            yield Step(page.finding(arrived.rule, {}, span).location, note)
