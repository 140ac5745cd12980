"""Mutability: whether a container in a variable may have changed before it is read."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import libcst as cst

from vetbox.rules.resolve.choosing import holds_tables, is_written_in_tuples
from vetbox.rules.resolve.computing import FUNCTIONS
from vetbox.rules.resolve.scopes import Binding, Scopes
from vetbox.rules.walk import identifier

_ASKING = frozenset({"copy", "count", "get", "index", "items", "keys", "values", "decode", "hex"})
"""Methods that change nothing."""
_READERS = frozenset(name for name in FUNCTIONS if "." not in name) | {
    *("enumerate", "len", "map", "max", "min", "print", "repr", "set", "sum", "zip"),
}
"""Builtins that change nothing they are given, and give back none of it but elements."""

_HARMLESS = frozenset({"__init__", "__name__", "__main__", "__all__", "__doc__", "__file__"})
"""Names with two underscores that give nothing to an operator."""
_WRITING_BY_TEXT = frozenset(
    {"globals", "locals", "vars", "setattr", "__setattr__", "__dict__", "f_globals", "f_locals"}
    | {"__main__", "modules"}
)
"""What gives variables and attributes other values than code shows."""
_MAKING_ATTRIBUTES = frozenset(
    {"__getattribute__", "__prepare__", "metaclass", "make_dataclass", "new_class"}
)
"""Words of what gives classes other attributes than their bodies say."""
_READING = (
    *(cst.If, cst.While, cst.UnaryOperation, cst.Expr),
    *(cst.FormattedStringExpression, cst.Global, cst.NameItem, cst.Annotation),
)
"""What is made of a table here is no table, or nothing."""
GIVING_BY_TEXT = _WRITING_BY_TEXT | _MAKING_ATTRIBUTES


class Changing:
    """Answers for one module, scopes left aside: a name is read everywhere, or it may change."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes, self._tree = scopes, scopes.tree

    def may_change(self, name: str, *, deep: bool) -> bool:
        """Is there a use of the name that does not only read? `deep`: it holds tables itself."""
        return any(not self._is_read(use, deep=deep) for use in self._uses.get(name, ()))

    def may_hold_others(
        self, binding: Binding, value: cst.CSTNode, found: Sequence[object]
    ) -> bool:
        """May it be a table that holds something else by now than what is found?"""
        is_table = any(isinstance(one, (list, dict)) for one in found)
        is_buffer = isinstance(value, cst.Call) and any(isinstance(one, bytes) for one in found)
        deep = holds_tables(found) and not is_written_in_tuples(value, self._tree)
        if not (is_table or is_buffer or deep) or not isinstance(binding.node, cst.Name):
            return False
        return self.may_change(identifier(binding.node), deep=deep)

    @cached_property
    def is_written_by_text(self) -> bool:
        """May a variable or an attribute have another value than code shows?"""
        return not _WRITING_BY_TEXT.isdisjoint(self._words)

    def is_put_to(self, name: str) -> bool:
        """Does anything give an attribute of the name a value, or take it away?"""
        return any(
            isinstance(use, cst.Attribute) and self._tree.is_target(use)
            for use in self._uses.get(name, ())
        )

    @cached_property
    def answers_for_attributes(self) -> bool:
        """May something else than the body of a class say what its attributes hold?"""
        return not _MAKING_ATTRIBUTES.isdisjoint(self._words) or any(
            isinstance(call.func, cst.Name) and call.func.value == "type" and len(call.args) > 1
            for call in self._tree.of_type(cst.Call)
            if isinstance(call, cst.Call)
        )

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
                taken = not self._tree.is_target(around)
                return taken and (not deep or self._is_read(around, deep=deep))
            case cst.Attribute(value=value, attr=attr) if value is node:
                called = isinstance(self._tree.parent(around), cst.Call)
                return called and identifier(attr) in _ASKING and not deep
            case cst.Arg(star=star):
                return not deep and (bool(star) or self._is_given_to_a_reader(around))
            case cst.AssignTarget():
                return self._is_only_target(around)
            case cst.NamedExpr(target=target) if target is node:
                return self._is_read(around, deep=deep)
            case cst.For(iter=over) | cst.CompFor(iter=over):
                return over is not node or not deep
            case cst.StarredElement() | cst.StarredDictElement():
                return not deep
            case cst.BinaryOperation():
                return not deep and self._is_plain
            case cst.AugAssign(target=target):
                return target is node or self._is_plain
            case cst.Comparison() | cst.ComparisonTarget():
                return self._is_plain
        return isinstance(around, _READING) or _is_named_or_tested(node, around)

    @cached_property
    def _is_plain(self) -> bool:
        """Can no class of the program take part in an operator, no iterator hand out its list?"""
        return all(word in _HARMLESS for word in self._words if word.startswith("__"))

    @cached_property
    def _words(self) -> frozenset[str]:
        """Identifiers, and texts without their quotes."""
        return frozenset(word.strip("\"'") for word in self._tree.words)

    def _is_only_target(self, target: cst.AssignTarget) -> bool:
        """`a = b = []` gives two names to one table."""
        around = self._tree.parent(target)
        return isinstance(around, cst.Assign) and len(around.targets) == 1

    def _is_given_to_a_reader(self, arg: cst.Arg) -> bool:
        call = self._tree.parent(arg)
        if not isinstance(call, cst.Call):
            return False
        match call.func:
            case cst.Name():
                name = identifier(call.func)
                return (
                    self._is_plain and name in _READERS and not self._scopes.binding_anything(name)
                )
            case cst.Attribute(value=cst.SimpleString(), attr=attr):
                return identifier(attr) in ("join", "format")
        return False


def _is_named_or_tested(node: cst.CSTNode, around: cst.CSTNode | None) -> bool:
    """Is it the name that something is given here, or does nothing but its truth count?"""
    match around:
        case cst.Param(name=name) | cst.AsName(name=name):
            return name is node  # a default is handed to whoever takes the parameter
        case cst.AnnAssign(value=value) | cst.NamedExpr(value=value):
            return value is not node
        case cst.IfExp(test=test) | cst.Assert(test=test):
            return test is node
    return False
