"""The words a matcher speaks: facts about names, a budget, and what a pattern node means."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, Protocol

import libcst as cst
import re2

from vetbox.rules.language.values import whole_characters
from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.tree import children

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


def metavariable(node: cst.CSTNode | None) -> str | None:
    """The name of `$X` if the pattern node is one."""
    if isinstance(node, cst.Name) and node.value.startswith(spelling.METAVARIABLE):
        return node.value[len(spelling.METAVARIABLE) :]
    return None


def is_gap(node: cst.CSTNode) -> bool:
    """Is the pattern element `...` (or `*...`, or a parameter that stands for any)?"""
    match node:
        case cst.Element() | cst.StarredElement() | cst.Arg() | cst.StarredDictElement():
            return isinstance(node.value, cst.Ellipsis)
        case cst.SubscriptElement(slice=cst.Index(value=cst.Ellipsis())):
            return True
        case cst.Param():
            return node.name.value.startswith(spelling.ANY_PARAMETERS)
    return isinstance(node, cst.Ellipsis)


def gap_name(node: cst.CSTNode) -> str | None:
    """The name of `$...X` if the pattern element is one."""
    value = node.name if isinstance(node, cst.Param) else getattr(node, "value", None)
    if isinstance(value, cst.Name) and value.value.startswith(spelling.ELLIPSIS_METAVARIABLE):
        return value.value[len(spelling.ELLIPSIS_METAVARIABLE) :]
    return None


def dotted(node: cst.CSTNode) -> str | None:
    """`a.b.c` of a chain of literal names."""
    if isinstance(node, cst.Name):
        return None if node.value.startswith("__") and _is_mangled(node.value) else node.value
    if isinstance(node, cst.Attribute):
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
    if isinstance(node, Expression):
        yield node
    for child in children(node):
        if not isinstance(child, cst.BaseSuite):
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
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
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


def is_handed_in(wanted: str, node: cst.CSTNode, facts: Facts) -> bool:
    """Is it of an object that goes by its parameter's name: `self`, or a `request` with a type?

    What such an object has may be known by the name of its class, which no pattern spells.
    """
    if wanted.startswith("self."):
        return True
    root = node
    while isinstance(root, cst.Attribute):
        root = root.value
    return wanted.startswith("request.") and bool(facts.types(root))
