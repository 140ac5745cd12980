"""Refinement by tests: what a test, where it holds or fails, says of the variables it names."""

import re
from collections.abc import Callable, Hashable, Iterator, Set
from contextlib import contextmanager

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.vocabulary import subexpressions
from vetbox.rules.taint.data.values import CLEAN, Value
from vetbox.rules.taint.reading.containers import takes_out
from vetbox.rules.taint.reading.environment import Environment, join_environments, path_of
from vetbox.rules.taint.reading.places import Places
from vetbox.rules.taint.sanitizing.entries import container_of, is_entry, place_of
from vetbox.rules.taint.sanitizing.guards import EVERY, Cleaned, Guards, paths_in
from vetbox.rules.taint.sanitizing.putting_together import asked_by, is_put_together
from vetbox.rules.taint.sanitizing.validators import checked_where, note_answer
from vetbox.rules.walk import identifier

READING = frozenset(
    {
        "decimal.Decimal",
        "fractions.Fraction",
        "uuid.UUID",
        "bson.ObjectId",
        "bson.objectid.ObjectId",
    }
    | {"datetime.date.fromisoformat", "datetime.datetime.fromisoformat"}
    | {"datetime.datetime.strptime"}
)
"""Functions that raise an exception where the text that they read is anything else.

Not those of addresses: behind the `%` of `ip_address("fe80::1%…")` may be anything, and an address
that is one may still be an internal one.
"""
_RESOLVING = frozenset(
    {
        "os.path.abspath",
        "os.path.join",
        "os.path.normpath",
        "os.path.realpath",
        "pathlib.Path",
        "pathlib.Path.resolve",
    }
)
"""Functions that make a path absolute: a check of the result holds of the argument."""
_HOLES = re.compile(r"%(?:\([^)]*\))?[^%a-zA-Z]*[a-zA-Z]|\{[^{}]*\}")
"""What a template has filled in, which may be empty."""
_PARTS = 3
"""Elements of a returned tuple that are looked at."""
_TOLD = (
    cst.Comparison,
    cst.BooleanOperation,
    cst.UnaryOperation,
    cst.Call,
    cst.Await,
    cst.FormattedString,
    cst.BinaryOperation,
)
"""What a variable is noted to hold: a test, or what was put together of other variables."""


