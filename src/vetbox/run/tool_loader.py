"""Finds the packs of a project: the internal ones, its extension files and its MCP servers."""

import builtins
import importlib
import inspect
import keyword
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from types import ModuleType

import ot_tools
from vetbox.config import Config
from vetbox.errors import VetboxError
from vetbox.files.folders import Folder, FolderError
from vetbox.run.approvals import Approvals
from vetbox.run.extension import Extension, ExtensionError
from vetbox.run.mcp_proxy import ProxyPack
from vetbox.run.packs import INTERNAL, Catalogue, Invoke, Pack, Tool, ToolPack, unguarded
from vetbox.run.parameters import wrong_type
from vetbox.run.worker import extension_pack
from vetbox.toolkit import ToolContext

EXTENSIONS = (".onetool", "tools")
MAX_EXTENSION_BYTES = 1_000_000
MAX_EXTENSIONS = 200


def load(
    root: Path,
    config: Config,
    *,
    trusted: bool,
    approvals: Approvals,
    guard: Callable[[str], None] = unguarded,
) -> Catalogue:
    """Every pack the project may use; what cannot be loaded is among the catalogue's problems.

    Without trust these are the internal ones. No pack takes the name of another. `guard` is told
    of each use of a pack of the project's own.
    """
    packs: dict[str, Pack] = {pack.name: pack for pack in internal_packs()}
    problems: list[str] = []
    for place, open_pack in _own(root, config, approvals) if trusted else ():
        try:
            pack = open_pack()
            _check_name(pack.name, place, packs)
        except VetboxError as error:
            problems.append(str(error))
        else:
            packs[pack.name] = pack
    problems += [
        f".onetool/onetool.yaml: alias.{name}: the pack '{name}' has that name already; "
        "rename the alias."
        for name in config.alias
        if name in packs
    ]
    return Catalogue(packs, tuple(problems), frozenset(config.tools.disabled), guard)


@cache
def internal_packs() -> tuple[ToolPack, ...]:
    """The packs that come with vetbox, one module of `ot_tools` each."""
    names = sorted(info.name for info in pkgutil.iter_modules(ot_tools.__path__))
    return tuple(_internal(importlib.import_module(f"ot_tools.{name}")) for name in names)


def _internal(module: ModuleType) -> ToolPack:
    name: str = module.pack
    functions = [
        function
        for own, function in inspect.getmembers(module, inspect.isfunction)
        if not own.startswith("_") and function.__module__ == module.__name__
    ]
    tools = {function.__name__: _tool(name, function) for function in functions}
    return ToolPack(name, INTERNAL, inspect.getdoc(module) or "", tools)


def _tool(pack: str, function: Callable[..., object]) -> Tool:
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    wants_context = bool(parameters) and parameters[0].annotation is ToolContext
    shown = signature.replace(parameters=parameters[1:] if wants_context else parameters)
    name = f"{pack}.{function.__name__}"
    invoke = _invoke(name, function, wants_context=wants_context)
    return Tool(name, shown, inspect.getdoc(function) or "", invoke)


def _invoke(name: str, function: Callable[..., object], *, wants_context: bool) -> Invoke:
    """The function; where it fails on what it does not take, the error says what it does."""

    def invoke(context: ToolContext, bound: inspect.BoundArguments) -> object:
        first = (context,) if wants_context else ()
        try:
            return function(*first, *bound.args, **bound.kwargs)
        except Exception as error:
            misfit = wrong_type(name, bound, error)
            if misfit is None:
                raise
            raise misfit from None

    return invoke


def _own(
    root: Path, config: Config, approvals: Approvals
) -> Iterator[tuple[str, Callable[[], Pack]]]:
    """Where each of the project's own packs is declared, and what opens it."""
    for name in _extension_files(root):
        path = "/".join([*EXTENSIONS, name])
        yield path, partial(_extension, root, name, config.tools.timeout)
    for name, server in config.servers.items():
        place = f".onetool/onetool.yaml: servers.{name}"
        yield place, partial(ProxyPack, name, server, root, approvals)


def _extension_files(root: Path) -> Iterable[str]:
    try:
        with Folder.open(root, *EXTENSIONS) as folder:
            names = [name for name in folder.names() if name.endswith(".py")]
    except FileNotFoundError:
        return ()
    return [name for name in names if not name.startswith("_")][:MAX_EXTENSIONS]


def _extension(root: Path, name: str, timeout_s: float) -> ToolPack:
    path = "/".join([*EXTENSIONS, name])
    try:
        with Folder.open(root, *EXTENSIONS) as folder:
            data = folder.read(name, max_bytes=MAX_EXTENSION_BYTES)
    except (FolderError, OSError) as error:
        raise ExtensionError(f"{path}:1: cannot be read: {error}") from None
    return extension_pack(Extension.read(data, path), root, timeout_s=timeout_s)


def _check_name(name: str, place: str, others: dict[str, Pack]) -> None:
    if name in others:
        origin = others[name].origin
        raise ExtensionError(
            f"{place}: there is an {origin} pack '{name}' already; rename this one."
        )
    if keyword.iskeyword(name):
        raise ExtensionError(f"{place}: '{name}' is a word of Python; rename this.")
    if hasattr(builtins, name):  # programs would have that no more
        raise ExtensionError(f"{place}: '{name}' is a builtin of Python; rename this.")
