"""The survey of a module: marks the places of taint rules, follows the data, reports flows."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import chain

import libcst as cst

from vetbox.findings import Severity
from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.meaning import Meaning
from vetbox.rules.language.rule import Profile, Rule
from vetbox.rules.language.taint import Place, Taint
from vetbox.rules.matching.dispatch import Dispatch
from vetbox.rules.matching.facts import ResolverFacts
from vetbox.rules.matching.formulas import matches
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.taint import Flow, Labelling, Marks, Policy, Propagator, Sink, followed
from vetbox.rules.taint.arrived import Arrived, Followed
from vetbox.rules.taint.calls.applied import Handed, applied_calls
from vetbox.rules.taint.calls.callbacks import begins, begins_task, handed_call, is_mapping
from vetbox.rules.taint.policy.marks import AS_NUMBER
from vetbox.rules.taint.policy.markup import seeks_markup
from vetbox.rules.taint.policy.parts import parts_meant, told_parameters

_ENDS = frozenset({"source", "sink"})


@dataclass(frozen=True, slots=True)
class _Role:
    """A place of a rule as its source, sink, sanitizer or propagator."""

    role: str
    rule: str
    place: Place


class Survey:
    """The places of some taint rules; those that several rules name are looked for once."""

    def __init__(
        self,
        rules: Iterable[Rule],
        ends: Iterable[Place] | None = None,
        excusing: frozenset[str] = frozenset(),
    ) -> None:
        """`ends`: the sources and sinks that may be in the module; None: all of them.

        For the sinks of rules in `excusing` it is found out whether all data is of known origin.
        """
        self.rules = {rule.id: rule for rule in rules}
        self._policies = {
            name: _policy(rule.taint) for name, rule in self.rules.items() if rule.taint
        }
        self._excusing = excusing & self.rules.keys()
        self._roles: dict[str, list[_Role]] = defaultdict(list)
        possible = None if ends is None else set(map(_key, ends))
        for rule in self.rules.values():
            for role, place in _places(rule):
                key = _key(place)
                if possible is None or key in possible or role not in _ENDS:
                    self._roles[key].append(_Role(role, rule.id, place))
        questions: dict[bool, list[Rule]] = {True: [], False: []}
        for key, roles in self._roles.items():
            are_ends = any(role.role in _ENDS for role in roles)
            questions[are_ends].append(_question(key, roles[0].place))
        self._ends = Dispatch(questions[True], Profile.REPO)
        self._others = Dispatch(questions[False], Profile.REPO)

    def followed(self, facts: Resolver, spelled: Set[str] | None = None) -> Followed:
        """Every flow in a module; raises BudgetExceededError.

        `spelled` are the last identifiers of all that is looked for, where that is known.
        """
        marked = _Marked()
        self._mark_at(self._ends, marked, facts, spelled)
        if not self._excusing and not marked.may_meet(self._policies):
            return Followed((), ())
        self._mark_at(self._others, marked, facts, spelled)
        state = followed(facts.tree.module, self._marks(marked, facts), ResolverFacts(facts))
        flows = [*_told_once(state.flows.values())]
        arrived = [self._arrived(flow, marked, facts) for flow in flows]
        excused = [
            (rule, marked.sinks[rule, node].node)
            for (rule, node), known in state.excused.items()
            if known
        ]
        return Followed(arrived, excused)

    def _arrived(self, flow: Flow, marked: "_Marked", facts: Resolver) -> Arrived:
        rule = self.rules[flow.rule]
        sink = flow.rule, id(flow.sink)
        match = marked.sinks[sink]
        doubts = rule.taint.doubts if rule.taint else ()
        doubtful = (flow.rule, id(flow.stops[0].node)) in marked.doubted or any(
            next(iter(matches(doubt, match.node, facts)), None) for doubt in doubts
        )
        return Arrived(rule, match, flow, doubtful, is_handed=sink in marked.handing)

    def _mark_at(
        self, desk: Dispatch, marked: "_Marked", facts: Resolver, spelled: Set[str] | None
    ) -> None:
        for node, question in desk.questions(facts, spelled):
            if marked.is_new(question.rule.id, node):
                for found in matches(question.rule.matcher, node, facts):
                    marked.add(self._roles[question.rule.id], found, facts)
        self._mark_made(desk, marked, facts)

    def _mark_made(self, desk: Dispatch, marked: "_Marked", facts: Resolver) -> None:
        """Mark the calls that callbacks make: `map(f, xs)`, `Thread(target=f, …)`, `own(f, x)`."""
        for call, made in _made_calls(facts):
            for roles, found in self._found_at(desk, made, facts):
                marked.add_made(roles, call, found, facts)
        for handed in applied_calls(facts.tree):
            for roles, found in self._found_at(desk, handed.made, facts):
                marked.add_handed(roles, handed, found, facts)

    def _found_at(
        self, desk: Dispatch, made: cst.Call, facts: Resolver
    ) -> Iterator[tuple[Sequence[_Role], Match]]:
        for question in desk.of_call(made, facts):
            for found in matches(question.rule.matcher, made, facts):
                yield self._roles[question.rule.id], found

    def _marks(self, marked: "_Marked", facts: Resolver) -> Marks:
        return Marks(
            policies=self._policies,
            sources=_frozen(marked.sources),
            planted=_frozen(marked.planted),
            labellings={key: tuple(found) for key, found in marked.labellings.items()},
            sinks={key: tuple(sinks) for key, sinks in marked.targets.items()},
            handed=marked.handed,
            sanitizers=marked.cleaning("result"),
            placed=frozenset(marked.placed),
            side_effects=marked.cleaning("side-effect"),
            guards=marked.cleaning("guard"),
            refusals=marked.cleaning("refusal"),
            propagators={key: tuple(found) for key, found in marked.propagators.items()},
            excusing=self._excusing,
            told=frozenset(map(id, told_parameters(facts))) if self._excusing else frozenset(),
            seeks_markup=any(map(seeks_markup, chain.from_iterable(marked.targets.values()))),
        )


@dataclass(slots=True)
class _Marked:
    """What was found of each role, by the identity of nodes."""

    asked: set[tuple[str, int]] = field(default_factory=set)
    sources: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    doubted: set[tuple[str, int]] = field(default_factory=set)
    planted: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    labellings: dict[int, list[Labelling]] = field(default_factory=lambda: defaultdict(list))
    targets: dict[int, list[Sink]] = field(default_factory=lambda: defaultdict(list))
    sinks: dict[tuple[str, int], Match] = field(default_factory=dict)
    handed: dict[tuple[int, int], list[Sink]] = field(default_factory=lambda: defaultdict(list))
    handing: set[tuple[str, int]] = field(default_factory=set)
    by: dict[str, dict[int, set[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    placed: set[int] = field(default_factory=set)
    propagators: dict[int, list[Propagator]] = field(default_factory=lambda: defaultdict(list))

    def cleaning(self, by: str) -> dict[int, frozenset[str]]:
        """The sanitizers with this `by`: result, side-effect, guard or refusal."""
        return _frozen(self.by[by])

    def may_meet(self, policies: Mapping[str, Policy]) -> bool:
        """Has some rule a sink here, and a source or label of a kind that it refuses?"""
        labelled = (one.kind for some in self.labellings.values() for one in some)
        kinds = {*chain.from_iterable(self.sources.values()), *labelled}
        guarding = {rule for rule, _ in self.sinks}
        return any(not kinds.isdisjoint(policies[rule].sources) for rule in guarding)

    def is_new(self, key: str, node: cst.CSTNode) -> bool:
        """Is this the first time that the place is asked at the node?"""
        before = len(self.asked)
        self.asked.add((key, id(node)))
        return len(self.asked) > before

    def add(self, roles: Iterable[_Role], found: Match, facts: Resolver) -> None:
        for role in roles:
            if role.role == "propagator":
                self._propagate(role, found, facts)
            else:
                self._mark(role, found, list(parts_meant(role.place, found, facts)))

    def add_made(
        self, roles: Iterable[_Role], call: cst.Call, found: Match, facts: Resolver
    ) -> None:
        """Mark `call` for the call that it makes: as a sink, or as a sanitizer of its result."""
        for role in roles:
            if role.role == "sanitizer" and role.place.by == "result" and is_mapping(call):
                self._mark(role, found, [call])
            if role.role == "sink" and (role.rule, id(call)) not in self.sinks:
                nodes = [*parts_meant(role.place, found, facts)]
                self._mark(role, replace(found, node=call), nodes)

    def add_handed(
        self, roles: Iterable[_Role], handed: Handed, found: Match, facts: Resolver
    ) -> None:
        """Note that what a function does with one that it is given is a sink."""
        for role in (one for one in roles if one.role == "sink"):
            self.sinks[role.rule, id(handed.call)] = replace(found, node=handed.call)
            self.handing.add((role.rule, id(handed.call)))
            sink = Sink(role.rule, handed.call, role.place.requires)
            for part in parts_meant(role.place, found, facts):
                is_whole = part is handed.made  # of which the data is in what it is given
                for node in [arg.value for arg in handed.made.args] if is_whole else [part]:
                    self.handed[id(handed.func), id(node)].append(sink)

    def _mark(self, role: _Role, found: Match, nodes: Sequence[cst.CSTNode]) -> None:
        match role.role:
            case "source":
                for node in nodes:
                    self._enter(role, node)
            case "sink":
                self.sinks[role.rule, id(found.node)] = found
                sink = Sink(role.rule, found.node, role.place.requires)
                for node in nodes:
                    self.targets[id(node)].append(sink)
            case "sanitizer":
                for node in nodes:
                    self.by[role.place.by][id(node)].add(role.place.kind)
                    if found.focus is not None and found.focus is not found.node:
                        self.placed.add(id(node))

    def _enter(self, role: _Role, node: cst.CSTNode) -> None:
        place = role.place
        if place.doubtful:
            self.doubted.add((role.rule, id(node)))
        if place.requires is None:
            self.sources[id(node)].add(place.kind)
        else:
            labelling = Labelling(role.rule, place.kind, place.requires)
            self.labellings[id(node)].append(labelling)
        if place.by == "side-effect":
            self.planted[id(node)].add(place.kind)

    def _propagate(self, role: _Role, found: Match, facts: Resolver) -> None:
        place = role.place
        giver, taker = found.bindings.get(place.at), found.bindings.get(place.to)
        if giver and taker and giver.nodes and taker.nodes:
            ends = giver.nodes[0], taker.nodes[0]
            propagator = Propagator(role.rule, *ends, _labelling(role), place.replaces)
            self.propagators[id(_statement(found.node, facts))].append(propagator)


def _told_once(flows: Collection[Flow]) -> Iterator[Flow]:
    """The flows, but of `execute(text(data))` only that into text(), where both are sinks."""
    sinks = {(flow.rule, id(flow.sink)) for flow in flows}
    for flow in flows:
        if flow.target is flow.sink or (flow.rule, id(flow.target)) not in sinks:
            yield flow


def _made_calls(facts: Resolver) -> Iterator[tuple[cst.Call, cst.Call]]:
    """The calls that call a callback at once or later, each with that call.

    Not those of tasks, `f.delay(x)`: only functions of the program are tasks, not sinks.
    """
    for call in facts.tree.by_type.get(cst.Call, ()):
        if isinstance(call, cst.Call) and not (begins(call) or begins_task(call)):
            made = handed_call(call)
            if made is not None:
                yield call, made


def _places(rule: Rule) -> Iterator[tuple[str, Place]]:
    if rule.taint is not None:
        yield from (("source", place) for place in rule.taint.sources)
        yield from (("sink", place) for place in rule.taint.sinks)
        yield from (("sanitizer", place) for place in rule.taint.sanitizers)
        yield from (("propagator", place) for place in rule.taint.propagators)


def _key(place: Place) -> str:
    """Equal for places that are the same, whichever rule names them."""
    return f"{place.kind}/{place.at}/{place.by}/{hash(_meant(place))}"


def _meant(place: Place) -> tuple[object, ...]:
    return place.formula, place.except_types, place.except_names


def _question(key: str, place: Place) -> Rule:
    """A rule that stands for a place, for the dispatch to ask."""
    return Rule(key, "", Severity.INFO, Meaning(place.formula))


def _frozen(found: Mapping[int, set[str]]) -> dict[int, frozenset[str]]:
    return {key: frozenset(kinds) for key, kinds in found.items()}


def _labelling(role: _Role) -> Labelling | None:
    """The label and requirement of a propagator; None where it passes on all data."""
    place = role.place
    if place.requires is None and not place.label:
        return None
    return Labelling(role.rule, place.kind, place.requires)


def _policy(taint: Taint) -> Policy:
    labels: dict[str, set[str]] = defaultdict(set)
    for place in (*taint.sources, *taint.propagators):
        if place.label:
            labels[place.kind].add(place.label)
    return Policy(
        frozenset(place.kind for place in taint.sources) | labels.keys(),
        AS_NUMBER.union(place.kind for place in taint.sanitizers),
        {kind: frozenset(names) for kind, names in labels.items()},
    )


def _statement(node: cst.CSTNode, facts: Resolver) -> cst.CSTNode:
    """The simple statement around a node: propagators work once it has been read."""
    around = (node, *facts.tree.ancestors(node))
    return next((a for a in around if isinstance(a, cst.BaseSmallStatement)), node)
