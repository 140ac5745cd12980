"""The reader of statements: in order, both branches of an `if`, loops while taint moves on."""

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import reduce
from typing import Any

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.patterns.tree import flat_statements
from vetbox.rules.taint.calls.depending import filling
from vetbox.rules.taint.calls.specials import entered, iterated, left, looped, special
from vetbox.rules.taint.data.values import CLEAN, Value, join, mixed
from vetbox.rules.taint.policy.labelling import handed_on
from vetbox.rules.taint.reading.cases import captured, case_fits, is_harmless_case
from vetbox.rules.taint.reading.containers import emptied, is_whole, without
from vetbox.rules.taint.reading.environment import Environment, join_environments, path_of, root_of
from vetbox.rules.taint.reading.expressions import Evaluator
from vetbox.rules.taint.reading.loops import Exits, checked_in, is_endless, is_entered, passes
from vetbox.rules.taint.reading.raising import Raising
from vetbox.rules.taint.reading.stores import PRINTED, redirected, update_of
from vetbox.rules.taint.sanitizing.allow_lists import is_listed
from vetbox.rules.taint.sanitizing.guards import EVERY, paths_in
from vetbox.rules.taint.sanitizing.lookups import HOST_CHECK, host_looked_up, refusals
from vetbox.rules.taint.sanitizing.quantifiers import uncut
from vetbox.rules.taint.sanitizing.validators import is_exit, never_returns, note_return
from vetbox.rules.walk import identifier, last_word

_SWALLOWING = frozenset({"suppress", "raises", "assertRaises"})
"""Functions that make what lets no exception out of a `with`."""


