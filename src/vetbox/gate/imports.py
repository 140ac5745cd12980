"""Imports of a module, as the rewrites need them: what each name stands for."""

from functools import reduce

import libcst as cst

from vetbox.gate.visiting import seen


def imports_of(module: cst.Module) -> dict[str, str]:
    """The dotted module that each name bound by a plain `import` stands for."""
    found = Imports()
    seen(module, found)
    return found.modules


def bound_by_imports(module: cst.Module) -> frozenset[str]:
    """Every name that some import binds."""
    found = Imports()
    seen(module, found)
    return frozenset(found.modules) | found.picked


class Imports(cst.CSTVisitor):
    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.picked: frozenset[str] = frozenset()

    def visit_Import(self, node: cst.Import) -> None:
        for alias in node.names:
            dotted = alias.evaluated_name
            name = alias.evaluated_alias or dotted.split(".")[0]
            self.modules[name] = dotted if alias.asname else name

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        if not isinstance(node.names, cst.ImportStar):
            names = {alias.evaluated_alias or alias.evaluated_name for alias in node.names}
            self.picked |= names


def dotted_name(node: cst.BaseExpression) -> str | None:
    """`a.b.c` of a chain of plain names."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        base = dotted_name(node.value)
        return base and f"{base}.{node.attr.value}"
    return None


def dotted_node(name: str) -> cst.Name | cst.Attribute:
    """The inverse of `dotted_name`."""
    first, *rest = name.split(".")
    nodes: cst.Name | cst.Attribute = cst.Name(first)
    return reduce(lambda base, word: cst.Attribute(base, cst.Name(word)), rest, nodes)
