"""Verdicts: what a rule surely says at a node of a line, where plain names and constants decide.

Where more has a say in it nobody is sure, and the judge is asked.
"""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from vetbox.code.nodes import nodes_of
from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.fragments import span_in
from vetbox.rules.language import formula as f
from vetbox.rules.language.doubting import is_doubtful
from vetbox.rules.language.rule import Profile, Rule
from vetbox.rules.matchers import first_in, shown_name
from vetbox.rules.matching.formulas import in_turn
from vetbox.rules.page import Span
from vetbox.rules.sifting.arguments import Given
from vetbox.rules.sifting.certainty import Surely, UnsureError, is_given
from vetbox.rules.sifting.formulas import Line
from vetbox.rules.sifting.plain import Plain

_ANY = "*"
_DOUBT = "$doubt"
"""No metavariable is spelt like this."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}|(\$[A-Z_][A-Z0-9_]*)")
_CLASS = re.compile(rb"\s*class[\s\\]+(\w+)")
_BODIES: Mapping[bytes, frozenset[str]] = {
    b"pass": frozenset({"pass", "empty"}),
    b"...": frozenset({"pass", "empty"}),
    b"continue": frozenset({"continue", "empty"}),
}


class Verdict(NamedTuple):
    """What a rule points at, as offsets of the file's text, and what its message may say of it.

    Where there is a doubt, the rule is half as sure of it.
    """

    span: Span
    words: f.Words
    doubtful: bool = False


@dataclass(eq=False)
class Verdicts:
    """Answers for one line of a layout; raises UnsureError."""

    line: Line
    layout: Layout
    at: int
    plain: Plain

    def of(self, rule: Rule, node: ast.AST | None) -> Verdict | None:
        """What the rule finds at a node; None: surely nothing."""
        if node is None:
            raise UnsureError  # a line that is not read
        words = self._words_of(rule.matcher, node)
        if words is None:
            return None
        known = {*words, "source"}
        if rule.fix is not None or not known.issuperset(
            _placeholders(rule.message_in(Profile.REPO))
        ):
            raise UnsureError
        return Verdict(self._shown(rule, node), words, _DOUBT in words)

    # Formulas ---------------------------------------------------------------------------------

    def _words_of(self, formula: f.Formula, node: ast.AST) -> f.Words | None:
        """What is to say of a node where the formula holds; None where it surely does not."""
        if not self.line.may_hold(formula, node):
            return None
        ask = _ASKED.get(type(formula))
        if ask is None:
            raise UnsureError
        return ask(self, formula, node)

    def _any(self, formula: f.Any, node: ast.AST) -> f.Words | None:
        found = (self._words_of(part, node) for part in formula.parts)
        return next((words for words in found if words is not None), None)

    def _all(self, formula: f.All, node: ast.AST) -> f.Words | None:
        """The words of all parts, the first ones before the others; one that is denied decides."""
        whole: dict[str, str] = {}
        unsure = False
        for part in in_turn(formula.parts):
            try:
                words = self._part(part, node)
            except UnsureError:
                unsure = True
                continue
            if words is None:
                return None
            whole = {**words, **whole}
        if unsure:
            raise UnsureError
        return whole

    def _part(self, part: f.Formula, node: ast.AST) -> f.Words | None:
        if not isinstance(part, f.Not):
            return self._words_of(part, node)
        denied = part.part
        if isinstance(denied, f.Call) and _ANY in denied.names.globs and _is_of_something(node):
            return None if is_given(denied, node, self._any_holds) else {}  # whatever it is called
        return {} if self._words_of(denied, node) is None else None

    def _focused(self, formula: f.Focused, node: ast.AST) -> f.Words | None:
        """Only of doubts it is known where they point: to where the rule does."""
        if formula.on is not None or not is_doubtful([formula.as_]):
            raise UnsureError
        words = self._words_of(formula.part, node)
        return None if words is None else {**words, _DOUBT: ""}

    def _call(self, formula: f.Call, node: ast.AST) -> f.Words | None:
        if not isinstance(node, ast.Call) or formula.resolve is f.Resolve.NONE:
            raise UnsureError  # a decorator, or what is only read as it is written
        name = self.plain.called(node.func, self.at)
        if name is None:
            raise UnsureError
        if name not in formula.names:
            return None
        if not is_given(formula, node, self._any_holds):
            return None
        return dict.fromkeys(("callee", "name"), shown_name(name))

    def _any_holds(self, condition: f.Condition, values: Sequence[ast.expr]) -> bool:
        """Is one of the values surely so, or surely none?"""
        possible = [one for one in values if self.line.conditions.may_hold(condition, one)]
        if any(self._surely.holds(condition, one) for one in possible):
            return True
        if possible:
            raise UnsureError
        return False

    def _name(self, formula: f.Name, node: ast.AST) -> f.Words | None:
        name = self.plain.name(node, self.at)
        if name is None or formula.resolve is f.Resolve.NONE or isinstance(node, ast.Call):
            raise UnsureError
        if name not in formula.names:
            return None
        if not isinstance(getattr(node, "ctx", None), ast.Load):
            raise UnsureError
        return dict.fromkeys(("name", "callee"), shown_name(name))

    def _handler(self, formula: f.Except, node: ast.AST) -> f.Words | None:
        if not isinstance(node, ast.ExceptHandler) or not self.layout.opens_block(self.at):
            raise UnsureError
        if formula.types is not None and not self._catches(formula.types, node.type):
            return None
        return {} if formula.body is None or formula.body in self._body() else None

    def _catches(self, wanted: f.Names, caught: ast.expr | None) -> bool:
        if caught is None:
            return False
        parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
        names = [self.plain.name(part, self.at) for part in parts]
        if any(name is not None and name in wanted for name in names):
            return True
        if None in names:
            raise UnsureError
        return False

    def _body(self) -> frozenset[str]:
        """The words for what stands below a handler and does nothing."""
        below = [self.layout.codes[line].strip() for line in self.layout.suite(self.at)]
        if len(below) != 1:
            return frozenset()
        if b";" in below[0]:
            raise UnsureError
        return _BODIES.get(below[0], frozenset())

    def _class(self, formula: f.Class, node: ast.AST) -> f.Words | None:
        if not isinstance(node, ast.ClassDef) or formula.resolve is f.Resolve.NONE:
            raise UnsureError
        if node.name not in formula.names:
            return None
        words = {"name": node.name}
        if formula.base is not None:
            names = [self.plain.name(base, self.at) for base in node.bases]
            if None in names:
                raise UnsureError
            base = first_in(formula.base, frozenset(filter(None, names)))
            if base is None:
                if formula.inherited and node.bases:
                    raise UnsureError
                return None
            words |= dict.fromkeys(("base", "callee"), shown_name(base))
        return words

    @cached_property
    def _surely(self) -> Surely:
        return Surely(self.line.conditions, partial(self.plain.name, line=self.at))

    # Places -----------------------------------------------------------------------------------

    def _shown(self, rule: Rule, node: ast.AST) -> Span:
        if isinstance(node, ast.ExceptHandler):
            return self._header()
        if isinstance(node, ast.ClassDef):
            return self._class_name()
        if id(node) in self._formatted:
            raise UnsureError  # nobody knows where it stands
        shown = node
        if isinstance(node, ast.Call) and rule.report.part != "match":
            shown = self._reported(rule.report, node)
        start, end = span_in(self.line.text, shown)
        return self._offset + start, self._offset + end

    def _reported(self, report: f.Report, node: ast.Call) -> ast.expr:
        if report.part == "callee":
            return node.func
        given = Given.of(node)
        values = given.candidates(report.argument)
        if values is None:
            raise UnsureError
        shown = values[0] if values else node
        if not isinstance(shown, (ast.Constant, ast.Name, ast.Attribute, ast.Call)):
            raise UnsureError  # with brackets around it, or without
        return shown

    @property
    def _offset(self) -> int:
        return self.layout.starts[self.at]

    def _header(self) -> Span:
        """The first row of a clause, whatever is written on it."""
        text, start = self.layout.text, self._offset
        end = text.find("\n", start)
        row = text[start : len(text) if end < 0 else end]
        return start + len(row) - len(row.lstrip()), start + len(row.rstrip())

    def _class_name(self) -> Span:
        found = _CLASS.match(self.layout.codes[self.at])
        if found is None:
            raise UnsureError
        return self._offset + found.start(1), self._offset + found.end(1)

    @cached_property
    def _formatted(self) -> frozenset[int]:
        """What stands in a formatted text, of which older versions do not tell the place."""
        whole = (node for node in self.line.nodes if isinstance(node, ast.JoinedStr))
        return frozenset(id(node) for one in whole for node in nodes_of(one))


def _is_of_something(node: ast.AST) -> TypeGuard[ast.Call]:
    """Is it the call of an attribute? That is always called something."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def _placeholders(message: str) -> Iterable[str]:
    """The words that a message wants."""
    return (word or variable for word, variable in _PLACEHOLDER.findall(message))


_Ask: TypeAlias = Callable[[Verdicts, Any, ast.AST], f.Words | None]
_ASKED: Mapping[type[object], _Ask] = {
    f.All: Verdicts._all,
    f.Any: Verdicts._any,
    f.Call: Verdicts._call,
    f.Class: Verdicts._class,
    f.Except: Verdicts._handler,
    f.Focused: Verdicts._focused,
    f.Name: Verdicts._name,
}
