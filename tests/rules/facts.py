"""What a program says of itself, for tests of what needs no resolver."""

from collections.abc import Collection

import libcst as cst

from vetbox.rules.patterns.vocabulary import UNKNOWN, dotted


class AsWritten:
    """Facts of a program without imports or variables: names and literals are what they spell."""

    def names(self, node: cst.CSTNode) -> Collection[str]:
        name = dotted(node)
        return {name} if name else ()

    def constant(self, node: cst.CSTNode) -> object:
        if isinstance(node, (cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float)):
            return node.evaluated_value
        if isinstance(node, cst.Name):
            return {"True": True, "False": False, "None": None}.get(node.value, UNKNOWN)
        return UNKNOWN

    def is_text(self, node: cst.CSTNode) -> bool:
        return isinstance(self.constant(node), str)

    def types(self, node: cst.CSTNode) -> Collection[str]:
        return ()

    kinds = types

    def behind(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        return None

    def held(self, node: cst.Attribute) -> tuple[cst.BaseExpression, ...]:
        return ()

    def functions(self, func: cst.CSTNode) -> tuple[cst.FunctionDef, ...]:
        return ()
