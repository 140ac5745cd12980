"""Objects: what the attributes of those hold that are made of a class of the module."""

from collections.abc import Hashable, Iterator, Mapping

import libcst as cst

from vetbox.rules.patterns.tree import flat_statements
from vetbox.rules.taint.environment import path_of
from vetbox.rules.taint.values import CLEAN, Value
from vetbox.rules.walk import identifier

_RECORDS = frozenset(
    {"dataclass", "NamedTuple", "BaseModel", "define", "frozen", "TypedDict", "attrs", "s"}
    | {"mutable"}
)

_LISTINGS = frozenset({"Enum", "StrEnum", "IntEnum", "Flag", "IntFlag", "TextChoices"})


def by_receiver(call: cst.Call) -> cst.Call:
    """The call of the constructor that making an object is: the first parameter is the object."""
    return cst.Call(cst.Attribute(call.func, cst.Name("__init__")), call.args)


def recorded(made: cst.ClassDef, call: cst.Call, arguments: Mapping[int, Value]) -> Value | None:
    """The object of a record, or of a class that is given nothing; None for any other."""
    if _is_listing(made):
        return CLEAN
    if not call.args and is_whole(made):
        return Value(items={}, is_object=True)
    if not _is_record(made) or any(arg.star for arg in call.args):
        return None
    if made.bases and not all(map(_is_record_base, made.bases)):
        return None  # of more fields than are written here
    names = [*_fields(made)]
    items: dict[Hashable, Value] = {}
    if len(call.args) > len(names):
        return None
    for place, arg in enumerate(call.args):
        key = names[place] if arg.keyword is None else identifier(arg.keyword)
        items[key] = arguments.get(id(arg.value), CLEAN)
    return Value(items=items, is_object=True)


def attributes(values: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """What a constructor has put into the attributes of the object itself."""
    for path, value in values.items():
        base, _, name = path.rpartition(".")
        if base == "self":
            yield name, value


def _is_listing(made: cst.ClassDef) -> bool:
    """Is it an enumeration, whose objects are those that the program has written down?"""
    return any((path_of(base.value) or "").rpartition(".")[2] in _LISTINGS for base in made.bases)


def is_whole(made: cst.ClassDef) -> bool:
    """Is all that its objects hold written in the class?"""
    return not made.bases and not made.keywords and not made.decorators


def _is_record_base(base: cst.Arg) -> bool:
    return (path_of(base.value) or "").rpartition(".")[2] in _RECORDS


def _is_record(made: cst.ClassDef) -> bool:
    decorators = (one.decorator for one in made.decorators)
    called = (one.func if isinstance(one, cst.Call) else one for one in decorators)
    paths = (path_of(node) for node in (*called, *(base.value for base in made.bases)))
    return any((path or "").rpartition(".")[2] in _RECORDS for path in paths)


def _fields(made: cst.ClassDef) -> Iterator[str]:
    for statement in flat_statements(made.body.body):
        if isinstance(statement, cst.AnnAssign) and isinstance(statement.target, cst.Name):
            yield identifier(statement.target)
