"""A program as code objects whose last one evaluates to the program's value.

The value comes in a tuple of one; no tuple means that the program has no value. Line numbers are
the program's own, `return` and `await` may stand at the top level.
"""

import ast
import inspect
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import NamedTuple

_FUNCTION_KINDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_IGNORED = ("ignore", None, SyntaxWarning, None, 0)
_SAYING = ("print", "help")
_GENERATOR = inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


class Parts(NamedTuple):
    """Code objects to `eval` in turn; a bare one evaluates to the value and not to a tuple."""

    codes: tuple[CodeType, ...]
    bare: bool = False


def parts(code: str, filename: str) -> Parts:
    """The program's code objects; raises what `compile` does."""
    with _without_warnings():
        expression = _as_expression(code, filename)
        if expression is not None:
            return Parts((expression,), bare=True)
        tree = ast.parse(code, filename)
        if "return" in code and any(isinstance(n, ast.Return) for n in _top_level(tree.body)):
            return Parts((*_star_imports(tree, filename), _as_function(tree, filename)))
        return Parts(_as_module(tree, filename))


def _as_expression(code: str, filename: str) -> CodeType | None:
    """The code of a program that is one expression on one line, or None when it may not be.

    Most programs are one call, and this takes a third of what the syntax tree of one does.
    """
    if "\n" in code.rstrip() or any(word in code for word in _SAYING):
        return None
    try:
        return _compiled(code, filename, "eval")
    except SyntaxError:
        return None


@contextmanager
def _without_warnings() -> Iterator[None]:
    """As `warnings.catch_warnings`, which copies what nobody changes meanwhile."""
    filters = warnings.filters
    warnings.filters = [_IGNORED]
    try:
        yield
    finally:
        warnings.filters = filters


def _as_module(tree: ast.Module, filename: str) -> tuple[CodeType, ...]:
    match tree.body:
        case [*_, ast.Expr(value=last)] if not _only_says(last):
            del tree.body[-1]
            value = _compiled(ast.Expression(_in_tuple(last)), filename, "eval")
            return (_compiled(tree, filename, "exec"), value) if tree.body else (value,)
        case _:
            return (_compiled(tree, filename, "exec"),)


def _star_imports(tree: ast.Module, filename: str) -> Iterator[CodeType]:
    """What stands before the end of the last `import *`, taken out of the tree: no function may
    hold one. A `return` before it leaves all where it is.
    """
    ends = (n for n, node in enumerate(tree.body, 1) if any(map(_is_star, _top_level([node]))))
    end = max(ends, default=0)
    before = tree.body[:end]
    if before and not any(isinstance(n, ast.Return) for n in _top_level(before)):
        tree.body[:end] = [node for node in before if _is_future(node)]
        yield _compiled(ast.Module(before, type_ignores=[]), filename, "exec")


def _as_function(tree: ast.Module, filename: str) -> CodeType:
    """The program as the body of one function whose every name is global."""
    futures = [node for node in tree.body if _is_future(node)]
    rest = [node for node in tree.body if not _is_future(node)]
    body = _returning(rest, annotated=not any(map(_leaves_annotations, futures)))
    names = sorted(set(_bound_names(tree)))
    scope: list[ast.stmt] = [ast.Global(names)] if names else []
    kind = ast.AsyncFunctionDef if _awaits(body) else ast.FunctionDef
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = kind(name="<module>", args=none, body=scope + body, decorator_list=[])
    vars(function)["type_params"] = []  # a field since 3.12
    wrapped = ast.Module(body=[*futures, function], type_ignores=[])
    module = _compiled(ast.fix_missing_locations(wrapped), filename, "exec")
    code = next(part for part in module.co_consts if isinstance(part, CodeType))
    if code.co_flags & _GENERATOR:
        line = min(_yields(_top_level(body)), default=None) or min(_yields(ast.walk(tree)))
        raise SyntaxError("'yield' outside function", (filename, line, None, None))
    return code


def _yields(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """The lines of the yields among the nodes."""
    return (node.lineno for node in nodes if isinstance(node, ast.Yield | ast.YieldFrom))


def _returning(body: list[ast.stmt], *, annotated: bool) -> list[ast.stmt]:
    """The statements, returning tuples; a last expression is returned too.

    `annotated`: what a name without a value is annotated with is evaluated.
    """
    match body:
        case [*_, ast.Expr(value=value) as last] if not _only_says(value):
            body[-1] = ast.copy_location(ast.Return(value), last)
    returns = _Returns(annotated)
    return [returns.visit(node) for node in body]


def _only_says(value: ast.expr) -> bool:
    """Whether this is a call of print() or help(), whose None nobody means as a result."""
    match value:
        case ast.Call(func=ast.Name(id=name)) if name in _SAYING:
            return True
        case _:
            return False


class _Returns(ast.NodeTransformer):
    def __init__(self, annotated: bool) -> None:
        self._annotated = annotated

    def visit_Return(self, node: ast.Return) -> ast.Return:
        value = node.value or ast.copy_location(ast.Constant(None), node)
        return ast.copy_location(ast.Return(_in_tuple(value)), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """An annotated name cannot be declared global."""
        if node.value is None:
            said = ast.Expr(node.annotation) if self._annotated else ast.Pass()
            return ast.copy_location(said, node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        return node


def _in_tuple(value: ast.expr) -> ast.Tuple:
    return ast.copy_location(ast.Tuple([value], ast.Load()), value)


def _compiled(source: str | ast.Module | ast.Expression, filename: str, mode: str) -> CodeType:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code: CodeType = compile(source, filename, mode, flags=flags, dont_inherit=True)
    return code


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _leaves_annotations(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and any(n.name == "annotations" for n in node.names)


def _is_star(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and any(n.name == "*" for n in node.names)


def _awaits(body: Iterable[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith)
        or (isinstance(node, ast.comprehension) and node.is_async)
        for node in _top_level(body)
    )


def _top_level(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that do not belong to a function or class of their own."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_FUNCTION_KINDS, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)


def _bound_names(tree: ast.AST) -> Iterator[str]:
    """Every name that is bound anywhere: naming one too many global changes nothing."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.MatchAs(name=str(name)):
                yield name
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
            case ast.alias(name=name, asname=asname):
                yield from _imported(asname or name.partition(".")[0])


def _imported(name: str) -> Iterator[str]:
    if name != "*":
        yield name
