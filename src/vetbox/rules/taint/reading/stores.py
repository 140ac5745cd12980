"""Stores that are no variables: files, the environment of the process, standard output.

Each is read and changed as if it were a variable: `open("a.txt")` stands for `__files__["a.txt"]`.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Final

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.taints import Taints, union
from vetbox.rules.taint.data.values import CLEAN, NOT_KNOWN, Value, join
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.scope import Scope
from vetbox.rules.walk import identifier, last_word

ENVIRONMENTS: Final = ("os.environ", "environ")
"""The environment of the process, as it may be written."""
FILES: Final = "__files__"
PRINTED: Final = cst.Name("__printed__")
"""What standard output has got while it was led elsewhere."""
_OPENING = frozenset({"open"})
WRITING_METHODS: Final = frozenset({"write_text", "write_bytes"})
_OF_PATHS = WRITING_METHODS | {"read_text", "read_bytes"}
_MODULES = frozenset({"io", "codecs", "gzip", "bz2"})
_PATHS = frozenset({"Path", "PurePath", "PosixPath"})
_WRITING = frozenset("wax+")
_MODES = _WRITING | {"r"}


def file_meant(node: cst.BaseExpression, facts: Facts) -> cst.Subscript | None:
    """The place that stands for the file which a call opens, reads or writes."""
    match node:
        case cst.Call(func=cst.Name(value="open"), args=[cst.Arg(of, keyword=None), *_]):
            pass
        case cst.Call(func=cst.Attribute(value=of, attr=name)) if identifier(name) in _OF_PATHS:
            pass
        case cst.Call(func=cst.Attribute(value=of, attr=cst.Name("open")), args=args):
            is_of_module = not _MODULES.isdisjoint(facts.names(of))
            of = args[0].value if args and is_of_module else of
        case _:
            return None
    key = _key(of, facts)
    if key is None:
        return None
    index = cst.Index(cst.SimpleString(repr(key)))
    return cst.Subscript(cst.Name(FILES), [cst.SubscriptElement(index)])


def is_written(node: cst.BaseExpression) -> bool:
    """Is it a call that opens a file to write into it?"""
    return not _WRITING.isdisjoint(_mode(node))


def _is_only_written(node: cst.BaseExpression) -> bool:
    return is_written(node) and "+" not in _mode(node)


def _mode(node: cst.BaseExpression) -> str:
    """The mode in which a call opens a file, quotes and all; empty where it says none."""
    if not isinstance(node, cst.Call) or last_word(node.func) not in _OPENING:
        return ""
    texts = (arg.value.value for arg in node.args if isinstance(arg.value, cst.SimpleString))
    short = [text for text in texts if len(text) <= len("'wb+'")]
    return next((text for text in reversed(short) if not _MODES.isdisjoint(text)), "")


def read_back(
    node: cst.Call,
    names: Collection[str],
    given: Sequence[Value],
    facts: Facts,
    scope: Scope,
) -> Sequence[Value]:
    """What a call reads that the function has put into a file, or any into the environment."""
    if given and "os.getenv" in names:
        return [one.item(given[0].constant) for one in _environments(scope)]
    written = scope.env.get(FILES)
    nothing_written = written is None and not scope.shared(FILES).items
    if nothing_written or _is_only_written(node):
        return ()
    place = file_meant(node, facts)
    key = None if place is None else key_of(place)
    if place is None or key is None:
        return ()
    if written is not None and key in (written.items or {}):
        return [scope.held(place) or CLEAN]
    known = known_to_all(key, scope.owner)
    return () if known is UNKNOWN else [scope.shared(FILES).item(known)]


def key_of(place: cst.Subscript) -> str | None:
    """The name of a file, of the place that stands for it."""
    match place.slice:
        case [cst.SubscriptElement(slice=cst.Index(cst.SimpleString() as name))]:
            return str(name.evaluated_value)
    return None


def known_to_all(key: str, owner: str | None) -> Hashable:
    """The name of a file for all functions; UNKNOWN where each may mean another one by it."""
    variable = key.removeprefix("$")
    if variable == key or variable.isupper():
        return key
    is_field = owner is not None and variable.startswith("self.")
    return f"{owner}.{variable}" if is_field else UNKNOWN


def of_all(files: Value, owner: str | None) -> Value:
    """What is put into files that other functions may read."""
    named = ((known_to_all(str(key), owner), held) for key, held in (files.items or {}).items())
    return Value(items={**NOT_KNOWN, **{key: one for key, one in named if key is not UNKNOWN}})


def put_into_file(place: cst.Subscript, value: Value, scope: Scope, *, is_new: bool) -> None:
    """Something is written into a file."""
    scope.env.values.setdefault(FILES, Value(items={}))
    scope.put(place, value if is_new else join(scope.held(place) or CLEAN, value))


def _environments(scope: Scope) -> Iterator[Value]:
    """The environment, as far as the module has put something into it."""
    for path in ENVIRONMENTS:
        for held in (scope.env.get(path), scope.shared(path)):
            if held is not None and held.all_taints:
                yield held


def as_table(path: str | None, receiver: Value) -> Value:
    """The environment is a table of which nothing is known before something is put there."""
    is_new = path in ENVIRONMENTS and receiver.items is None
    return Value(receiver.taints, items=NOT_KNOWN) if is_new else receiver


def print_into(taints: Taints, scope: Scope) -> None:
    """Something is printed: into the buffer that standard output is led to, or for the callers."""
    if taints and PRINTED.value in scope.env.values:
        scope.add(PRINTED, taints)
    elif taints:
        scope.summary.printed = union(scope.summary.printed, taints)


def redirected(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The buffer that `redirect_stdout(buffer)` leads standard output to."""
    match node:
        case cst.Call(func=func, args=[cst.Arg(buffer)]) if last_word(func) == "redirect_stdout":
            return buffer
    return None


def attribute_meant(
    target: cst.Subscript, key: Callable[[cst.Subscript], Value]
) -> cst.Attribute | None:
    """`x.name` of `x.__dict__["name"]` and `vars(x)["name"]`."""
    match target.value:
        case cst.Attribute(value=of, attr=cst.Name(value="__dict__")):
            pass
        case cst.Call(func=cst.Name(value="vars"), args=[cst.Arg(of)]):
            pass
        case _:
            return None
    name = key(target).constant
    return cst.Attribute(of, cst.Name(name)) if isinstance(name, str) else None


def _key(of: cst.BaseExpression, facts: Facts) -> str | None:
    """A name for a file: its path where that is known, else the variable that has it."""
    behind = facts.behind(of)
    match behind if isinstance(behind, cst.Call) else of:
        case cst.Call(func=func, args=[cst.Arg(inner)]) if last_word(func) in _PATHS:
            of = inner
    known, variable = facts.constant(of), path_of(of)
    if isinstance(known, str):
        return known
    return None if variable is None else f"${variable}"


def update_of(node: cst.AugAssign) -> cst.Call | None:
    """`x.__dict__.update(more)` for `x.__dict__ |= more`."""
    match node:
        case cst.AugAssign(
            target=cst.Attribute(attr=cst.Name("__dict__")) as of, operator=cst.BitOrAssign()
        ):
            return cst.Call(cst.Attribute(of, cst.Name("update")), [cst.Arg(node.value)])
    return None
