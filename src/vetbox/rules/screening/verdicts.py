"""Verdicts: the findings of rules whose places all have plain names, without the judge.

Asked are the places at which a rule may hold. Where each of them is sure, nobody else has to look;
where one is not, the judge looks at all of them. The law, held by tests: the same findings.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from vetbox.code.nodes import nodes_of
from vetbox.rules.language import formula as f
from vetbox.rules.matchers.references import module_words, shown_name
from vetbox.rules.screening.ends import End
from vetbox.rules.screening.nodes import Nodes
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.plain import CALLING, Plain
from vetbox.rules.sifting.certainty import UnsureError, is_given
from vetbox.rules.sifting.values import decoded

_SHORT = 1_000
_CALL = frozenset((ast.Call,))
_ATTRIBUTE = frozenset((ast.Attribute,))
_STATEMENT = frozenset((ast.Expr,))
_FORMATTED = frozenset((ast.JoinedStr,))


class Verdict(NamedTuple):
    """What a rule points at, and what its message may say of it."""

    node: ast.AST
    words: f.Words


Decided: TypeAlias = Mapping[str, Sequence[Verdict]]
"""All findings of the rules that need no judge, by rule."""


class Verdicts:
    """Answers for one tree."""

    def __init__(self, words: Occurrences, nodes: Nodes, plain: Plain) -> None:
        self._words, self._nodes, self._plain = words, nodes, plain

    def of(self, end: End) -> Sequence[Verdict] | None:
        """All that is found there; None where the judge has to be asked."""
        if end.points_at is None or type(end.sought.formula) not in _ASKED:
            return None
        try:
            if not all(map(self._stays, self._nodes.referring(end.sought.handed))):
                return None
            found = {id(node): node for node in self._nodes.places(end.sought)}
            return [*self._found(end.sought.formula, end.points_at, found.values())]
        except UnsureError:
            return None

    def _found(self, formula: Any, part: str, nodes: Iterable[ast.AST]) -> Iterator[Verdict]:
        for node in nodes:
            words = self._words_of(formula, node)
            if words is None:
                continue
            if id(node) in self._formatted:
                raise UnsureError  # nobody knows where it stands
            shown = node.func if isinstance(node, ast.Call) and part == "callee" else node
            yield Verdict(shown, words)

    def _words_of(self, formula: f.Formula, node: ast.AST) -> f.Words | None:
        """What is to say of a node where the formula holds; None where it surely does not."""
        ask = _ASKED.get(type(formula))
        if ask is None:
            raise UnsureError
        return ask(self, formula, node)

    def _any(self, formula: f.Any, node: ast.AST) -> f.Words | None:
        found = (self._words_of(part, node) for part in formula.parts)
        return next((words for words in found if words is not None), None)

    def _all(self, formula: f.All, node: ast.AST) -> f.Words | None:
        """The first part, where all others are denied and do surely not hold."""
        first, *others = formula.parts
        words = self._words_of(first, node)
        for other in others if words is not None else ():
            if not isinstance(other, f.Not):
                raise UnsureError
            if self._words_of(other.part, node) is not None:
                return None
        return words

    def _call(self, formula: f.Call, node: ast.AST) -> f.Words | None:
        if not isinstance(node, ast.Call):
            if isinstance(node, ast.expr):
                return None
            raise UnsureError  # a decorator, or nothing that is known here
        name = self._called(formula, node)
        if name is None or not is_given(formula, node, self._any_holds):
            return None
        return dict.fromkeys(("callee", "name"), shown_name(name))

    def _called(self, formula: f.Call, node: ast.Call) -> str | None:
        """The name of what is called, if it is one of those."""
        name = self._plain.name(node.func)
        if name is None or name in CALLING or formula.resolve is f.Resolve.NONE:
            raise UnsureError
        return name if name in formula.names else None

    def _any_holds(self, condition: f.Condition, values: Sequence[ast.expr]) -> bool:
        """Is one of the values surely so? Of most values it is clear that they are not."""
        texts = [one.value for one in values if isinstance(one, ast.Constant)]
        if any(map(_is_long, texts)):
            raise UnsureError
        if not any(self._nodes.conditions.may_hold(condition, one) for one in values):
            return False
        decoded_texts = (decoded(text) for text in texts if isinstance(text, (str, bytes)))
        if isinstance(condition, f.Regex) and any(
            f.re2_search(condition.regex, text) for text in decoded_texts
        ):
            return True
        raise UnsureError

    def _name(self, formula: f.Name, node: ast.AST) -> f.Words | None:
        name = self._plain.name(node)
        if name is None or formula.resolve is f.Resolve.NONE:
            raise UnsureError
        if isinstance(node, ast.Call) or name not in formula.names:
            return None
        if not isinstance(getattr(node, "ctx", None), ast.Load):
            raise UnsureError
        return dict.fromkeys(("name", "callee"), shown_name(name))

    def _attr(self, formula: f.Attr, node: ast.AST) -> f.Words | None:
        if not isinstance(node, ast.Attribute) or formula.base is not None:
            raise UnsureError
        return dict.fromkeys(("attr", "name"), node.attr) if node.attr in formula.names else None

    def _import(self, formula: f.Import, node: ast.AST) -> f.Words | None:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            raise UnsureError
        form = "import" if isinstance(node, ast.Import) else "from"
        if form not in formula.forms:
            return None
        found = (module_words(module, formula) for module in _imported(node))
        return next((words for words in found if words is not None), None)

    # Handing on -------------------------------------------------------------------------------

    def _stays(self, node: ast.AST) -> bool:
        """Is what the node stands for called, asked for a part or left alone, not handed on?"""
        if id(node) in self._called_or_asked or isinstance(node, ast.Import):
            return True
        if isinstance(node, ast.ImportFrom):  # into a class, or under a name that Python asks for?
            hidden = any((one.asname or one.name)[:2] == "__" for one in node.names)
            return not hidden and node in self._words.tree.body
        return isinstance(node, ast.Call) and self._plain.name(node) is not None

    @cached_property
    def _called_or_asked(self) -> frozenset[int]:
        calls = (id(node.func) for node in self._words.of(_CALL))
        asked = (id(node.value) for node in self._words.of(_ATTRIBUTE))
        stated = (node.value for node in self._words.of(_STATEMENT))
        alone = (id(value) for value in stated if isinstance(value, (ast.Name, ast.Attribute)))
        return frozenset((*calls, *asked, *alone))

    @cached_property
    def _formatted(self) -> frozenset[int]:
        """What stands in a formatted text, of which older versions do not tell the place."""
        return frozenset(
            id(node) for whole in self._words.of(_FORMATTED) for node in nodes_of(whole)
        )


def _is_long(value: object) -> bool:
    """May the judge not want to look at it?"""
    return isinstance(value, (str, bytes)) and len(value) > _SHORT


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The modules, and what may be one, that an import names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = ("." if node.level else "") + (node.module or "")
    yield module
    yield from (f"{module}.{alias.name}" for alias in node.names if alias.name != "*")


_Ask: TypeAlias = Callable[[Verdicts, Any, ast.AST], f.Words | None]
_ASKED: Mapping[type[object], _Ask] = {
    f.All: Verdicts._all,
    f.Any: Verdicts._any,
    f.Call: Verdicts._call,
    f.Name: Verdicts._name,
    f.Attr: Verdicts._attr,
    f.Import: Verdicts._import,
}
