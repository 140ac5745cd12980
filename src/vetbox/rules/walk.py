"""One pass over a module: every node that matters, with its parent, in the order of evaluation."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, fields
from functools import cache, cached_property

import libcst as cst

_LAYOUT = frozenset(
    {"lpar", "rpar", "comma", "semicolon", "dot", "colon", "equal", "newline", "indent"}
    | {"lbracket", "rbracket", "lbrace", "rbrace", "posonly_ind", "first_line", "empty_lines"}
    | {"header", "footer", "leading_lines", "lines_after_decorators", "trailing_whitespace"}
    | {"leading_whitespace", "lines_after_module_docstring", "asynchronous", "operator"}
    | {"lines_after_colon", "semicolon", "relative", "star", "separator"}
)
# Where Python evaluates in another order than it is written.
_EVALUATION: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Assign: ("value", "targets"),
    cst.AnnAssign: ("annotation", "value", "target"),
    cst.NamedExpr: ("value", "target"),
    cst.For: ("iter", "target", "body", "orelse"),
    cst.CompFor: ("iter", "target", "ifs", "inner_for_in"),
    cst.ListComp: ("for_in", "elt"),
    cst.SetComp: ("for_in", "elt"),
    cst.GeneratorExp: ("for_in", "elt"),
    cst.DictComp: ("for_in", "key", "value"),
    cst.FunctionDef: ("decorators", "type_parameters", "params", "returns", "name", "body"),
    cst.ClassDef: ("decorators", "type_parameters", "bases", "keywords", "body", "name"),
    cst.Param: ("default", "annotation", "name"),
    cst.IfExp: ("test", "body", "orelse"),
    cst.ComparisonTarget: ("comparator",),
    cst.ExceptHandler: ("type", "name", "body"),
    cst.ExceptStarHandler: ("type", "name", "body"),
    cst.MatchCase: ("pattern", "guard", "body"),
}


@cache
def child_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a node type that may hold nodes with a meaning, in order of evaluation."""
    special = _EVALUATION.get(kind)
    if special is not None:
        return special
    return tuple(field.name for field in fields(kind) if _may_hold_nodes(field))


def _may_hold_nodes(field: "Field[object]") -> bool:
    name = field.name
    return name not in _LAYOUT and not name.startswith("whitespace") and field.type is not str


