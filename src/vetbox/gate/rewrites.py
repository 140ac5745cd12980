"""Rewrites: small changes of a module's spelling that keep every statement on its line."""

import builtins
from collections.abc import Iterator

import libcst as cst

from vetbox.gate.imports import Imports, bound_by_imports, dotted_name, dotted_node, imports_of
from vetbox.gate.visiting import seen

# Calling these by another name asks another scope.
SCOPE_BOUND = frozenset({"super", "locals", "globals", "vars", "dir"})
MIN_SPLIT = 2  # characters; a shorter literal has no two halves


def _alias(name: str, asname: str | None = None) -> cst.ImportAlias:
    return cst.ImportAlias(dotted_node(name), cst.AsName(cst.Name(asname)) if asname else None)


class RenameImports(cst.CSTTransformer):
    """`import os` becomes `import os as z_os`, and every use follows."""

    def __init__(self, module: cst.Module) -> None:
        self.renamed = {name: f"z_{name}" for name in imports_of(module)}

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        aliases = [new for alias in original_node.names for new in self._renamed(alias)]
        return updated_node.with_changes(names=aliases)

    def _renamed(self, alias: cst.ImportAlias) -> Iterator[cst.ImportAlias]:
        dotted = alias.evaluated_name
        root = dotted.split(".")[0]
        if alias.evaluated_alias:
            yield _alias(dotted, f"z_{alias.evaluated_alias}")
            return
        if root != dotted:
            yield _alias(dotted)
        yield _alias(root, f"z_{root}")

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        new = self.renamed.get(original_node.value)
        return updated_node.with_changes(value=new) if new else updated_node

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.Attribute:
        if updated_node.attr is original_node.attr:
            return updated_node
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        if updated_node.keyword is original_node.keyword:
            return updated_node
        return updated_node.with_changes(keyword=original_node.keyword)


class _ReadsOnly:
    """Leaves out imports, and chains that are assigned to: these must keep their spelling."""

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        return not isinstance(node.target, cst.Attribute)


class FromImports(_ReadsOnly, cst.CSTTransformer):
    """`os.system(x)` becomes `p_os_system(x)` after `from os import system as p_os_system`."""

    def __init__(self, module: cst.Module) -> None:
        self.modules = imports_of(module)
        self.picked: dict[str, str] = {}
        seen(module, _Picks(self))

    def pick(self, chain: str) -> None:
        root, *rest = chain.split(".")
        if root in self.modules and rest:
            self.picked[f"{root}.{rest[0]}"] = f"p_{root}_{rest[0]}"

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        bound = Imports()
        seen(original_node, bound)
        extra = [
            self._import(chain) for chain in self.picked if chain.split(".")[0] in bound.modules
        ]
        if not extra:
            return updated_node
        return updated_node.with_changes(body=[*updated_node.body, *extra])

    def _import(self, chain: str) -> cst.ImportFrom:
        root, attribute = chain.split(".")
        names = [_alias(attribute, self.picked[chain])]
        return cst.ImportFrom(module=dotted_node(self.modules[root]), names=names)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        name = self.picked.get(dotted_name(original_node) or "")
        return cst.Name(name) if name else updated_node


class _Picks(_ReadsOnly, cst.CSTVisitor):
    """Collects the chains that are read."""

    def __init__(self, owner: FromImports) -> None:
        self.owner = owner

    def visit_AugAssign_target(self, node: cst.AugAssign) -> None:
        self._drop(node.target)

    def visit_Attribute(self, node: cst.Attribute) -> None:
        chain = dotted_name(node)
        if chain is not None:
            self.owner.pick(chain)

    def _drop(self, node: cst.BaseExpression) -> None:
        self.owner.picked.pop(dotted_name(node) or "", None)


class AliasCallee(cst.CSTTransformer):
    """`os.system(x)` becomes `z1 = os.system; z1(x)`."""

    def __init__(self, module: cst.Module) -> None:
        self.roots = (bound_by_imports(module) | set(dir(builtins))) - SCOPE_BOUND
        # None outside of a line that can hold one more statement: a header cannot.
        self.pending: list[cst.BaseSmallStatement] | None = None
        self.count = 0

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        self.pending = []
        return True

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine:
        imports = [part for part in updated_node.body if isinstance(part, _IMPORTS)]
        rest = [part for part in updated_node.body if not isinstance(part, _IMPORTS)]
        body = [*imports, *(self.pending or ()), *rest]
        self.pending = None
        if len(body) == 1 and isinstance(body[0].semicolon, cst.MaybeSentinel):
            return updated_node
        return updated_node.with_changes(
            body=[part.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) for part in body]
        )

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        name = dotted_name(original_node.func)
        if self.pending is None or name is None or name.split(".")[0] not in self.roots:
            return updated_node
        self.count += 1
        alias = cst.Name(f"z{self.count}")
        target = cst.AssignTarget(alias)
        self.pending.append(cst.Assign([target], updated_node.func))
        return updated_node.with_changes(func=alias)

    def visit_Decorator(self, node: cst.Decorator) -> bool:
        return False

    def visit_Lambda(self, node: cst.Lambda) -> bool:
        return False


