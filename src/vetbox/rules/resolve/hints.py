"""Hints: cheap answers about a name or binding, for which no values are followed."""

import libcst as cst

from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.indirection import LOOKING_UP
from vetbox.rules.resolve.members import Members
from vetbox.rules.resolve.scopes import Binding, Entered, Imported, Parameter, Scopes, Value
from vetbox.rules.walk import identifier

_OTHERS = (
    frozenset({"__call__", "__self__", "__builtins__", "f_builtins"}) | canonical.OTHER_BUILTINS
)
"""Attributes that are something of another name."""


class Hints:
    """Answers about the expressions of one module; each word is looked up once."""

    def __init__(self, scopes: Scopes, members: Members) -> None:
        self._scopes = scopes
        self._members = members
        self._variables: dict[str, str | None] = {}
        self._attributes: dict[str, str | None] = {}

    def last_word(self, node: cst.CSTNode) -> str | None:
        """The only last word that the names of an expression can have; None if there is more."""
        if type(node) is cst.Name:
            name, known, may_differ = identifier(node), self._variables, self._is_variable_of
        elif type(node) is cst.Attribute:
            name, known, may_differ = identifier(node.attr), self._attributes, self._is_member_of
        elif type(node) is cst.Call:
            return self._last_word_of_call(node)
        else:
            return None
        if name not in known:
            known[name] = None if may_differ(name) else name
        return known[name]

    def _last_word_of_call(self, call: cst.Call) -> str | None:
        """Something of the kind of its callee, where no function of the module gives it."""
        word = None if type(call.func) is cst.Call else self.last_word(call.func)
        if word is None or word in LOOKING_UP or self._scopes.binding_anything(word):
            return None
        return canonical.instance(word)

    def _is_variable_of(self, name: str) -> bool:
        """May a variable of the name stand for something else?"""
        return bool(self._scopes.module.stars) or self._is_given_another(name)

    def _is_member_of(self, name: str) -> bool:
        """May an attribute of the name be something else?"""
        plain = name.strip("_")
        return (
            name in _OTHERS
            or (plain != name and plain in canonical.CARRIED)
            or self._members.are_assigned(name)
            or self._is_given_another(name)
        )

    def _is_given_another(self, name: str) -> bool:
        return any(map(may_stand_for_another, self._scopes.binding_anything(name)))


def may_stand_for_another(binding: Binding) -> bool:
    """May the name stand for something that has another name?"""
    match binding.given:
        case Imported() | Entered():
            return True
        case Value(value=value, path=path):
            return bool(path) or not isinstance(value, _PLAIN_VALUES)
        case Parameter(param=param):
            return param.default is not None or param.annotation is not None
    return False


_PLAIN_VALUES = (cst.BaseString, cst.BaseNumber, cst.BinaryOperation, cst.UnaryOperation,
                 cst.Comparison, cst.Lambda, cst.Dict, cst.List, cst.Tuple, cst.Set)  # fmt: skip
