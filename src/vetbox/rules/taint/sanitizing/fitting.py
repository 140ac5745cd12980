"""Compiled regexes: which one a test asks, and whether the whole text has to match."""

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts

_MATCHING = frozenset({"match", "fullmatch", "search"})
_BEGINS = ("^", r"\A")
_ENDS = ("$", r"\Z")


def gives_match(node: cst.BaseExpression) -> bool:
    """Does a call give a match, or None?"""
    return _method(node) in _MATCHING


def compiled(call: cst.Call, facts: Facts) -> cst.Call | None:
    """The call that made the regex which this one asks: `re.compile(…)` of `NAME.match(text)`."""
    if not isinstance(call.func, cst.Attribute) or not gives_match(call):
        return None
    receiver = call.func.value
    made = receiver if isinstance(receiver, cst.Call) else facts.behind(receiver)
    return made if isinstance(made, cst.Call) and made.args else None


def is_whole(call: cst.Call, made: cst.Call, facts: Facts) -> bool:
    """Is all of a text asked about, not only a part or the beginning?"""
    regex, method = facts.constant(made.args[0].value), _method(call)
    if method == "fullmatch" or not isinstance(regex, str):
        return method == "fullmatch"
    return regex.endswith(_ENDS) and (method == "match" or regex.startswith(_BEGINS))


def _method(node: cst.BaseExpression) -> str:
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
            return name
    return ""
