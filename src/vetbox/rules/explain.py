"""Why a rule fired on a line, or why it did not: every clause with its answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import libcst as cst

from vetbox.code.source import Source
from vetbox.findings import Finding, Step, less
from vetbox.late_dataclasses import dataclass
from vetbox.rules.engine import check
from vetbox.rules.judging import is_excused, resolver_of
from vetbox.rules.language import formula as f
from vetbox.rules.language import wording
from vetbox.rules.language.raising import formula_in, handed_on
from vetbox.rules.language.rule import Profile, Rule, RuleSet
from vetbox.rules.language.whereabouts import is_beside, place_of
from vetbox.rules.matchers import first_in, is_reference
from vetbox.rules.matching.conditions import holds
from vetbox.rules.matching.dispatch import spots
from vetbox.rules.matching.formulas import match
from vetbox.rules.page import Lines, Span
from vetbox.rules.positions import spans
from vetbox.rules.program import program_of
from vetbox.rules.resolve.arguments import read_arguments
from vetbox.rules.resolve.escapes import escapes
from vetbox.rules.resolve.names import Resolver

_LAYOUT = cst.Module(body=[])
MAX_PLACES = 50
_ALONE: Mapping[str, Rule] = {}


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a rule, whether it holds, and what was found instead."""

    text: str
    holds: bool
    found: str = ""
    parts: tuple["Clause", ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Code on the line that the rule could have been about."""

    column: int
    code: str
    clause: Clause


@dataclass(frozen=True, slots=True)
class Explanation:
    """`conditions` come before any code is looked at; `places` are empty where they fail.

    `trace` has the steps of a data flow that arrives on the line.
    """

    rule: str
    line: int
    fires: bool
    conditions: tuple[Clause, ...]
    places: tuple[Place, ...]
    trace: tuple[Step, ...] = ()


def explain(
    source: Source, rule: Rule, line: int, *, profile: Profile, rules: Mapping[str, Rule] = _ALONE
) -> Explanation:
    """What a rule makes of a line of a file; raises SourceError for code that cannot be read.

    `rules` has those that it may leave the place to.
    """
    here = [*_found(source, [rule], line, profile)]
    mine = [one for one in here if one.code == rule.id]
    conditions = [*_conditions(source, rule, profile)]
    if rule.flows:
        conditions.append(Clause("data from a source arrives on this line", bool(mine)))
    others = [rules[name] for name in (*rule.told_by, *rule.excused_by) if name in rules]
    if mine and others:
        here = [*_found(source, [rule, *others], line, profile)]
        mine = [one for one in here if one.code == rule.id]
        conditions += [] if mine else [_left_to(rule, here)]
    places = (_ends if rule.flows else _places)(source, rule, line, profile)
    trace = mine[0].trace if mine else ()
    return Explanation(rule.id, line, bool(mine), tuple(conditions), tuple(places), trace)


def _found(source: Source, rules: Sequence[Rule], line: int, profile: Profile) -> Iterator[Finding]:
    for one in check(source, RuleSet.of(rules), profile=profile):
        if one.location.line <= line <= one.location.end_line:
            yield one


def _left_to(rule: Rule, here: Sequence[Finding]) -> Clause:
    """Why the rule is silent where others are asked as well."""
    tells = next((one.code for one in here if one.code in rule.told_by), "")
    if tells:
        return Clause("no other rule says more of the place", holds=False, found=tells)
    names = ", ".join(rule.excused_by)
    return Clause("what comes there is not known", holds=False, found=f"followed by {names}")


def _conditions(source: Source, rule: Rule, profile: Profile) -> Iterator[Clause]:
    severity = rule.profiles.get(profile)
    yield Clause(
        f"the rule is on in the {profile} profile", severity is not None, str(severity or "")
    )
    if profile is Profile.REPO and (rule.paths.include or rule.paths.exclude):
        place = place_of(source.path)
        yield Clause("the rule looks at this path", place in rule.paths, place)
    if profile is Profile.REPO and is_beside(source.path):
        beside = f"it is beside the program: of {less(rule.confidence)} confidence"
        yield Clause(beside, holds=True, found=source.path)
    if severity is not None:
        hits = program_of(RuleSet.of([rule]), profile).hits(source)
        yield Clause("the file holds the words the rule waits for", rule.id in hits)


def _places(source: Source, rule: Rule, line: int, profile: Profile) -> Iterator[Place]:
    facts = resolver_of(source, profile)
    formula = formula_in(rule, profile)
    nodes = [*_askable(formula, facts), *_handable(formula, facts, profile)]
    for span, node in _on_line(source, facts, nodes, line)[:MAX_PLACES]:
        handed = _handed_on(formula, node, facts) if profile is Profile.AGENT else None
        column = Lines.of(source.text).place(span[0])[1]
        clause = handed or explained(formula, node, facts)
        yield Place(column, source.code[slice(*span)], clause)


def _ends(source: Source, rule: Rule, line: int, profile: Profile) -> Iterator[Place]:
    """The sources, sinks and sanitizers of a flow that stand on the line."""
    facts, taint = resolver_of(source, profile), rule.taint
    if taint is None:
        return
    for role in ("source", "sink", "sanitizer"):
        found: dict[tuple[int, str], Place] = {}
        for end in getattr(taint, f"{role}s"):
            nodes = [*_askable(end.formula, facts)]
            for span, node in _on_line(source, facts, nodes, line):
                if match(end.formula, node, facts) is not None:
                    kind = f": {end.label or end.kind}" if end.label or ":" not in end.kind else ""
                    column = Lines.of(source.text).place(span[0])[1]
                    clause = Clause(f"a {role} stands here{kind}", holds=True)
                    found[span[0], kind] = Place(column, source.code[slice(*span)], clause)
        yield from list(found.values())[:MAX_PLACES]


def _askable(formula: f.Formula, facts: Resolver) -> Iterator[cst.CSTNode]:
    """The nodes of the kinds that the rule looks at."""
    for kind in {kind for kind, _, _ in spots(formula)}:
        yield from facts.tree.by_type.get(kind, ())


def _handable(formula: f.Formula, facts: Resolver, profile: Profile) -> Iterator[cst.CSTNode]:
    """The references to what the rule forbids, which count in code about to run."""
    for handed in handed_on(formula) if profile is Profile.AGENT else ():
        for node in facts.tree.of_type(cst.Name, cst.Attribute):
            if first_in(handed.names, facts.names(node, f.Resolve.DYNAMIC)):
                yield node


def _on_line(
    source: Source, facts: Resolver, nodes: Sequence[cst.CSTNode], line: int
) -> list[tuple[Span, cst.CSTNode]]:
    """Those of the nodes on a line, outermost first; a call counts on all its lines."""
    found = spans(facts.tree, source.code, nodes)
    lines = Lines.of(source.text)
    on_line = []
    for node in nodes:
        first, last = (lines.place(offset)[0] for offset in found[id(node)])
        if first == line or (first < line <= last and isinstance(node, cst.Call)):
            on_line.append((found[id(node)], node))
    return sorted(on_line, key=lambda one: (one[0][0], -one[0][1]))


def _handed_on(formula: f.Formula, node: cst.CSTNode, facts: Resolver) -> Clause | None:
    """The clause of a dangerous function that is passed on instead of called."""
    for handed in handed_on(formula):
        name = first_in(handed.names, facts.names(node, f.Resolve.DYNAMIC))
        if name is not None and is_reference(node, facts):
            text = f"{name} is handed on to where nobody can see whether it is called"
            return Clause(text, escapes(node, facts) and not is_excused(handed, node, facts))
    return None


def explained(formula: f.Formula, node: cst.CSTNode, facts: Resolver) -> Clause:
    """A formula's answer at a node, clause by clause."""
    verdict = match(formula, node, facts) is not None
    read = _PARTS.get(type(formula))
    parts = tuple(read(formula, node, facts)) if read else ()
    return Clause(wording.of(formula), verdict, _seen(formula, node, facts), parts)


def _seen(formula: f.Formula, node: cst.CSTNode, facts: Resolver) -> str:
    """What stands here, in the words of the clause."""
    match formula:
        case f.Call(resolve=level) if isinstance(node, (cst.Call, cst.Decorator)):
            return f"calls {wording.names(facts.callee(node, level))}"
        case f.Name(resolve=level):
            return f"is {wording.names(facts.names(node, level))}"
    return ""


def _combined(formula: f.Any | f.All, node: cst.CSTNode, facts: Resolver) -> Iterator[Clause]:
    for part in formula.parts:
        yield explained(part, node, facts)


def _denied(formula: f.Not, node: cst.CSTNode, facts: Resolver) -> Iterator[Clause]:
    yield explained(formula.part, node, facts)


def _call_parts(call: f.Call, node: cst.CSTNode, facts: Resolver) -> Iterator[Clause]:
    if not isinstance(node, (cst.Call, cst.Decorator)):
        return
    names = facts.callee(node, call.resolve)
    yield Clause(
        f"it calls {wording.wanted(call.names)}",
        first_in(call.names, names) is not None,
        wording.names(names),
    )
    given = read_arguments(node, facts)
    for argument, condition in call.arguments:
        one = given.find(argument)
        held = one is not None and holds(condition, one.value, facts)
        code = _LAYOUT.code_for_node(one.value) if one else "not given"
        yield Clause(f"{wording.argument(argument)} {wording.condition(condition)}", held, code)
    for argument in call.absent:
        yield Clause(f"{wording.argument(argument)} is not given", given.find(argument) is None)
    if call.no_splat:
        yield Clause("all arguments are written out", not given.unknown)


_PARTS: Mapping[type[object], Callable[..., Iterator[Clause]]] = {
    f.Any: _combined,
    f.All: _combined,
    f.Not: _denied,
    f.Call: _call_parts,
}
