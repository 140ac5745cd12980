"""Vocabulary of the matcher: what it asks about names, and what a pattern node means."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, cast

import libcst as cst
import re2

from vetbox.rules.language.values import whole_characters
from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.tree import children
from vetbox.rules.walk import Kinds

Expression = cst.BaseExpression
UNKNOWN: Final = object()
"""The answer for an expression whose value is not known."""


class Facts(Protocol):
    """What the resolver knows of an expression."""

    def names(self, node: cst.CSTNode) -> Collection[str]:
        """The canonical dotted names it may stand for; empty when it is not a known name."""

    def constant(self, node: cst.CSTNode) -> object:
        """Its value, or UNKNOWN."""

    def is_text(self, node: cst.CSTNode) -> bool:
        """Is it known to be a text or bytes, whichever?"""

    def types(self, node: cst.CSTNode) -> Collection[str]:
        """The canonical names of the classes it may be an instance of."""

    def kinds(self, node: cst.CSTNode) -> Collection[str]:
        """The same, and the types of the constants it may be."""

    def behind(self, node: cst.CSTNode) -> Expression | None:
        """The one expression that a variable was assigned, if there is one."""

    def held(self, node: cst.Attribute) -> Sequence[Expression]:
        """All that the classes of the module put into an attribute of `self` or of a class."""

    def functions(self, func: cst.CSTNode) -> Sequence[cst.FunctionDef]:
        """The functions of the module that a call of it may mean."""


IS_EXPRESSION = Kinds(Expression)
_IS_BLOCK = Kinds(cst.BaseSuite)


def metavariable(node: cst.CSTNode | None) -> str | None:
    """The name of `$X` if the pattern node is one."""
    if type(node) is cst.Name and node.value.startswith(spelling.METAVARIABLE):
        return node.value[len(spelling.METAVARIABLE) :]
    return None


def is_gap(node: cst.CSTNode) -> bool:
    """Is the pattern element `...` (or `*...`, or a parameter that stands for any)?"""
    is_one = _GAPS.get(type(node))
    return is_one is not None and is_one(node)


def _is_anything(index: cst.CSTNode) -> bool:
    return isinstance(index, cst.Index) and isinstance(index.value, cst.Ellipsis)


_GAPS: Mapping[type[cst.CSTNode], Callable[[Any], bool]] = {
    cst.Ellipsis: lambda _: True,
    **dict.fromkeys(
        (cst.Element, cst.StarredElement, cst.Arg, cst.StarredDictElement),
        lambda holder: type(holder.value) is cst.Ellipsis,
    ),
    cst.SubscriptElement: lambda element: _is_anything(element.slice),
    cst.Param: lambda one: one.name.value.startswith(spelling.ANY_PARAMETERS),
}
"""By kinds of nodes: most are none."""


def gap_name(node: cst.CSTNode) -> str | None:
    """The name of `$...X` if the pattern element is one."""
    value = node.name if type(node) is cst.Param else getattr(node, "value", None)
    if type(value) is cst.Name and value.value.startswith(spelling.ELLIPSIS_METAVARIABLE):
        return value.value[len(spelling.ELLIPSIS_METAVARIABLE) :]
    return None


def dotted(node: cst.CSTNode) -> str | None:
    """`a.b.c` of a chain of literal names."""
    if type(node) is cst.Name:
        return None if node.value.startswith("__") and _is_mangled(node.value) else node.value
    if type(node) is cst.Attribute:
        base, last = dotted(node.value), dotted(node.attr)
        return f"{base}.{last}" if base and last else None
    return None


def _is_mangled(name: str) -> bool:
    return name.startswith((spelling.METAVARIABLE, spelling.ELLIPSIS_METAVARIABLE)) or name in (
        spelling.CHAIN,
        spelling.DEEP,
        spelling.TYPED,
    )


def subexpressions(node: cst.CSTNode) -> Iterator[Expression]:
    """The expression itself and those inside it, without the bodies of compound statements."""
    if IS_EXPRESSION[type(node)]:
        yield cast(Expression, node)
    for child in children(node):
        if not _IS_BLOCK[type(child)]:
            yield from subexpressions(child)


def number(pattern: cst.CSTNode) -> complex | None:
    """The number that a pattern writes, with its sign."""
    match pattern:
        case cst.Integer() | cst.Float():
            return pattern.evaluated_value
        case cst.UnaryOperation(cst.Minus(), cst.Integer() | cst.Float() as digits):
            return -digits.evaluated_value
    return None


def quote_content(node: cst.CSTNode) -> str | None:
    """The text between the quotes of a pattern's string."""
    if type(node) is cst.SimpleString or type(node) is cst.ConcatenatedString:
        value = node.evaluated_value
        return value if isinstance(value, str) else None
    return None


def text_matches(wanted: str, text: str) -> bool:
    """`...` inside a string is any text; `=~/re/` is a regular expression over it."""
    if wanted.startswith("=~/") and wanted.rstrip("im").endswith("/"):
        return re2.search(wanted[3 : wanted.rindex("/")], whole_characters(text)) is not None
    if "..." not in wanted:
        return wanted == text
    text = whole_characters(text)
    return re2.fullmatch("(?s)" + ".*".join(map(re2.escape, wanted.split("..."))), text) is not None


def only_text(pattern: cst.FormattedString) -> str | None:
    parts = [part.value for part in pattern.parts if isinstance(part, cst.FormattedStringText)]
    return "".join(parts) if len(parts) == len(pattern.parts) else None


def text_of(node: cst.FormattedString) -> str:
    return "".join(
        part.value if isinstance(part, cst.FormattedStringText) else "{}" for part in node.parts
    )


def is_text_gap(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.FormattedStringText) and node.value == "..."


_REQUESTS = ("request.", "req.", "rq.", "_request.", "http_request.")


def is_handed_in(wanted: str, node: cst.CSTNode, facts: Facts) -> bool:
    """Is it of an object that goes by its parameter's name: `self`, or a `request` with a type?

    What such an object has may be known by the name of its class, which no pattern spells.
    """
    if wanted.startswith("self."):
        return True
    root = node
    while isinstance(root, cst.Attribute):
        root = root.value
    return wanted.startswith(_REQUESTS) and bool(facts.types(root))
