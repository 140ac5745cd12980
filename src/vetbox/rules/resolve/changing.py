"""Changing: which tables with a name may hold something else by the time they are asked."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

import libcst as cst

from vetbox.rules.resolve.computing import FUNCTIONS
from vetbox.rules.resolve.scopes import Scopes
from vetbox.rules.walk import identifier

_ASKING = frozenset({"copy", "count", "get", "index", "items", "keys", "values", "decode", "hex"})
"""Methods that change nothing."""
_READERS = frozenset(name for name in FUNCTIONS if "." not in name) | {
    *("enumerate", "len", "map", "max", "min", "print", "repr", "set", "sum", "zip"),
}
"""Builtins that change nothing they are given, and give back none of it but elements."""


class Changing:
    """Answers for one module, scopes left aside: a name is read everywhere, or it may change."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes, self._tree = scopes, scopes.tree

    def may_change(self, name: str, *, deep: bool) -> bool:
        """Is there a use of the name that does not only read? `deep`: it holds tables itself."""
        return any(not self._is_read(use, deep=deep) for use in self._uses.get(name, ()))

    @cached_property
    def _uses(self) -> Mapping[str, list[cst.CSTNode]]:
        found: dict[str, list[cst.CSTNode]] = defaultdict(list)
        for node in self._tree.of_type(cst.Name):
            around = self._tree.parent(node)
            if isinstance(around, cst.Attribute) and around.attr is node:
                node = around  # noqa: PLW2901 - the attribute is what is used
                found[identifier(around.attr)].append(around)
            else:
                found[identifier(node)].append(node)  # type: ignore[arg-type]
        return found

    def _is_read(self, node: cst.CSTNode, *, deep: bool) -> bool:
        around = self._tree.parent(node)
        match around:
            case cst.Subscript(value=value) if value is node:
                return self._is_taken_out_of(around) and (
                    not deep or self._is_read(around, deep=deep)
                )
            case cst.Attribute(value=value, attr=attr) if value is node:
                called = self._tree.parent(around)
                return isinstance(called, cst.Call) and identifier(attr) in _ASKING and not deep
            case cst.Arg(star=star):
                return not deep and (bool(star) or self._is_given_to_a_reader(around))
            case cst.For(iter=over) | cst.CompFor(iter=over):
                return over is not node or not deep
            case cst.StarredElement() | cst.StarredDictElement() | cst.BinaryOperation():
                return not deep
            case cst.Assign() | cst.Return() | cst.Element() | cst.DictElement() | cst.Yield():
                return False
            case cst.AnnAssign(value=value) | cst.NamedExpr(value=value):
                return value is not node
            case cst.IfExp(test=test):
                return test is node
            case cst.BooleanOperation() | cst.Del() | cst.Await() | cst.Lambda() | cst.WithItem():
                return False
            case cst.Comparison() | cst.ComparisonTarget() | cst.FormattedStringExpression():
                return True
            case cst.If() | cst.While() | cst.Assert() | cst.UnaryOperation() | cst.Expr():
                return True
            case cst.AssignTarget() | cst.AugAssign() | cst.Param() | cst.AsName():
                return True  # a binding: told apart where the name is looked up
            case cst.Global() | cst.NameItem() | cst.Annotation():
                return True
        return False

    def _is_taken_out_of(self, taken: cst.Subscript) -> bool:
        """Is nothing put there instead?"""
        inner: cst.CSTNode = taken
        for around in self._tree.ancestors(taken):
            if isinstance(around, (cst.AssignTarget, cst.Del)):
                return False
            if isinstance(around, (cst.AugAssign, cst.AnnAssign, cst.For, cst.CompFor)):
                return around.target is not inner
            if isinstance(around, cst.AsName):
                return around.name is not inner
            if not isinstance(around, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
                return True
            inner = around
        return True

    def _is_given_to_a_reader(self, arg: cst.Arg) -> bool:
        call = self._tree.parent(arg)
        if not isinstance(call, cst.Call):
            return False
        match call.func:
            case cst.Name():
                name = identifier(call.func)
                return name in _READERS and not self._scopes.binding_anything(name)
            case cst.Attribute(value=cst.SimpleString(), attr=attr):
                return identifier(attr) in ("join", "format")
        return False
