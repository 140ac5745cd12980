"""Extension packs, `.onetool/tools/*.py`, as they are read: none of their code is executed."""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from vetbox.code.source import Source, SourceError
from vetbox.documents import DocumentError, read_toml
from vetbox.errors import VetboxError
from vetbox.findings import Failure

# The inline metadata of PEP 723.
_METADATA = re.compile(
    r"^# /// script[ \t]*\n(?P<lines>(?:#(?: [^\n]*)?\n)+?)# ///[ \t]*$", re.MULTILINE
)


class ExtensionError(VetboxError):
    """A file that is not an extension pack; the text is `path:line: sentence`."""


class Written(str):
    """A default or annotation that is shown as it was written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Function:
    """One tool of an extension."""

    name: str
    signature: inspect.Signature
    doc: str


@dataclass(frozen=True)
class Extension:
    """One file: `path` is relative to the project."""

    path: str
    text: str
    tree: ast.Module

    @classmethod
    def read(cls, data: bytes, path: str) -> "Extension":
        """Read a file through the same gate as all code; raises ExtensionError."""
        try:
            source = Source.from_bytes(data, path)
            return cls(path, source.text, source.tree)
        except SourceError as error:
            raise ExtensionError(_sentence(error.failure)) from None

    @cached_property
    def pack(self) -> str:
        """What `pack = "name"` says, else the file's name."""
        declared = [value for name, value in self._constants() if name == "pack"]
        name = declared[-1] if declared else self.path.rpartition("/")[2].removesuffix(".py")
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
            raise ExtensionError(f"{self.path}:1: {name!r} cannot be the name of a pack.")
        return name

    @property
    def doc(self) -> str:
        return ast.get_docstring(self.tree) or ""

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The public functions; those that `__all__` names, where there is one."""
        public = [value for name, value in self._constants() if name == "__all__"]
        found = {f.name: f for f in map(_function, self._definitions())}
        if not public or not isinstance(public[-1], list | tuple):
            return {name: f for name, f in found.items() if not name.startswith("_")}
        return {name: found[name] for name in public[-1] if name in found}

    @cached_property
    def metadata(self) -> Mapping[str, object]:
        """The PEP 723 block: `dependencies` and `requires-python`."""
        block = _METADATA.search(self.text.replace("\r\n", "\n").replace("\r", "\n"))
        if block is None:
            return {}
        toml = "".join(line[2:] or "\n" for line in block["lines"].splitlines(keepends=True))
        try:
            return dict(read_toml(toml, self.path).data)
        except DocumentError as error:
            raise ExtensionError(str(error)) from None

    def _definitions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    def _constants(self) -> Iterator[tuple[str, object]]:
        for node in self.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_literal(value):
                    yield name, ast.literal_eval(value)


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    returns = _written(node.returns)
    signature = inspect.Signature(list(_parameters(node.args)), return_annotation=returns)
    return Function(node.name, signature, ast.get_docstring(node) or "")


def _parameters(args: ast.arguments) -> Iterator[inspect.Parameter]:
    kinds = inspect.Parameter
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    for number, (arg, default) in enumerate(zip(positional, defaults, strict=True)):
        only = number < len(args.posonlyargs)
        yield _parameter(
            arg, kinds.POSITIONAL_ONLY if only else kinds.POSITIONAL_OR_KEYWORD, default
        )
    if args.vararg:
        yield _parameter(args.vararg, kinds.VAR_POSITIONAL, None)
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield _parameter(arg, kinds.KEYWORD_ONLY, default)
    if args.kwarg:
        yield _parameter(args.kwarg, kinds.VAR_KEYWORD, None)


def _parameter(
    arg: ast.arg, kind: "inspect._ParameterKind", default: ast.expr | None
) -> inspect.Parameter:
    return inspect.Parameter(
        arg.arg, kind, default=_written(default), annotation=_written(arg.annotation)
    )


def _written(node: ast.expr | None) -> object:
    return inspect.Parameter.empty if node is None else Written(ast.unparse(node))


def _sentence(failure: Failure) -> str:
    return f"{failure.path}:{failure.line or 1}: {failure.message}"
