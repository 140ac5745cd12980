"""Objects of the module's classes: what their attributes hold, by constructor or by type."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.tree import flat_statements
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.data.values import CLEAN, Value, stream
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.walk import identifier

_RECORDS = frozenset(
    {"dataclass", "NamedTuple", "BaseModel", "define", "frozen", "TypedDict", "attrs", "s"}
    | {"mutable"}
)

_HARMLESS = frozenset(
    {"int", "float", "bool", "complex", "Decimal", "UUID", "UUID1", "UUID3", "UUID4", "UUID5"}
    | {"date", "datetime", "time", "timedelta", "None", "PositiveInt", "NonNegativeInt"}
    | {"PositiveFloat", "NonNegativeFloat", "StrictInt", "StrictBool", "StrictFloat"}
)
"""Types whose values nobody can write anything in."""
_ANYTHING = cst.Name("object")
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "tuple", "Tuple"})
_DEPTH = 3
"""Records in records that are looked at."""
_ROWS = frozenset({"Model", "SQLModel", "Document", "EmbeddedDocument", "Base", "DeclarativeBase"})
"""Bases whose objects are made of their fields by name."""
_REGEXES = frozenset({"pattern", "regex"})
_LISTINGS = frozenset({"Enum", "StrEnum", "IntEnum", "Flag", "IntFlag", "TextChoices"})


def by_receiver(call: cst.Call) -> cst.Call:
    """The call of `__init__` behind a constructor call: the new object is its receiver."""
    return cst.Call(cst.Attribute(call, cst.Name("__init__")), call.args)


def recorded(made: cst.ClassDef, call: cst.Call, arguments: Mapping[int, Value]) -> Value | None:
    """The object of a record, or of a class that is given nothing; None for any other."""
    if _is_listing(made):
        return CLEAN
    if not call.args and _is_whole(made):
        return Value(items={}, is_object=True)
    if any(arg.star for arg in call.args):
        return None
    if call.args and all(arg.keyword for arg in call.args) and _is_row(made):
        return recorded_as([""] * len(call.args), call, arguments)
    if not _is_record(made):
        return None
    if made.bases and not all(map(_is_record_base, made.bases)):
        return None  # of more fields than are written here
    is_tuple = any(_last(base.value) == "NamedTuple" for base in made.bases)
    record = recorded_as([*fields_of(made)], call, arguments, is_tuple=is_tuple)
    good = [one.name for one in _annotated(made) if _is_converted(one.default)]
    if record is None or not good:
        return record
    return replace(record, items={**(record.items or {}), **dict.fromkeys(good, CLEAN)})


def recorded_as(
    names: Sequence[str],
    call: cst.Call,
    arguments: Mapping[int, Value],
    *,
    is_tuple: bool = False,
) -> Value | None:
    """The object of a record with such fields; None where they are given otherwise."""
    items: dict[Hashable, Value] = dict.fromkeys(names, CLEAN) if is_tuple else {}
    if len(call.args) > len(names) or any(arg.star for arg in call.args):
        return None
    for place, arg in enumerate(call.args):
        key = names[place] if arg.keyword is None else identifier(arg.keyword)
        items[key] = arguments.get(id(arg.value), CLEAN)
    return Value(items=items, is_object=True, is_sequence=is_tuple)


def fields_of_tuple(made: cst.BaseExpression | None, facts: Facts) -> Sequence[str] | None:
    """The fields of `namedtuple("Name", "a b")`."""
    match made:
        case cst.Call(
            func=cst.Name(value="namedtuple") | cst.Attribute(attr=cst.Name(value="namedtuple")),
            args=[_, cst.Arg(value=listed), *_],
        ):
            written = facts.constant(listed)
            if isinstance(written, str):
                return written.replace(",", " ").split()
            if isinstance(listed, (cst.List, cst.Tuple)):
                named = [facts.constant(element.value) for element in listed.elements]
                return [str(name) for name in named]
    return None


def typed(
    made: cst.ClassDef,
    value: Value,
    class_of: Callable[[cst.BaseExpression], cst.ClassDef | None],
    depth: int = _DEPTH,
) -> Value:
    """What is given for a record: nothing is in those of its fields that are numbers and such.

    Nor in those of a record that is in a field. What is no more than a constructor is one as well.
    """
    fields = [*(_annotated(made) if is_record(made) else _constructed(made))]
    told = {
        one
        for one in fields
        if is_harmless(one.annotation)
        or _has_regex(one.default)
        or ((listed := class_of(one.annotation)) is not None and _is_listing(listed))
    }
    good = {one.name for one in told} - {one.name for one in fields if one not in told}
    held = {
        one.name: found
        for one in (fields if depth else ())
        if one.name not in good
        and (found := _in_field(one, value, class_of, depth - 1)) is not None
    }
    if not good and not held:
        return value
    items: dict[Hashable, Value] = {
        one.name: CLEAN if one.name in good else held.get(one.name) or value.attribute(one.name)
        for one in fields
    }
    return Value(items=items, is_object=True)


def _in_field(
    field: "_Field",
    value: Value,
    class_of: Callable[[cst.BaseExpression], cst.ClassDef | None],
    depth: int,
) -> Value | None:
    """What a field holds that is a record, or a list of them; None where nothing is known."""
    inner = value.attribute(field.name)
    match field.annotation:
        case cst.Subscript(
            value=outer, slice=[cst.SubscriptElement(slice=cst.Index(annotation))]
        ) if _last(outer) in _LISTS:
            of = class_of(annotation)
            found = None if of is None else typed(of, inner.element(), class_of, depth)
            return stream(found) if found is not None and found.is_object else None
    of = class_of(field.annotation)
    found = None if of is None else typed(of, inner, class_of, depth)
    return found if found is not None and found.is_object else None


def is_harmless(annotation: cst.BaseExpression) -> bool:
    """Is what it says of values that they are numbers, dates, one of those written there?

    Or that all of them fit a regex: `constr(pattern=…)`, `Annotated[str, Field(pattern=…)]`.
    """
    match annotation:
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            return is_harmless(left) and is_harmless(right)
        case cst.Subscript(
            value=outer, slice=[cst.SubscriptElement(slice=cst.Index(inner)), *rest]
        ):
            last = _last(outer)
            if last == "Annotated" and any(map(_fits_regex, rest)):
                return True
            return last == "Literal" or (last in ("Optional", "Annotated") and is_harmless(inner))
        case cst.Call(func=made):
            return _last(made) == "constr" and _has_regex(annotation)
    return _last(annotation) in _HARMLESS


def object_of(receiver: cst.BaseExpression) -> cst.BaseExpression:
    """The object whose method is called: of `super()` it is the object itself."""
    match receiver:
        case cst.Call(func=cst.Name(value="super")):
            return cst.Name("self")
    return receiver


def attributes(values: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """What a constructor has put into the attributes of the object itself."""
    for path, value in values.items():
        base, _, name = path.rpartition(".")
        if base == "self":
            yield name, value


def _is_listing(made: cst.ClassDef) -> bool:
    """Is it an enumeration, whose objects are those that the program has written down?"""
    return any(_last(base.value) in _LISTINGS for base in made.bases)


def _is_whole(made: cst.ClassDef) -> bool:
    """Is all that its objects hold written in the class?"""
    return not made.bases and not made.keywords and not made.decorators


def _is_row(made: cst.ClassDef) -> bool:
    """Is it a row of a table, made of its fields by name?"""
    return any(_last(base.value) in _ROWS for base in made.bases)


def _is_record_base(base: cst.Arg) -> bool:
    return _last(base.value) in _RECORDS


def _is_record(made: cst.ClassDef) -> bool:
    decorators = (one.decorator for one in made.decorators)
    called = (one.func if isinstance(one, cst.Call) else one for one in decorators)
    return any(_last(node) in _RECORDS for node in (*called, *(base.value for base in made.bases)))


def is_record(made: cst.ClassDef) -> bool:
    """Is it a record all of whose fields are written in its class?"""
    return _is_record(made) and all(map(_is_record_base, made.bases))


def fields_of(made: cst.ClassDef) -> Iterator[str]:
    """The fields that a class writes down with their types."""
    return (one.name for one in _annotated(made))


def matched_fields(made: cst.ClassDef) -> Sequence[str]:
    """The attributes that the patterns of `case C(a, b)` are asked of."""
    for statement in flat_statements(made.body.body):
        match statement:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Name("__match_args__"))],
                value=cst.Tuple(elements=parts) | cst.List(elements=parts),
            ):
                texts = [one.value for one in parts if isinstance(one.value, cst.SimpleString)]
                return [str(one.evaluated_value) for one in texts]
    return [*fields_of(made)] if _is_record(made) else []


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    name: str
    annotation: cst.BaseExpression
    default: cst.BaseExpression | None


def _annotated(made: cst.ClassDef) -> Iterator[_Field]:
    for statement in flat_statements(made.body.body):
        if isinstance(statement, cst.AnnAssign) and isinstance(statement.target, cst.Name):
            name = identifier(statement.target)
            yield _Field(name, statement.annotation.annotation, statement.value)


def _constructed(made: cst.ClassDef) -> Iterator[_Field]:
    """What the constructor puts into attributes, if it is all that the class has."""
    functions = [one for one in made.body.body if isinstance(one, cst.FunctionDef)]
    if made.bases or [identifier(one.name) for one in functions] != ["__init__"]:
        return
    given = {identifier(one.name): one.annotation for one in functions[0].params.params}
    for statement in flat_statements(functions[0].body.body):
        match statement:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Attribute(cst.Name("self"), cst.Name() as name))],
                value=value,
            ):
                said = given.get(identifier(value)) if isinstance(value, cst.Name) else None
                yield _Field(identifier(name), said.annotation if said else _ANYTHING, None)


def _is_converted(default: cst.BaseExpression | None) -> bool:
    """Is it `field(converter=int)`, or `field(validator=in_(["a", "b"]))`?"""
    return any(map(_converts, default.args if isinstance(default, cst.Call) else ()))


def _converts(arg: cst.Arg) -> bool:
    match arg:
        case cst.Arg(keyword=cst.Name("converter"), value=made):
            return _last(made) in _HARMLESS
        case cst.Arg(keyword=cst.Name("validator"), value=cst.Call(func=asks)):
            return _last(asks) == "in_"
    return False


def _has_regex(default: cst.BaseExpression | None) -> bool:
    """Is it `Field(pattern=…)`, which all of a value has to fit?"""
    args = default.args if isinstance(default, cst.Call) else ()
    return any(arg.keyword is not None and arg.keyword.value in _REGEXES for arg in args)


def _fits_regex(part: cst.SubscriptElement) -> bool:
    """What is said of a type beside it: `Field(pattern=…)`, `StringConstraints(pattern=…)`."""
    return isinstance(part.slice, cst.Index) and _has_regex(part.slice.value)


def _last(node: cst.BaseExpression) -> str:
    return (path_of(node) or "").rpartition(".")[2]