@dataclass(slots=True)
class Reader(Raising):
    """Reads one function body (or the module's) into a summary."""

    exits: list[Exits] = field(default_factory=list)
    """Of the loops around, the innermost one last."""
    beyond: Environment | None = None
    """Around a class: what its methods see, which is not what its body has."""

    def value(self, node: cst.BaseExpression | None) -> Value:
        """What an expression may hold here."""
        return CLEAN if node is None else Evaluator(self.module, self).value(node)

    def _sets_item(self, target: cst.Subscript, key: Value, value: Value) -> bool:
        of, held = target.value, self.value(target.value)
        given = [(cst.Name("_"), key), (cst.Name("_"), value)]
        return special("__setitem__", of, held, given, Evaluator(self.module, self)) is not None

    def block(self, suite: cst.BaseSuite) -> None:
        """Read a block."""
        self.statements(suite.body)

    def statements(self, body: Sequence[cst.BaseStatement | cst.BaseSmallStatement]) -> None:
        """Read statements until control cannot go on."""
        for statement in flat_statements(body):
            if self.env.dead:
                return
            read = _STATEMENTS.get(type(statement))
            if read is not None:
                read(self, statement)
            self._apply_propagators(statement)

    def _apply_propagators(self, statement: cst.CSTNode) -> None:
        for propagator in self.module.marks.propagators.get(id(statement), ()):
            if isinstance(propagator.from_, cst.BaseExpression):
                policy = self.module.marks.policies[propagator.rule]
                taints = handed_on(propagator, policy, self.value(propagator.from_).all_taints)
                self._add_to(root_of(propagator.to), Value(taints))

    # Small statements -------------------------------------------------------------------------

    def _expression(self, node: cst.Expr) -> None:
        self.value(node.value)
        self.passed(node.value)
        called = node.value.expression if isinstance(node.value, cst.Await) else node.value
        if isinstance(called, cst.Call):
            last = self._is_last(called, is_awaited=called is not node.value)
            self.env.dead = last or is_exit(called, self.module.facts.names(called.func))

    def _is_last(self, call: cst.Call, *, is_awaited: bool) -> bool:
        """Does the call of a function of the file never come back?"""
        function = self.module.meant(call.func, self.owner)
        return function is not None and never_returns(
            function, self.module.summary(function), is_awaited=is_awaited
        )

    def _assign(self, node: cst.Assign) -> None:
        value = self.value(node.value)
        self.passed(node.value)
        for target in node.targets:
            given = self.still_given(target.target, node.value)
            self.bind(target.target, self._fit(target.target, value, node.value))
            self.given.update(given)
            self.note(target.target, node.value)
            self.link(target.target, node.targets[0].target)

    def _fit(self, target: cst.CSTNode, value: Value, of: cst.BaseExpression) -> Value:
        """What is bound: of an object that several names are given, its elements."""
        is_split = value.is_object and isinstance(target, (cst.Tuple, cst.List))
        return iterated(of, value, Evaluator(self.module, self)) if is_split else value

    def _annotated(self, node: cst.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.value(node.value))
            self.note(node.target, node.value)

    def _augmented(self, node: cst.AugAssign) -> None:
        evaluator, call = Evaluator(self.module, self), update_of(node)
        added, known = evaluator.value(call or node.value), evaluator.value(node.target)
        if call is None:  # lists are changed, texts made anew
            bind = self.put if known.is_listed else self.bind
            bind(node.target, evaluator.combine(type(node.operator), known, added))

    def _return(self, node: cst.Return) -> None:
        returned = self.value(node.value)
        if node.value is not None:
            self.summary.given.append(returned)
        first = self.summary.returns is CLEAN
        self.summary.returns = returned if first else join(self.summary.returns, returned)
        note_return(self.summary, self.env, self.given)
        self.answer(node.value, False if node.value is None else returned.truth)
        self.env.dead = True

    def _global(self, node: cst.Global) -> None:
        self.others |= {identifier(item.name) for item in node.names}

    def _nonlocal(self, node: cst.Nonlocal) -> None:
        self.outer |= {identifier(item.name) for item in node.names}

    def _break(self, _: cst.Break) -> None:
        if self.exits:
            self.exits[-1].leave(self.env)
        self.env.dead = True

    def _continue(self, _: cst.Continue) -> None:
        if self.exits:
            self.exits[-1].go_on(self.env)
        self.env.dead = True

    def _delete(self, node: cst.Del) -> None:
        parts = node.target.elements if isinstance(node.target, cst.Tuple) else ()
        for target in [part.value for part in parts] or [node.target]:
            path = path_of(target.value if isinstance(target, cst.Subscript) else target)
            if path is None or path not in self.env.values:
                continue
            if isinstance(target, cst.Subscript):
                left = self.env.values[path] = self._left_by(target, self.env.values[path])
                self._spread(path, left)
            else:
                del self.env.values[path]

    def _left_by(self, target: cst.Subscript, held: Value) -> Value:
        """What `del held[key]` leaves."""
        whole = all(is_whole(one.slice) for one in target.slice)
        return emptied(held) if whole else without(held, self._key(target).constant)

    def _assert(self, node: cst.Assert) -> None:
        self.value(node.test)
        self.trust(node.test)

    # Compound statements ----------------------------------------------------------------------

    def _if(self, node: cst.If) -> None:
        truth = self.value(node.test).truth
        ways = []
        if truth is not False:
            ways.append(self.branch(lambda: self._guarded(node.test, node.body, holds=True)))
        if truth is not True:
            ways.append(self.branch(lambda: self._otherwise(node)))
        self.env.become(ways[0] if len(ways) == 1 else join_environments(*ways))

    def _otherwise(self, node: cst.If) -> None:
        self.trust(node.test, holds=False)
        if isinstance(node.orelse, cst.If):
            self._if(node.orelse)
        elif node.orelse is not None:
            self.block(node.orelse.body)

    def _guarded(self, test: cst.BaseExpression, body: cst.BaseSuite, *, holds: bool) -> None:
        self.trust(test, holds=holds)
        self.block(body)

    def _for(self, node: cst.For) -> None:
        items = self.value(node.iter)
        element = looped(node.iter, items, Evaluator(self.module, self))
        listed = isinstance(node.target, cst.Name) and is_listed(node.iter, self.module.facts)
        of = self.env.get(path_of(uncut(node.iter)) or "")
        exits = Exits(is_entered=is_entered(items))
        self._loop(exits, lambda: self._pass(node, element, is_listed=listed), node)
        path, passed = checked_in(node, element, exits) or ("", EVERY)
        if path and self.env.get(path) is of and not self.env.dead:
            self._clean(frozenset({path}), passed)
        if exits.broken is None and not self.env.dead:
            self._refuse_addresses(node)

    def _refuse_addresses(self, node: cst.For) -> None:
        """A host has an address, so a loop over all of them is taken, and checks the host."""
        host = host_looked_up(node.iter, self.module.facts)
        if host is not None:
            for test in refusals(node.body):
                for _, kinds in self._checked(test, holds=False):
                    self._clean(paths_in(host), kinds & HOST_CHECK)

    def _pass(self, node: cst.For, element: Value, *, is_listed: bool) -> None:
        self.bind(node.target, element)
        self.link_elements(node.target, node.iter)
        if is_listed:
            self.env.own |= paths_in(node.target)
        self.block(node.body)

    def _while(self, node: cst.While) -> None:
        with self.aside():
            truth = self.value(node.test).truth
        if truth is False:
            return
        exits = Exits(is_entered=truth is True, is_endless=is_endless(node.test))
        self._loop(exits, lambda: self._while_pass(node), node)

    def _while_pass(self, node: cst.While) -> None:
        self.value(node.test)
        self._guarded(node.test, node.body, holds=True)

    def _loop(self, exits: Exits, read: Callable[[], None], node: cst.For | cst.While) -> None:
        self.exits.append(exits)
        for _ in passes(len(self.exits), self.env):
            after = exits.pass_over(self.branch(read))
            self.env.become(join_environments(self.env, after))
        self.exits.pop()
        if exits.is_entered and exits.over is not None:
            self.env.become(exits.over)
        if isinstance(node, cst.While) and not exits.is_endless:
            self.value(node.test)
            self.trust(node.test, holds=False)
        self.env.dead = self.env.dead or exits.is_endless
        if node.orelse is not None and not self.env.dead:
            self.block(node.orelse.body)
        self.env.become(exits.ended(self.env))

    def _with(self, node: cst.With) -> None:
        held: list[Value] = []
        for item in node.items:
            held.append(self.value(item.item))
            given = entered(item.item, held[-1], Evaluator(self.module, self))
            if item.asname is not None:
                self.bind(item.asname.name, given)
                self.link(item.asname.name, item.item)
        before = self.env.copy() if any(map(_swallows, node.items)) else None
        self._led_elsewhere(node, lambda: self.block(node.body))
        if before is not None:  # the block may end wherever an exception is raised
            self.env.dead = False
            self.env.become(join_environments(before, self.env))
        for item, value in zip(node.items, held, strict=True):
            if self.module.index.has("__exit__"):
                by_now = value if path_of(item.item) is None else self.value(item.item)
                left(item.item, by_now, Evaluator(self.module, self))

    def _led_elsewhere(self, node: cst.With, read: Callable[[], None]) -> None:
        """Read a block whose standard output may go into a buffer."""
        led = [(item, buffer) for item in node.items if (buffer := redirected(item.item))]
        if led:
            self.env.values[PRINTED.value] = CLEAN
        read()
        printed = self.env.values.pop(PRINTED.value, CLEAN) if led else CLEAN
        for item, buffer in led:
            self.add(item.asname.name if item.asname else buffer, printed.all_taints)

    def _match(self, node: cst.Match) -> None:
        subject = self.value(node.subject)
        ways: list[Environment] = []
        for case in node.cases:
            fits = case_fits(case.pattern, subject)
            if fits is False:
                continue
            ways.append(self.branch(lambda case=case: self._case(node, case, subject)))  # type: ignore[misc]
            if fits and case.guard is None:
                break
        else:
            ways.append(self.env.copy())
        self.env.become(reduce(join_environments, ways))

    def _case(self, node: cst.Match, case: cst.MatchCase, subject: Value) -> None:
        if subject.all_taints and is_harmless_case(case.pattern):
            self._clean(paths_in(node.subject), EVERY)
        for name, value in captured(case.pattern, subject, self.module.index.made):
            held = value.moved(case.pattern, "captured here")
            if name in self.others:
                self.bind(cst.Name(name), held)
            self.env.assign(name, held)
        if case.guard is not None:
            self.env.dead = self.value(case.guard).truth is False
            self.trust(case.guard)
        self.block(case.body)

    def _function(self, node: cst.FunctionDef) -> None:
        around = self.beyond or self.env
        if around is not self.module.globals:
            self.module.around.define(node, around)
            self.nested = True
        for decorator in node.decorators:
            self.value(decorator.decorator)
        for parameter in parameter_list(node.params):
            made = [parameter.default, *filling(parameter, self.module.facts)]
            carried = [value for value in map(self.value, made) if value.all_taints]
            if carried:
                is_one = len(carried) == 1 and carried[0].is_object
                self.module.defaults[id(parameter)] = carried[0] if is_one else mixed(carried)

    def _class(self, node: cst.ClassDef) -> None:
        inner = Reader(self.module, node.name.value, self.env.copy(), self.summary)
        inner.beyond = self.beyond or self.env
        inner.block(node.body)
        for name, value in inner.env.values.items():
            if value.all_taints and value is not self.env.get(name) and "." not in name:
                self.env.assign(f"{node.name.value}.{name}", value)
                self.module.share(self.summary, f"{node.name.value}.{name}", value)


def _swallows(item: cst.WithItem) -> bool:
    """Does what follows a block run even where it is left by an exception?"""
    made = item.item.func if isinstance(item.item, cst.Call) else None
    return made is not None and last_word(made) in _SWALLOWING


_STATEMENTS: dict[type[cst.CSTNode], Callable[[Reader, Any], None]] = {
    cst.Expr: Reader._expression,
    cst.Assign: Reader._assign,
    cst.AnnAssign: Reader._annotated,
    cst.AugAssign: Reader._augmented,
    cst.Return: Reader._return,
    cst.Raise: Reader.raised,
    cst.Global: Reader._global,
    cst.Nonlocal: Reader._nonlocal,
    cst.Break: Reader._break,
    cst.Continue: Reader._continue,
    cst.Del: Reader._delete,
    cst.Assert: Reader._assert,
    cst.If: Reader._if,
    cst.For: Reader._for,
    cst.While: Reader._while,
    cst.Try: Reader.tried,
    cst.TryStar: Reader.tried,
    cst.With: Reader._with,
    cst.Match: Reader._match,
    cst.FunctionDef: Reader._function,
    cst.ClassDef: Reader._class,
}