_IMPORTS = (cst.Import, cst.ImportFrom)


class ReverseKeywords(cst.CSTTransformer):
    """`f(a, x=1, y=2)` becomes `f(a, y=2, x=1)`."""

    def __init__(self, module: cst.Module) -> None:
        """Needs nothing of the module; all rewrites are made alike."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        args = updated_node.args
        keywords = [arg for arg in args if arg.keyword]
        if any(arg.star for arg in args) or len(keywords) < MIN_SPLIT:
            return updated_node
        order = [*args[: -len(keywords)], *reversed(keywords)]
        placed = [
            new.with_changes(comma=old.comma, whitespace_after_arg=old.whitespace_after_arg)
            for new, old in zip(order, args, strict=True)
        ]
        return updated_node.with_changes(args=placed)


class ParenthesiseCallee(cst.CSTTransformer):
    """`os.system(x)` becomes `(os.system)(x)`."""

    def __init__(self, module: cst.Module) -> None:
        """Needs nothing of the module; all rewrites are made alike."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        if dotted_name(original_node.func) is None:
            return updated_node
        func = updated_node.func.with_changes(
            lpar=[*updated_node.func.lpar, cst.LeftParen()],
            rpar=[*updated_node.func.rpar, cst.RightParen()],
        )
        return updated_node.with_changes(func=func)


class SplitLiterals(cst.CSTTransformer):
    """`"abc"` becomes `"a" "bc"`; docstrings and f-strings stay whole."""

    def __init__(self, module: cst.Module) -> None:
        """Needs nothing of the module; all rewrites are made alike."""

    def visit_ConcatenatedString(self, node: cst.ConcatenatedString) -> bool:
        return False

    def visit_FormattedString(self, node: cst.FormattedString) -> bool:
        return False

    def visit_Expr(self, node: cst.Expr) -> bool:
        return not isinstance(node.value, cst.SimpleString)

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.BaseExpression:
        value, text = updated_node.raw_value, updated_node.value
        plain = not updated_node.prefix and len(updated_node.quote) == 1 and "\\" not in text
        if not plain or len(value) < MIN_SPLIT or updated_node.lpar:
            return updated_node
        left, right = (f"{updated_node.quote}{half}{updated_node.quote}" for half in _halves(value))
        return cst.ConcatenatedString(
            cst.SimpleString(left),
            cst.SimpleString(right),
            whitespace_between=cst.SimpleWhitespace(" "),
        )


def _halves(value: str) -> tuple[str, str]:
    middle = len(value) // 2
    return value[:middle], value[middle:]


class LambdaStatements(cst.CSTTransformer):
    """The statement `f(x)` becomes `(lambda: f(x))`."""

    def __init__(self, module: cst.Module) -> None:
        """Needs nothing of the module; all rewrites are made alike."""

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.Expr:
        if not isinstance(original_node.value, cst.Call) or _is_bound_to_its_place(original_node):
            return updated_node
        function = cst.Lambda(cst.Parameters(), updated_node.value)
        return updated_node.with_changes(
            value=function.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        )


def _is_bound_to_its_place(node: cst.CSTNode) -> bool:
    """Whether a lambda around it would change what it means."""
    kinds = (cst.Await, cst.Yield, cst.NamedExpr)
    return isinstance(node, kinds) or any(map(_is_bound_to_its_place, node.children))


class ForeignImports(cst.CSTTransformer):
    """`import os` becomes `import unrelated_os as os`: the same words, another library."""

    def __init__(self, module: cst.Module) -> None:
        """Needs nothing of the module; all rewrites are made alike."""

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        names = [
            _alias(
                f"unrelated_{alias.evaluated_name}",
                alias.evaluated_alias or alias.evaluated_name.split(".")[0],
            )
            for alias in updated_node.names
        ]
        return updated_node.with_changes(names=names)

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom:
        name = dotted_name(updated_node.module) if updated_node.module else None
        if not name or updated_node.relative or name == "__future__":
            return updated_node
        return updated_node.with_changes(module=dotted_node(f"unrelated_{name}"))
