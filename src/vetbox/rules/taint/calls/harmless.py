"""Harmless calls: builtins and methods whose result cannot carry a payload."""

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.walk import identifier

HARMLESS = frozenset(
    {"abs", "all", "any", "bool", "callable", "complex", "divmod", "float", "hasattr", "hash"}
    | {"id", "int", "isinstance", "issubclass", "len", "round", "type"}
)
"""Builtins whose result cannot carry a payload."""
HARMLESS_METHODS = frozenset(
    {name for name in dir(str) if name.startswith("is")}
    | {"startswith", "endswith", "count", "rfind", "rindex", "getint", "getfloat", "getboolean"}
)
"""Methods of texts that give a number or a truth value, and do so wherever else they are."""
_PLACES = frozenset({"find", "index"})
"""Methods of texts that give a number, which others by these names do not."""
_TEXT_METHODS = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "decode", "format", "join"}
    | {"replace", "title", "capitalize"}
)
_OF_A_MATCH = frozenset({"start", "end", "span"})
OF_THE_PATTERN = frozenset({"lastindex", "lastgroup"})
"""Attributes of a match that say a group of the pattern."""


def gives_place(node: cst.Call, facts: Facts) -> bool:
    """Does it say where in a text something is, `text.find(x)`, `match.start()`?"""
    if not isinstance(node.func, cst.Attribute):
        return False
    of, name = node.func.value, identifier(node.func.attr)
    if name in _OF_A_MATCH:
        return not node.args or _is_group(node)
    if name not in _PLACES:
        return False
    made = facts.behind(of) if isinstance(of, cst.Name) else of
    return "str" in facts.types(of) or _is_text(made)


def _is_group(node: cst.Call) -> bool:
    match node.args:
        case [cst.Arg(value=cst.Integer() | cst.SimpleString(), keyword=None)]:
            return True
    return False


def _is_text(made: cst.BaseExpression | None) -> bool:
    match made:
        case cst.FormattedString() | cst.SimpleString() | cst.ConcatenatedString():
            return True
        case cst.Call(func=cst.Name(value="str")):
            return True
        case cst.Call(func=cst.Attribute(attr=name)):
            return identifier(name) in _TEXT_METHODS
    return False


def is_harmless_call(node: cst.Call) -> bool:
    """Does it give a number or a truth value, whatever it is given?"""
    return isinstance(node.func, cst.Name) and identifier(node.func) in HARMLESS
