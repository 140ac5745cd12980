"""Judging: the rules that may fire, asked at the nodes of the parsed parts of a file."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain
from weakref import WeakKeyDictionary

import libcst as cst

from vetbox.code.lexemes import lines_in_strings
from vetbox.code.source import Source, SourceError
from vetbox.findings import Finding, less_sure
from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt import Excerpt, reduce
from vetbox.rules.fixes.offer import mended, offered, offered_in_text
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Anchors
from vetbox.rules.language.doubting import is_doubtful
from vetbox.rules.language.raising import HandedOn
from vetbox.rules.language.rule import Profile, Rule
from vetbox.rules.matchers import first_in, is_reference, shown_name
from vetbox.rules.matching.dispatch import Dispatch, Question
from vetbox.rules.matching.formulas import match, matches
from vetbox.rules.matching.match import Match
from vetbox.rules.matching.numbering import Lines
from vetbox.rules.page import Page, Span
from vetbox.rules.positions import extent, span_over, spans
from vetbox.rules.program import Program
from vetbox.rules.regexes import re2_compiled
from vetbox.rules.resolve.escapes import escapes, handed_names
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.sifting import Sifted
from vetbox.rules.walk import Tree

_MANY_LINES = 1_000  # of fewer, all rules are asked at all nodes in no time
_resolvers: WeakKeyDictionary[Source, dict[Profile, Resolver]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A rule that fired: its match and the node to point at."""

    rule: Rule
    match: Match
    shown: cst.CSTNode


def findings(
    source: Source, program: Program, hits: Anchors, excerpt: Excerpt | None = None
) -> list[Finding]:
    """What the rules in `hits` find in a source; `excerpt`: the part that is known to decide."""
    raw = frozenset(name for name in hits if isinstance(program.rules[name].matcher, f.Raw))
    found = list(raw_findings(source, program, raw))
    parsed = {name: anchors for name, anchors in hits.items() if name not in raw}
    if parsed:
        found += _parsed_findings(source, program, parsed, excerpt)
    return found


def _parsed_findings(
    source: Source, program: Program, hits: Anchors, excerpt: Excerpt | None
) -> Iterator[Finding]:
    """Judge the excerpt that decides; an agent's code is judged whole unless one is given."""
    sifted = Sifted()
    if program.profile is not Profile.AGENT and not source.is_read_whole:
        excerpt = reduce(source.text, hits, program.reaches, program.sieve(hits, sifted))
        if excerpt is not None:
            yield from _decided_findings(source, program, sifted)
            hits = {name: anchors for name, anchors in hits.items() if name not in sifted.decided}
    if excerpt is not None and not excerpt.text:
        return
    part, origin = (source, None) if excerpt is None else part_of(source, excerpt)
    page = Page.of(part, program.profile, origin)
    facts = resolver_of(part, program.profile)
    shown = sifted.lines if excerpt is None or part is source else excerpt.shown
    lines = Lines(facts.tree, shown, sifted.asked) if len(shown) > _MANY_LINES else None
    yield from _placed(hits_in(facts, program, frozenset(hits), lines), facts, page, source.text)


def _decided_findings(source: Source, program: Program, sifted: Sifted) -> Iterator[Finding]:
    """The findings that sifting decided; its offsets count each line end as one character."""
    if not any(sifted.decided.values()):
        return
    page = Page(source.path, source.text.replace("\r\n", "\n"), program.profile)
    for name, verdicts in sifted.decided.items():
        for one in verdicts:
            finding = page.finding(program.rules[name], one.words, one.span)
            yield less_sure(finding) if one.doubtful else finding


def part_of(source: Source, excerpt: Excerpt) -> tuple[Source, Sequence[int] | None]:
    """The excerpt as a source; the file itself where the excerpt does not parse."""
    part = source.part(excerpt.text)
    try:
        part.module  # noqa: B018 - parsed here or not at all
    except SourceError:
        return source, None
    return part, excerpt.lines


def resolver_of(source: Source, profile: Profile) -> Resolver:
    """The resolver of a whole file, kept while the source lives.

    Only in an agent's code any name may be of a module that escapes, and a container that may
    have changed is no constant.
    """
    by_profile = _resolvers.setdefault(source, {})
    known = by_profile.get(profile)
    if known is None:
        known = by_profile[profile] = Resolver(Tree(source.module))
        known.folder.is_wary = profile is Profile.AGENT
        if profile is not Profile.AGENT:
            known.escaped.keep_modules()
    return known


def raw_findings(source: Source, program: Program, hits: frozenset[str]) -> Iterator[Finding]:
    """The findings of rules on the text itself."""
    page = Page(source.path, source.text, program.profile)
    for name in sorted(hits):
        rule = program.rules[name]
        if isinstance(rule.matcher, f.Raw):
            doubts = _spans(rule.matcher.doubtful, source.text)
            for span, text in _texts(rule.matcher, source):
                finding = page.finding(rule, {"match": text}, span)
                if _overlaps(span, doubts):
                    finding = less_sure(finding)
                if rule.fix is not None:
                    fix = offered_in_text(rule.fix, text, finding.location)
                    finding = replace(finding, fix=fix)
                yield finding


