"""Parts: expressions that evaluate to one of their parts, as choices, walrus and subscripts do."""

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import canonical, indirection, namespaces
from vetbox.rules.resolve.canonical import NOTHING, UNKNOWN, Names
from vetbox.rules.resolve.context import Context
from vetbox.rules.walk import identifier


def joined(resolver: Context, node: cst.CSTNode, level: Resolve) -> Names:
    """The names of all parts that the expression may give."""
    match node:
        case cst.Subscript(value=cst.Attribute() as parents) if (
            identifier(parents.attr) == "parents"
        ):
            above = canonical.above(resolver.names(parents, level))
            return above or indirection.subscript(resolver, node, level)
        case cst.Subscript():
            return indirection.subscript(resolver, node, level)
        case cst.IfExp(body=body, orelse=orelse):
            return resolver.union((body, orelse), level)
        case cst.BooleanOperation(left=left, right=right):
            return resolver.union((left, right), level)
        case cst.NamedExpr(value=value) | cst.Await(expression=value):
            return resolver.names(value, level)
        case cst.BinaryOperation(left=left, operator=cst.Divide()):  # `Path("a") / "b"`
            return canonical.instances(resolver.names(left, level)) or UNKNOWN
        case cst.Dict() | cst.BinaryOperation() if level is Resolve.DYNAMIC:
            return namespaces.copied(resolver, node) or UNKNOWN
    return NOTHING if isinstance(node, cst.BaseString | cst.BaseNumber) else UNKNOWN
