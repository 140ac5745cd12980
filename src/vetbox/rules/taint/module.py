"""The state of one module's analysis: summaries, fields, shared variables, flows so far."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.budget import Budget
from vetbox.rules.language.requirement import MARKUP
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.resolve.annotations import types_named
from vetbox.rules.taint.calls.binding import bind_arguments
from vetbox.rules.taint.calls.decorated import Decorated
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.functions import FunctionIndex
from vetbox.rules.taint.calls.options import Options
from vetbox.rules.taint.calls.readings import Readings, said
from vetbox.rules.taint.calls.singles import class_of_single
from vetbox.rules.taint.calls.specialization import Specializations
from vetbox.rules.taint.calls.substitution import Substitution, filled
from vetbox.rules.taint.calls.summaries import Arrival, Flow, Summary
from vetbox.rules.taint.calls.surroundings import Surroundings
from vetbox.rules.taint.calls.validated import as_made
from vetbox.rules.taint.data.gains import both
from vetbox.rules.taint.data.sharing import Shared, Shelf, lasting, shelves
from vetbox.rules.taint.data.taints import NO_TAINTS, PARAMETER, Taint, Taints, Trace, union
from vetbox.rules.taint.data.unknown_origin import OPEN, OPEN_VALUE
from vetbox.rules.taint.data.values import CLEAN, Value, join
from vetbox.rules.taint.policy.labelling import labelled
from vetbox.rules.taint.policy.marks import Marks, Sink
from vetbox.rules.taint.reading.environment import Environment
from vetbox.rules.walk import identifier

AROUND = "^"
"""The prefix of paths that name a variable of an enclosing function."""
CHANGING = (cst.List, cst.Dict, cst.Set)
"""What holds more after something is put into it."""


@dataclass(slots=True)
class Module:
    """The state of one module's analysis; functions are summarised when first asked about."""

    marks: Marks
    facts: Facts
    index: FunctionIndex
    budget: Budget
    read: Callable[["Module", Function], Summary]
    flows: dict[tuple[str, int], Flow] = field(default_factory=dict)
    fields: dict[tuple[str, str], Value] = field(default_factory=dict)
    given: dict[int, Taints] = field(default_factory=dict)
    """By calls that give numbers and become something else: what these are made of."""
    globals: Environment = field(default_factory=Environment)
    around: Surroundings = field(default_factory=Surroundings)
    excused: dict[tuple[str, int], bool] = field(default_factory=dict)
    """By rule and sink: is all data that came there of known origin, or sanitized?"""
    shared: Shared = field(default_factory=Shared)
    """By path: what functions put into variables of the module, or of a function around them."""
    active: set[int] = field(default_factory=set)  # the lambdas that are being called
    late: dict[tuple[str | None, str], int] = field(default_factory=dict)
    """By (class, attribute) or (None, variable): how many functions were read before it was set."""
    defaults: dict[int, Value] = field(default_factory=dict)
    """By parameter: the value of its default."""
    readings: Readings = field(default_factory=Readings)
    decorated: Decorated = field(init=False)
    options: Options = field(init=False)
    specializations: Specializations = field(init=False)

    def __post_init__(self) -> None:
        self.decorated = Decorated(self.index)
        self.options = Options(self.index.module, self.index)
        self.specializations = Specializations(self.facts)

    def summary(self, function: Function) -> Summary | None:
        """The function's summary; None where it is not known, as before a nested one is defined."""
        outer = function.outer
        if outer is not None and not self.around.are_known(function):
            if not self.readings.is_active(outer):
                self.summary(outer)
            elif function.owner is None:  # a method is also meant where its class comes later
                return None
        return self.readings.summary(function, lambda: self.read(self, function))

    def reread(self, function: Function) -> bool:
        """Read a function again; does it say something now that it did not say before?"""
        before = self.readings.forget(function)
        after = self.summary(function)
        return before is not None and after is not None and said(before) != said(after)

    def meant(self, func: cst.BaseExpression, owner: str | None) -> Function | None:
        """The only function that a call can mean; None where the receiver decides."""
        functions = self.index.meant(func, owner)
        sure = len(functions) == 1 and not self.index.is_guess(func, owner)
        return functions[0] if sure else None

    def is_outside(self, func: cst.BaseExpression) -> bool:
        """Is it a method of a source, as in `request.args.get`, and so none of the module?"""
        return isinstance(func, cst.Attribute) and id(func.value) in self.marks.sources

    def parameter(self, parameter: cst.Param) -> Value:
        """The value of a parameter in the summary, for calls to put their arguments in."""
        stand_in = Taint(
            PARAMETER, parameter, Trace(parameter, f"parameter {parameter.name.value}")
        )
        taints = union({stand_in.key: stand_in}, self.source_taints(parameter))
        default = CLEAN
        if id(parameter) not in self.marks.told:
            default = self.defaults.get(id(parameter), CLEAN)
            taints = union(taints, default.taints)
        if isinstance(parameter.default, CHANGING) and self.shared:
            taints = union(taints, self.shared.value(_path_of_default(parameter)).all_taints)
        taints = self.labelled(parameter, taints)
        if default.is_object:
            return Value(taints, items=default.items, is_object=True, whole=parameter)
        value = Value(taints, whole=parameter)
        made = self._declared(parameter.annotation)
        return value if made is None else as_made(made, value, self.index, self.facts, self.summary)

    def handed(self, parameter: cst.Param) -> Value:
        """What a lambda may be given by whoever it is handed to."""
        taints = self.source_taints(parameter)
        return join(self.unknown, Value(taints)) if taints else self.unknown

    def _declared(self, annotation: cst.Annotation | None) -> cst.ClassDef | None:
        """The class of this module that a type says a parameter is of."""
        if annotation is None:
            return None
        written = annotation.annotation
        behind = self.facts.behind(written) if isinstance(written, cst.Name) else None
        named = [*types_named(behind if isinstance(behind, cst.Subscript) else written)]
        return self.index.made(named[0]) if len(named) == 1 else None

    def source_taints(self, node: cst.CSTNode) -> Taints:
        """The taints the rules say begin at this node."""
        kinds = self.marks.sources.get(id(node), ())
        trace = (Taint(kind, node, Trace(node, f"{kind} enters here")) for kind in sorted(kinds))
        return {taint.key: taint for taint in trace}

    def labelled(self, node: cst.CSTNode, taints: Taints) -> Taints:
        """The taints, with those that labellings of the rules add at this node."""
        for labelling in self.marks.labellings.get(id(node), ()):
            new = labelled(labelling, self.marks.policies[labelling.rule], node, taints)
            taints = taints if new is None else union(taints, {new.key: new})
        return taints

    def arrive(self, summary: Summary, arrival: Arrival) -> None:
        """Taints reach a sink: report a flow if its rule refuses them, and tell the callers."""
        sink, policy = arrival.sink, self.marks.policies[arrival.sink.rule]
        left = [taint for taint in arrival.taints if not taint.cleaned & policy.sanitizers]
        awaited = [taint for taint in left if taint.is_open]
        if awaited:
            kept = tuple(awaited if sink.requires is None else left)
            passed_on = Arrival(sink, arrival.target, kept)
            summary.arrivals.setdefault(passed_on.key, passed_on)
        refused = policy.refused(left, sink.requires)
        if refused is not None:
            self._report(arrival, refused)

    @property
    def unknown(self) -> Value:
        """The value of which nothing is known: clean, unless a rule asks for known origins."""
        return OPEN_VALUE if self.marks.excusing else CLEAN

    def excuse(self, sink: Sink, taints: Taints) -> None:
        """Note whether all data that comes to a sink is of known origin, or sanitized."""
        key, good = (sink.rule, id(sink.node)), self.marks.policies[sink.rule].sanitizers
        told = self.marks.told
        rest = (one for one in taints.values() if one.kind != MARKUP)
        known = all(one.cleaned & good or id(one.origin) in told for one in rest)
        self.excused[key] = self.excused.get(key, True) and known

    def _report(self, arrival: Arrival, taint: Taint) -> None:
        rule = arrival.sink.rule
        key = (rule, id(arrival.sink.node))
        if key not in self.flows:
            stops = taint.trace.then(arrival.target, "reaches the sink").stops()
            self.flows[key] = Flow(rule, taint.kind, arrival.sink.node, arrival.target, stops)

    def call(
        self,
        function: Function,
        call: cst.Call,
        arguments: Mapping[int, Value],
        summary: Summary,
        *,
        at: cst.BaseExpression | None = None,
    ) -> Value | None:
        """What a call of a function of this module returns; its sinks see the arguments.

        Not so the sinks of rules that take the call for a sanitizer. `at` is the call in the text
        where this one is made by it, as f(x) is by `map(f, xs)`.
        """
        written = at or call
        called = self.summary(function)
        if called is None:
            return None
        seen = self.seen(function, call, arguments, written)
        trusted = self.marks.sanitizers.get(id(call), frozenset())
        for arrival in called.arrivals.values():
            if trusted & self.marks.policies[arrival.sink.rule].sanitizers:
                continue
            self.arrive(summary, seen.arrival(arrival))
        for shelf, taints in called.shared.items():
            self._share(summary, shelf, seen.taints(taints))
        return seen.value(called.returns)

    def kept(
        self,
        function: Function,
        call: cst.Call,
        arguments: Mapping[int, Value],
        *,
        at: cst.BaseExpression | None = None,
    ) -> Mapping[str, Value]:
        """What the attributes of its object gain by a method call."""
        called = self.summary(function)
        if called is None or not called.kept:
            return {}
        seen = self.seen(function, call, arguments, at)
        return {name: seen.value(gained) for name, gained in called.kept.items()}

    def filled(
        self,
        function: Function,
        call: cst.Call,
        arguments: Mapping[int, Value],
        summary: Summary,
    ) -> Iterator[tuple[cst.BaseExpression, Value]]:
        """The arguments that a call mutates, each with what it gains.

        A default that it mutates is shared by all calls.
        """
        called = self.summary(function)
        if called is None or not called.filled:
            return
        seen, left = self.seen(function, call, arguments), dict(called.filled)
        for bound in bind_arguments(function, call):
            gained = left.pop(identifier(bound.parameter.name), None)
            if gained is not None and not bound.parameter.star:
                yield bound.value, seen.value(gained)
        for one in function.parameters if left else ():
            if isinstance(one.default, CHANGING):
                gained = left.get(identifier(one.name), CLEAN)
                self.share(summary, _path_of_default(one), seen.value(gained))

    def thrown(
        self, function: Function, call: cst.Call, arguments: Mapping[int, Value]
    ) -> Value | None:
        """What the exceptions hold that a call of a function may raise."""
        called = self.summary(function)
        if called is None or not called.thrown.taints:
            return None
        return self.seen(function, call, arguments).value(called.thrown)

    def printed(self, function: Function, call: cst.Call, arguments: Mapping[int, Value]) -> Taints:
        """What a call of a function prints."""
        called = self.summary(function)
        if called is None or not called.printed:
            return NO_TAINTS
        return self.seen(function, call, arguments).taints(called.printed)

    def hand_up(self, within: Summary, summary: Summary, seen: Substitution) -> None:
        """What a call within another has led to sinks, and put into shared variables."""
        for arrival in within.arrivals.values():
            self.arrive(summary, seen.arrival(arrival))
        for shelf, taints in within.shared.items():
            self._share(summary, shelf, seen.taints(taints))

    def note_put(self, path: str, value: Value) -> None:
        """The body of the module has put something into a variable, after functions were read."""
        for taint in value.all_taints.values() if self.readings.order else ():
            self._note(None, path.rpartition(".")[2], taint)

    def share(self, summary: Summary, path: str, value: Value) -> None:
        """Put a value into a variable of the module or of an enclosing function."""
        for shelf, taints in shelves(path, value):
            self._share(summary, shelf, taints)

    def _share(self, summary: Summary, shelf: Shelf, taints: Taints) -> None:
        path, _ = shelf
        for key, taint in taints.items():
            if taint.is_open:
                known = summary.shared.get(shelf, NO_TAINTS)
                summary.shared[shelf] = union(known, {key: taint})
            elif self.shared.add(shelf, taint):
                first, _, name = path.rpartition(".")
                self._note(None, name.removeprefix(AROUND), taint)
                if first and self.holds_object(first):  # whose methods may be asked instead
                    self._note(None, first, taint)
            if path.startswith(AROUND):
                self.shared.add(shelf, taint)

    def _note(self, owner: str | None, name: str, taint: Taint) -> None:
        """Remember that functions which were read before now have missed this taint."""
        if taint.kind not in (OPEN, MARKUP):
            self.late[owner, name] = len(self.readings.order)

    def seen(
        self,
        function: Function,
        call: cst.Call,
        arguments: Mapping[int, Value],
        at: cst.BaseExpression | None = None,
    ) -> Substitution:
        """The substitution of a call's arguments into the summary of its function."""
        given = filled(function, call, arguments)
        return Substitution(self.marks, self.index, given, at or call, self.budget)

    def holds_object(self, variable: str) -> bool:
        """Has the body of the module an object of a class of it in a variable?"""
        held = self.globals.get(variable)
        return held is not None and held.is_object

    def single(self, of: cst.BaseExpression) -> str | None:
        """The class whose only object an expression gives."""
        singles = self.index.singles
        return class_of_single(of, singles, self.facts) if singles else None

    def field(self, owner: str, node: cst.Attribute) -> Value:
        """What `self.name` holds: what methods assign, or a property gives without parameters."""
        name, known = node.attr.value, CLEAN
        for one in self.index.family(owner):
            known = both(known, self.fields[one, name]) if (one, name) in self.fields else known
            shared = self.shared.value(f"{one}.{name}")
            known = known if shared is CLEAN else both(known, shared)
        function = self.index.property_of(owner, node.attr.value)
        summary = self.summary(function) if function is not None else None
        if summary is None:
            return known
        taints = (t for t in summary.returns.all_taints.values() if not t.is_open)
        given = (t.moved(node, "given by this property") for t in taints)
        return both(known, Value({taint.key: taint for taint in given}))

    def remember_field(self, owner: str | None, name: str, value: Value) -> None:
        """Let the other methods of the class see `self.name = value`."""
        if owner is None or not value.all_taints:
            return
        known, put = self.fields.get((owner, name), CLEAN), lasting(value)
        if not put.all_taints:
            return
        for key, taint in put.all_taints.items():
            if key not in known.all_taints:
                self._note(owner, name, taint)
        self.fields[owner, name] = put if known is CLEAN else join(known, put)


def _path_of_default(parameter: cst.Param) -> str:
    return f"{id(parameter)}.{identifier(parameter.name)}"
