"""Canonical names: one spelling for what can be reached by several."""

import builtins
from typing import TypeAlias

from vetbox.code.stdlib import STDLIB
from vetbox.rules.resolve.homes import HOMES

Names: TypeAlias = frozenset[str]
"""What an expression may stand for, by canonical names."""
BUILTINS = frozenset(dir(builtins)) | {"__builtins__", "__import__"}
UNKNOWN_ROOT = "?"
UNKNOWN = frozenset({UNKNOWN_ROOT})
NOTHING: Names = frozenset()

_SAME = {
    "io.open": "open",
    "_io.open": "open",
    "importlib.__import__": "__import__",
    "asyncio.subprocess.subprocess": "subprocess",
    "enum.bltns": "builtins",
    "zipimport._bootstrap": "importlib._bootstrap",
    "zipimport._bootstrap_external": "importlib._bootstrap_external",
    "importlib.abc._bootstrap_external": "importlib._bootstrap_external",
    "future.builtins": "builtins",
    **HOMES,
}
# Modules that other modules hold as attributes; `random._os` is os.
CARRIED = frozenset(
    {"os", "sys", "subprocess", "builtins", "importlib", "shutil", "socket", "pickle", "ctypes"}
    | {"posix", "nt", "pty", "runpy", "codeop", "marshal"}
)
# Modules that those of the library hold; elsewhere the words are anybody's, as `error.code`.
CARRIED_BY_LIBRARY = frozenset(
    {"bdb", "code", "gc", "http", "imp", "inspect", "io", "linecache", "mmap", "multiprocessing"}
    | {"pathlib", "pdb", "pkgutil", "profile", "pydoc", "signal", "socketserver", "ssl"}
    | {"tempfile", "threading", "types", "urllib", "zipimport"}
)
_REAL_SUBMODULES = frozenset(
    {"asyncio.subprocess", "django.utils._os", "xml.sax.handler", "distutils.sys", "copyreg.pickle"}
    | {"_socket.socket", "ssl.socket"}
    | {"zmq.Context.socket", "zmq.Context.instance.socket"}
    | {"zmq.asyncio.Context.socket", "zmq.asyncio.Context.instance.socket"}
)


def other_homes(builtin: str) -> frozenset[str]:
    """The modules besides `builtins` in which a builtin goes by its own name."""
    homes = (name.rpartition(".") for name, same in _SAME.items() if same == builtin)
    own = frozenset(home for home, _, last in homes if last == builtin)
    return own | OTHER_BUILTINS if builtin in BUILTINS else own


OTHER_BUILTINS = frozenset(
    name.rpartition(".")[2] for name, same in _SAME.items() if same == "builtins"
) - {"builtins"}
"""Attributes of modules that are `builtins` by another name."""
_HOLDING_BUILTINS = OTHER_BUILTINS | {"__builtins__", "f_builtins", "__self__"}


def spellings(module: str) -> frozenset[str]:
    """The attributes and variables that may be a module which others hold; none for others."""
    if module not in CARRIED:
        return NOTHING
    return frozenset({module, f"_{module}"}) | (
        _HOLDING_BUILTINS if module == "builtins" else NOTHING
    )


def attribute(base: str, attr: str) -> str:
    """The canonical name of an attribute of something named."""
    if attr == "__call__" and not base.endswith("()"):
        return base
    if attr == "parent" and base.removesuffix("()") in _PATHS and base.endswith("()"):
        return base  # a path as well
    if attr == UNKNOWN_ROOT and base.endswith("()") and "." not in base:
        return f"{base}.{attr}"  # what `max(items)` gives has nothing of the function
    base = base.removesuffix("()")
    if base in ("builtins", "__builtins__"):
        return attr if attr not in ("__dict__", UNKNOWN_ROOT) else f"builtins.{attr}"
    if attr in ("f_builtins", "__builtins__") or attr in OTHER_BUILTINS:
        return "builtins"
    if attr == "__self__" and base in BUILTINS:
        return "builtins"
    if attr == "__self__" and base.rpartition(".")[0] in CARRIED:  # of a function: its module
        return base.rpartition(".")[0]
    name = f"{base}.{attr}"
    if (same := _SAME.get(name)) is not None:
        return same
    plain = attr.strip("_")
    if (plain in CARRIED or _is_of_library(base, plain)) and _may_carry(base, name):
        return plain
    return name


def _is_of_library(base: str, attr: str) -> bool:
    return attr in CARRIED_BY_LIBRARY and base.partition(".")[0] in STDLIB


def is_of_library(name: str) -> bool:
    """Is it a module of the library, or what that holds, and nothing that a call gave?"""
    return "(" not in name and name.partition(".")[0] in STDLIB


def _may_carry(base: str, name: str) -> bool:
    if base.startswith(UNKNOWN_ROOT) or "(" in base or name in _REAL_SUBMODULES:
        return False
    return base.rpartition(".")[2] != name.rpartition(".")[2]  # socket.socket is a class


def imported(name: str) -> str:
    """The canonical name of something imported: `builtins.eval` is `eval`."""
    base, _, last = name.rpartition(".")
    return attribute(_SAME.get(base, base), last) if base else name


_PATHS = frozenset({"pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath"})
_PATH_METHODS = frozenset(
    {"joinpath", "resolve", "absolute", "expanduser", "with_name", "with_suffix", "with_stem"}
    | {"relative_to", "home", "cwd", "rename", "replace"}
)


def instance(name: str) -> str:
    """What a call of the name gives: something of its own kind."""
    base, _, last = name.rpartition(".")
    if base in _PATHS and last in _PATH_METHODS:
        return f"{base}()"
    return name if name == UNKNOWN_ROOT else f"{name}()"


def above(names: frozenset[str]) -> frozenset[str]:
    """What the `parents` of paths hold: more paths."""
    return frozenset(f"{path}()" for path in _PATHS if f"{path}.parents" in names)


HOLDING = (
    *("type.", "threading.local.", "types.SimpleNamespace.", "argparse.Namespace."),
    *("slice.", "property.", "staticmethod.", "classmethod."),
    *("StopIteration.", "SystemExit.", "ImportError.", "AttributeError.", "NameError."),
    *("OSError.", "SyntaxError."),
)
"""Things that hold whatever a program puts into them."""


def are_open(names: frozenset[str]) -> bool:
    """May it be nobody knows what: something of that, or of what a call gave?"""
    return not names or any(
        n[:1] == UNKNOWN_ROOT or "()" in n or n.startswith(HOLDING) for n in names
    )


def is_telling(name: str) -> bool:
    """Would it hide something to forget the name among many?"""
    return name in BUILTINS or name.partition(".")[0] in CARRIED


def instances(names: frozenset[str]) -> frozenset[str]:
    """Those of the names that are made by a call."""
    return frozenset(name for name in names if name.endswith("()"))
