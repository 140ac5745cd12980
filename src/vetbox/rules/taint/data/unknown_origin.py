"""Data of unknown origin: the taint OPEN, and the library functions that add none of it.

What nothing is known of carries OPEN, if a rule asks whether all of a value is known; it is no
rule's source, and goes the ways that data goes.
"""

from collections.abc import Collection, Hashable
from dataclasses import replace
from typing import Final

import libcst as cst

from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.taints import Taint, Trace, union
from vetbox.rules.taint.data.values import Value

METHODS: Final = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase"}
    | {"format", "format_map", "join", "replace", "decode", "encode", "split", "rsplit", "zfill"}
    | {"splitlines", "partition", "rpartition", "removeprefix", "removesuffix", "ljust", "rjust"}
    | {"get", "getlist", "getall", "get_all", "pop", "items", "values", "keys", "copy", "to_dict"}
    | {"read", "readline", "readlines", "getvalue", "json", "joinpath", "expanduser", "absolute"}
    | {"resolve", "with_suffix", "with_name", "as_posix", "__getitem__", "setdefault", "getfirst"}
)
"""Methods that give back their object, or a part of it, whoever defines them."""
FUNCTIONS: Final = frozenset(
    {"str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset", "sorted", "next"}
    | {"reversed", "repr", "format", "enumerate", "zip", "map", "filter", "iter", "max", "min"}
    | {"os.path.join", "os.path.expanduser", "os.path.expandvars", "os.path.abspath", "os.fspath"}
    | {"os.path.normpath", "os.path.realpath", "os.fsdecode", "os.fsencode", "pathlib.Path"}
    | {"pathlib.PurePath", "pathlib.PosixPath", "json.loads", "json.load", "typing.cast"}
    | {"urllib.parse.unquote", "urllib.parse.unquote_plus", "urllib.parse.urljoin"}
    | {"urllib.parse.parse_qs", "urllib.parse.parse_qsl", "urllib.parse.urlparse", "html.unescape"}
    | {"urllib.parse.urlsplit", "base64.b64decode", "base64.urlsafe_b64decode", "base64.b32decode"}
    | {"base64.decodebytes", "binascii.unhexlify", "binascii.a2b_base64", "zlib.decompress"}
    | {"gzip.decompress", "io.StringIO", "io.BytesIO", "copy.copy", "copy.deepcopy"}
    | {"textwrap.dedent", "shlex.split", "shlex.join", "string.Template", "compile", "ast.parse"}
    | {"struct.unpack", "struct.unpack_from"}
)
"""Functions that give back what they are given, as it is or spelled otherwise."""

OPEN: Final = "open"
"""The kind of what nothing is known of."""
_NOWHERE = cst.Name("unknown")
_OPEN_TAINT = Taint(OPEN, _NOWHERE, Trace(_NOWHERE, "unknown"))
OPEN_VALUE: Final = Value({_OPEN_TAINT.key: _OPEN_TAINT})

_OWN_MODULES = frozenset(
    {"ast", "base64", "binascii", "collections", "configparser", "contextvars", "copy", "csv"}
    | {"dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "hashlib", "hmac"}
    | {"html", "itertools", "json", "math", "operator", "queue", "random", "re", "secrets", "shlex"}
    | {"string", "struct", "textwrap", "time", "types", "urllib.parse", "uuid", "zlib"}
)
"""Modules whose functions look at nothing but what they are given, the clock and dice."""
_OWN_FUNCTIONS = frozenset(
    {"range", "slice", "sum", "bin", "hex", "oct", "ascii", "pow", "vars", "memoryview"}
    | {"object", "super"}
)
_READING = frozenset(
    {"read_text", "read_bytes", "open", "iterdir", "glob", "rglob", "readlink", "stat", "owner"}
)
"""Methods of a path that give what its file holds."""
LOADING: Final = frozenset({"read", "read_file", "load"})
"""Methods that may put what a file holds into their object."""


def bare(names: Collection[str]) -> Collection[str]:
    """The names, those of builtins without their module."""
    return [name.removeprefix("builtins.") for name in names]


def makes_its_own(names: Collection[str]) -> bool:
    """Does the function of these names give nothing but what it is given, or makes itself?"""
    return bool(names) and all(
        name in FUNCTIONS
        or name in _OWN_FUNCTIONS
        or any(name.startswith(f"{module}.") for module in _modules_of(name))
        for name in bare(names)
    )


def _modules_of(name: str) -> Collection[str]:
    first, _, rest = name.partition(".")
    return _OWN_MODULES & {first, f"{first}.{rest.partition('.')[0]}"}


def reads(node: cst.Call) -> bool:
    """Does the call, of a method of something known, look further?"""
    return not isinstance(node.func, cst.Attribute) or node.func.attr.value in _READING


def closed(value: Value) -> Value:
    """The value, as if all of it were known."""
    taints = {key: taint for key, taint in value.taints.items() if taint.kind != OPEN}
    return value if len(taints) == len(value.taints) else Value(taints)


def in_doubt(value: Value, unknown: Value) -> Value:
    """The value, which may be another than the one that is known."""
    return replace(value, taints=union(value.taints, unknown.taints)) if unknown.taints else value


def read_at(container: Value, key: object, unknown: Value) -> Value:
    """What is at a key; what is read from a table and was put there nowhere is in doubt."""
    held = container.item(key)
    if not container.is_table or key is UNKNOWN:
        return held
    is_put = isinstance(key, Hashable) and key in (container.items or {})
    return held if is_put else in_doubt(held, unknown)