@dataclass(slots=True)
class Trusting(Places):
    """The variables of a function, refined by the tests that hold."""

    def branch(self, read: Callable[[], None]) -> Environment:
        """The environment after `read`; the current one is left as it was."""
        before = self.env
        self.module.budget.glance(2 * len(before.values))  # it is copied, and joined again
        self.env = before.copy()
        read()
        after, self.env = self.env, before
        return after

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Within it tests may be trusted; afterwards the environment is as before."""
        before = self.env
        self.env = before.copy()
        yield
        self.env = before

    @contextmanager
    def own_variables(self, names: Set[str]) -> Iterator[None]:
        """Variables that are an expression's own; behind it their names stand for what they did."""
        env = self.env
        hidden = any(name in env.values or name in env.attributes for name in names)
        before = env.copy() if hidden or env.entries else None
        yield
        for name in names:
            self.env.forget(name)
        if before is not None:
            self.env.restore(names, before)

    def trust(self, test: cst.BaseExpression, *, holds: bool = True) -> None:
        """Assume that a test holds, or fails: sanitize what it checks from here on."""
        for flag, true, of_none in _flags(test, holds=holds):
            self.env.assume(flag, holds=true, of_none=of_none)
        for paths, kinds in self._checked(test, holds=holds):
            self._clean(paths | self._meant_by(paths), kinds, test)

    def still_given(self, target: cst.BaseExpression, value: cst.BaseExpression) -> frozenset[str]:
        """The parameter that is only made absolute: `path = os.path.abspath(path)`."""
        path = path_of(target)
        if path not in self.given or not self._resolves(value):
            return frozenset()
        return frozenset({path}) & paths_in(value)

    def passed(self, value: cst.BaseExpression) -> None:
        """Sanitize what a statement has parsed without raising: x after `int(x)`."""
        match value:
            case cst.Call(func=cst.Name(value="int" | "float"), args=[cst.Arg(star="") as arg, *_]):
                path = path_of(arg.value)
                if path is not None:
                    self._clean(frozenset({path}), EVERY)
            case cst.Call(args=[cst.Arg(star="", keyword=None) as arg, *_]):
                kinds, path = self.module.marks.sanitizers.get(id(value)), path_of(arg.value)
                if kinds and path and not READING.isdisjoint(self.module.facts.names(value.func)):
                    self._clean(frozenset({path}), kinds)

    def note(self, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        """Note that a variable holds the result of a test, until a variable in the test changes."""
        self.link(target, value)
        if isinstance(target, cst.Name) and _says_something(value):
            self.env.note_text(identifier(target))
        if isinstance(target, cst.Tuple):
            self._note_parts(target, value)
        if not isinstance(target, cst.Name) or not isinstance(value, _TOLD):
            return
        name, asked = identifier(target), asked_by(value)
        if name not in asked:  # of `x = x or y` the test asks about the x before
            self.env.tests[name] = value, asked

    def _note_parts(self, target: cst.Tuple, value: cst.BaseExpression) -> None:
        """Note variables that hold the parts of a result: `good, why = check(x)`."""
        call = value.expression if isinstance(value, cst.Await) else value
        names = [path_of(element.value) for element in target.elements]
        if not isinstance(call, cst.Call) or self.module.meant(call.func, self.owner) is None:
            return
        asked = paths_in(call)
        for place, name in enumerate(names[:_PARTS]):
            if name is not None and asked.isdisjoint(filter(None, names)):
                index = cst.Index(cst.Integer(str(place)))
                part = cst.Subscript(call, [cst.SubscriptElement(index)])
                self.env.tests[name] = part, asked

    def answer(self, value: cst.BaseExpression | None, truth: bool | None) -> None:
        """Summarize a `return`: what has been checked if its value is true, and if it is false."""
        for says in (True, False):
            if truth is not (not says) and self.given:
                with self.aside():
                    if value is not None:
                        self.trust(value, holds=says)
                    note_answer(self.summary, self.env, self.given, says=says)
        if value is not None and self.given:
            for place in range(_PARTS):
                self._answer_part(value, place)

    def _answer_part(self, value: cst.BaseExpression, place: int) -> None:
        """The same for one element of a tuple that is returned."""
        parts = value.elements if isinstance(value, cst.Tuple) else ()
        whole = bool(parts) and all(isinstance(one, cst.Element) for one in parts)
        if whole and place >= len(parts):
            return
        part = parts[place].value if whole else None
        for says in (True, False):
            if part is None or _truth(part) is not (not says):
                with self.aside():
                    if part is not None:
                        self.trust(part, holds=says)
                    given: Set[str] = self.given if whole else frozenset()
                    note_answer(self.summary, self.env, given, says=(str(place), says))

    def value_where(
        self, test: cst.BaseExpression, node: cst.BaseExpression, *, holds: bool
    ) -> Value:
        """What an expression may hold where a test holds, or where it fails."""
        if not any(self._checked(test, holds=holds)) and not takes_out(node):
            return self.value(node)
        found = CLEAN

        def read() -> None:
            nonlocal found
            self.trust(test, holds=holds)
            found = self.value(node)

        self.env.become(join_environments(self.env, self.branch(read)))
        return found

    def clean_names(self, node: cst.CSTNode, kinds: frozenset[str]) -> None:
        """Mark every variable in an expression as having passed these sanitizers."""
        self._clean(paths_in(node), kinds)

    def _clean(
        self, paths: frozenset[str], kinds: frozenset[str], test: cst.BaseExpression | None = None
    ) -> None:
        for path in sorted(paths):
            if is_entry(path):
                known, around = self.env.entries.get(path), self.env.get(container_of(path))
            else:
                known, around = self.env.get(path), self.env.get(path.rpartition(".")[0])
            if kinds is EVERY:
                self.env.learn(path, CLEAN)
            elif known is not None:
                held = self.env.entries if is_entry(path) else self.env.values
                held[path] = known.cleaned(kinds)
            elif around is not None and around.taints:
                self.env.learn(path, Value(around.all_taints).cleaned(kinds))
            elif around is None and test is not None:
                self._learn_asked(path, kinds, test)
        if self.env.tests:
            self._clean_made_of(paths, kinds)

    def _clean_made_of(self, paths: frozenset[str], kinds: frozenset[str]) -> None:
        """Sanitize what was put together before of what is checked only now, and of nothing else.

        In `path = "/srv/" + name` followed by a test of `name`, the test speaks of `path` as well.
        """
        for name, (value, asked) in [*self.env.tests.items()]:
            held = self.env.get(name)
            if held is None or not held.all_taints or name in paths or asked.isdisjoint(paths):
                continue
            if is_put_together(value, self.module.facts) and self._is_clean_without(value, paths):
                self._clean(frozenset({name}), kinds)

    def _is_clean_without(self, value: cst.BaseExpression, paths: frozenset[str]) -> bool:
        """Does an expression hold nothing of a client's but what these paths do?

        A test within the expression says nothing more of what was put together: of this one itself
        it would ask the same again, without end.
        """
        with self.aside():
            self.env.tests.clear()
            for path in sorted(paths):
                self.env.learn(path, CLEAN)
            return not self.value(value).all_taints

    def _learn_asked(self, path: str, kinds: frozenset[str], test: cst.BaseExpression) -> None:
        """Sanitize a source that a test reads in place, without a variable: `request.args["x"]`."""
        asked = next((part for part in _asked_in(test) if place_of(part) == path), None)
        if asked is None or isinstance(asked, cst.Name):
            return
        with self.aside():
            value = self.value(asked)
        if value.taints:
            self.env.entries[path] = value.cleaned(kinds)

    def _checked(self, test: cst.BaseExpression, *, holds: bool) -> Iterator[Cleaned]:
        marks, facts = self.module.marks, self.module.facts
        guards = Guards(marks, facts, self._tested, self._told, self.env.own)
        return guards.cleaned_where(test, holds=holds)

    def _meant_by(self, paths: frozenset[str]) -> frozenset[str]:
        """The variables that resolve to checked ones: x of `full = os.path.realpath(x)`."""
        found: set[str] = set()
        left = [path for path in paths if path in self.env.tests]
        while left:
            value, asked = self.env.tests[left.pop()]
            if self._resolves(value):
                left += [path for path in asked - found if path in self.env.tests]
                found |= asked
        return frozenset(found)

    def _resolves(self, value: cst.BaseExpression) -> bool:
        """Does it make a path absolute?"""
        if not isinstance(value, cst.Call):
            return False
        func = value.func
        if isinstance(func, cst.Attribute) and identifier(func.attr) == "resolve":
            return True
        return not _RESOLVING.isdisjoint(self.module.facts.names(func))

    def _tested(self, name: cst.Name) -> cst.BaseExpression | None:
        known = self.env.tests.get(identifier(name))
        return None if known is None else known[0]

    def _told(self, call: cst.Call, holds: Hashable) -> Iterator[Cleaned]:
        function = self.module.meant(call.func, self.owner)
        if function is None:
            return
        yield from checked_where(function, call, self.module.summary(function), says=holds)


def _asked_in(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The arguments of calls in a test and the receivers of methods: `x.isalnum()`."""
    for part in subexpressions(test):
        if isinstance(part, cst.Call):
            yield from (arg.value for arg in part.args)
            match part.func:
                case cst.Attribute(value=asked, attr=cst.Name(value=name)) if name[:2] == "is":
                    yield asked


def _truth(node: cst.BaseExpression) -> bool | None:
    """The truth value of a literal; None for anything else."""
    match node:
        case cst.Name("True" | "False" | "None"):
            return node.value == "True"
        case cst.SimpleString():
            return bool(node.raw_value)
        case cst.ConcatenatedString(left=left, right=right):
            both = _truth(left), _truth(right)
            return True if True in both else None if None in both else False
    return True if _says_something(node) else None


def _says_something(value: cst.BaseExpression) -> bool:
    """Is it a text with constant parts, and so never empty?"""
    match value:
        case cst.FormattedString(parts=parts):
            return any(isinstance(one, cst.FormattedStringText) for one in parts)
        case cst.BinaryOperation(left=cst.SimpleString() as text, operator=cst.Add()):
            return bool(text.raw_value)
        case (
            cst.BinaryOperation(left=cst.SimpleString() as text, operator=cst.Modulo())
            | cst.Call(func=cst.Attribute(cst.SimpleString() as text, cst.Name("format")))
        ):
            return bool(_HOLES.sub("", text.raw_value))
    return False


def _flags(test: cst.BaseExpression, *, holds: bool) -> Iterator[tuple[str, bool, bool]]:
    """(variable, its truth, is it compared with None) where a test holds, or where it fails."""
    match test:
        case cst.Name():
            yield identifier(test), holds, False
        case cst.Comparison(
            left=cst.Name() as name,
            comparisons=[cst.ComparisonTarget(cst.Is() | cst.IsNot() as how, cst.Name("None"))],
        ):
            yield identifier(name), isinstance(how, cst.IsNot) is holds, True
        case cst.Call(func=cst.Name("len"), args=[cst.Arg(cst.Name() as name)]):
            yield identifier(name), holds, False
        case cst.Comparison(
            left=cst.Call(func=cst.Name("len"), args=[cst.Arg(cst.Name() as name)]),
            comparisons=[cst.ComparisonTarget(how, cst.Integer("0"))],
        ) if isinstance(how, cst.GreaterThan | cst.NotEqual | cst.Equal):
            yield identifier(name), isinstance(how, cst.Equal) is not holds, False
        case cst.UnaryOperation(operator=cst.Not()):
            yield from _flags(test.expression, holds=not holds)
        case cst.BooleanOperation() if isinstance(test.operator, cst.And) == holds:
            yield from _flags(test.left, holds=holds)
            yield from _flags(test.right, holds=holds)