class Tree:
    """A module's nodes by type, their parents, and their order of evaluation."""

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self.nodes: list[cst.CSTNode] = []
        self.parents: dict[int, cst.CSTNode] = {}
        self.order: dict[int, int] = {}
        self.by_type: dict[type[cst.CSTNode], list[cst.CSTNode]] = defaultdict(list)
        self.written: dict[cst.CSTNode, str] = {}  # their code, once somebody asked for it
        self.spans: dict[int, tuple[int, int]] = {}  # by id(), of those somebody asked for
        self._mentioned: dict[tuple[str, ...], bool] = {}
        self._walk()

    def _walk(self) -> None:
        nodes, parents, order, by_type = self.nodes, self.parents, self.order, self.by_type
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            order[id(node)] = len(nodes)
            nodes.append(node)
            by_type[type(node)].append(node)
            children = children_of(node)
            for child in children:
                parents[id(child)] = node
            children.reverse()
            stack += children

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self.parents.get(id(node))

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """From the parent outwards to the module."""
        above = self.parents.get(id(node))
        while above is not None:
            yield above
            above = self.parents.get(id(above))

    def is_target(self, node: cst.CSTNode) -> bool:
        """Is it put into or deleted, alone or among others, and not read?"""
        inner = node
        for around in self.ancestors(node):
            if isinstance(around, (cst.AssignTarget, cst.Del)):
                return True
            if isinstance(around, (cst.AugAssign, cst.AnnAssign, cst.For, cst.CompFor)):
                return around.target is inner
            if isinstance(around, cst.AsName):
                return around.name is inner
            if not isinstance(around, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
                return False
            inner = around
        return False

    def below(self, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """Every node inside this one."""
        place = self.order.get(id(node))
        return _within(node) if place is None else self.nodes[place + 1 : self._last(node) + 1]

    def _last(self, node: cst.CSTNode) -> int:
        """The place of the last node inside one of the module, or its own."""
        while children := children_of(node):
            node = children[-1]
        return self.order[id(node)]

    @cached_property
    def words(self) -> frozenset[str]:
        """Every identifier and every text that is written in the module.

        The text of `__name__ == "__main__"` is none of them: it names a module to nobody.
        """
        texts = [
            text for text in self.by_type.get(cst.SimpleString, ()) if not self._is_asked(text)
        ]
        return frozenset((*self.by_name, *(text.value for text in texts)))  # type: ignore[attr-defined]

    def _is_asked(self, text: cst.CSTNode) -> bool:
        """Does it only ask whether the module is the program?"""
        if not isinstance(text, cst.SimpleString) or text.value[1:-1] != "__main__":
            return False
        compared = self.parent(text)
        asked = None if compared is None else self.parent(compared)
        is_name = isinstance(asked, cst.Comparison) and written_name(asked.left) == "__name__"
        return is_name and isinstance(compared, cst.ComparisonTarget)

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[cst.Name]]:
        """The names of the module by what they are as Python reads them, in order."""
        found: dict[str, list[cst.Name]] = defaultdict(list)
        for name in self.by_type.get(cst.Name, ()):
            if isinstance(name, cst.Name):
                found[identifier(name)].append(name)
        return found

    def mentions(self, words: tuple[str, ...]) -> bool:
        """Is one of the words written anywhere, be it as a part of another?"""
        known = self._mentioned.get(words)
        if known is None:
            known = self._mentioned[words] = any(word in self._text for word in words)
        return known

    @cached_property
    def _text(self) -> str:
        return " ".join(self.words)

    def of_type(self, *kinds: type[cst.CSTNode]) -> Sequence[cst.CSTNode]:
        return [node for kind in kinds for node in self.by_type.get(kind, ())]


def children_of(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The children that mean something, in order of evaluation."""
    found: list[cst.CSTNode] = []
    for name in child_fields(type(node)):
        value = getattr(node, name)
        if value is None:
            continue
        kind = type(value)
        if kind is list or kind is tuple:
            found += value
        elif IS_NODE[kind]:
            found.append(value)
    return found


def _within(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Every node inside one that is in no module."""
    found: list[cst.CSTNode] = []
    stack = children_of(node)[::-1]
    while stack:
        found.append(stack.pop())
        stack += reversed(children_of(found[-1]))
    return found


class Kinds(dict[type[object], bool]):
    """Whether a type is one of some kinds; libcst's abstract classes would ask every subclass."""

    def __init__(self, *kinds: type[object]) -> None:
        super().__init__()
        self._kinds = kinds

    def __missing__(self, kind: type[object]) -> bool:
        self[kind] = not set(self._kinds).isdisjoint(kind.__mro__)
        return self[kind]


IS_NODE = Kinds(cst.CSTNode)
"""Whether a type is one of nodes."""


def identifier(name: cst.Name) -> str:
    """The name as Python reads it: compatibility letters count as plain ones."""
    text = name.value
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def last_word(node: cst.CSTNode) -> str:
    """`c` of `a.b.c`, and of `f().c`; empty where an expression ends in no name."""
    last = node.attr if type(node) is cst.Attribute else node
    return identifier(last) if type(last) is cst.Name else ""


def written_name(node: cst.CSTNode | None) -> str | None:
    """`a.b.c` of a plain chain of names, as written."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(identifier(node.attr))
        node = node.value
    if type(node) is not cst.Name:
        return None
    parts.append(identifier(node))
    return ".".join(reversed(parts))
