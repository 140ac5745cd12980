"""Names of expressions: whole, their last word, and the variable they begin with."""

import ast


def last_word(func: ast.expr) -> str:
    """The last word of what is called, if there is one."""
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def dotted(node: ast.AST) -> str | None:
    """`a.b.c` of a plain chain of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def root(node: ast.AST) -> str | None:
    """The variable at the start of `x.y[0]`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
