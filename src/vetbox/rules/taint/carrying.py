"""How sure a flow is: certain through code that is known, likely through functions that are not."""

from collections.abc import Collection, Iterable
from typing import Final

import libcst as cst

from vetbox.findings import Confidence
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint import Flow
from vetbox.rules.taint.values import MAX_TRACE

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
)
"""Functions that give back what they are given, as it is or spelled otherwise."""


def sureness(flow: Flow, confidence: Confidence, facts: Facts) -> Confidence:
    """The confidence of a rule for one flow.

    A function that the file does not define may check what it is given, or give back something
    else: high becomes medium.
    """
    if confidence is not Confidence.HIGH:
        return confidence
    known = len(flow.stops) < MAX_TRACE and all(_is_known(call, facts) for call in _through(flow))
    return confidence if known else Confidence.MEDIUM


def _through(flow: Flow) -> Iterable[cst.Call]:
    """The calls that the data went through, other than to functions of the file."""
    source = flow.stops[0].node
    passed = (stop.node for stop in flow.stops[1:] if stop.note == "through this call")
    return (node for node in passed if isinstance(node, cst.Call) and node is not source)


def _is_known(call: cst.Call, facts: Facts) -> bool:
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in METHODS:
        return True
    return not FUNCTIONS.isdisjoint(_bare(facts.names(call.func)))


def _bare(names: Collection[str]) -> Collection[str]:
    return [name.removeprefix("builtins.") for name in names]