def _texts(raw: f.Raw, source: Source) -> Iterator[tuple[Span, str]]:
    """Each text that is looked for, with its place."""
    denied = _spans(raw.unless, source.text)
    found = [*re2_compiled(raw.regex).finditer(source.text)]
    for one in _in_code(found, source.text) if raw.code_only and found else found:
        if not _overlaps(one.span(), denied):
            yield one.span(), one.group()


def _in_code(found: Iterable[re.Match[str]], text: str) -> Iterator[re.Match[str]]:
    """Those on lines that begin in no string, as the lines of docstrings do."""
    within = lines_in_strings(text.encode())
    line, end = 1, 0
    for one in found:
        line += text.count("\n", end, one.start())
        end = one.start()
        if line not in within:
            yield one


def _spans(regexes: Iterable[str], text: str) -> Sequence[Span]:
    return [one.span() for regex in regexes for one in re2_compiled(regex).finditer(text)]


def _overlaps(span: Span, others: Iterable[Span]) -> bool:
    return any(first < span[1] and span[0] < last for first, last in others)


def hits_in(
    facts: Resolver, program: Program, hits: frozenset[str], lines: Lines | None = None
) -> list[Hit]:
    """Every hit in a module; one for a rule and place, a call before what it is made of.

    `lines` tell where rules need not be asked.
    """
    dispatch = program.dispatches.get(hits)
    if dispatch is None:
        rules = [program.rules[name] for name in sorted(hits)]
        dispatch = Dispatch(rules, program.profile)
        program.dispatches[hits] = dispatch
    found: dict[tuple[str, int], Hit] = {}
    judged: set[tuple[str, int]] = set()
    handed: list[Hit] = []
    for node, question in dispatch.questions(facts):
        key = (question.rule.id, id(node))
        if key in judged or not (lines is None or lines.allow(question.rule.id, node)):
            continue
        for hit in _hits_at(question, node, facts):
            if question.escaping:
                handed.append(hit)
            else:
                judged.add(key)
                found.setdefault((question.rule.id, id(hit.shown)), hit)
                if not question.points:
                    break
    return [*found.values(), *_not_inside(handed, judged, facts)]


def _hits_at(question: Question, node: cst.CSTNode, facts: Resolver) -> Iterator[Hit]:
    rule = question.rule
    if question.escaping is None:
        for found in matches(question.matcher, node, facts):
            yield Hit(rule, found, _shown(rule.report, found))
        return
    name = first_in(question.escaping.names, handed_names(node, facts))
    if (
        name is not None
        and (_is_import(node) or is_reference(node, facts))
        and escapes(node, facts)
        and not is_excused(question.escaping, node, facts)
    ):
        words = dict.fromkeys(("callee", "name"), shown_name(name))
        yield Hit(rule, Match(node, words), node)


def is_excused(handed: HandedOn, node: cst.CSTNode, facts: Resolver) -> bool:
    """Does the rule look away here, or at calls of a variable, which their arguments may excuse?"""
    above = facts.tree.parent(node)
    if handed.denied and isinstance(above, cst.Assign):
        return all(isinstance(one.target, cst.Name) for one in above.targets)
    return not all(match(part, node, facts) for part in handed.denied)


def _is_import(node: cst.CSTNode) -> bool:
    return type(node) is cst.ImportAlias


def _not_inside(
    handed: Iterable[Hit], judged: Set[tuple[str, int]], facts: Resolver
) -> Iterator[Hit]:
    """The handed-on functions that are no part of a call which the same rule reports."""
    for hit in handed:
        around = facts.tree.ancestors(hit.match.node)
        if not any((hit.rule.id, id(node)) in judged for node in around):
            yield hit


def _shown(report: f.Report, found: Match) -> cst.CSTNode:
    node = found.focus or found.node
    if report.part == "argument":
        argument = found.arguments.find(report.argument)
        return argument.shown if argument else node
    if isinstance(node, cst.Decorator):
        return node.decorator
    if report.part == "callee" and isinstance(node, cst.Call):
        return node.func
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return node.decorators[0] if found.focus and node.decorators else node.name
    return node


# Places ----------------------------------------------------------------------------------------


def _placed(hits: Sequence[Hit], facts: Resolver, page: Page, file: str) -> Iterator[Finding]:
    """The findings of hits in a page, which may be a part of a file's text."""
    if not hits:
        return
    mends = {id(hit): extent(mended(hit.match)) for hit in hits if hit.rule.fix is not None}
    ends = chain.from_iterable(mends.values())
    found = spans(facts.tree, page.text, [*(hit.shown for hit in hits), *ends])
    for hit in hits:
        start, end = found[id(hit.shown)]
        if _is_block(hit.shown):
            end = _end_of_header(page.text, start, end)
        finding = page.finding(hit.rule, hit.match.said, (start, end))
        if is_doubtful(hit.match.bindings):
            finding = less_sure(finding)
        if hit.rule.fix is not None:
            place = page.location(span_over(mends[id(hit)], found))
            finding = replace(finding, fix=offered(hit.rule.fix, hit.match, place, facts, file))
        yield finding


def _is_block(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.BaseCompoundStatement, cst.ExceptHandler, cst.ExceptStarHandler))


def _end_of_header(text: str, start: int, end: int) -> int:
    """A block is shown by its first line."""
    header = re.split(r"[\r\n]", text[start:end], maxsplit=1)[0]
    return start + len(header.rstrip())
