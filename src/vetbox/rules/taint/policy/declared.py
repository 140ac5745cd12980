"""Declared types: form fields and command line arguments that hold numbers and the like.

`parser.add_argument("page", type=int)` and `year = IntegerField()` in a form; what is filled in is
read with `parse_args()`, as `cleaned_data`, or by `load()` of a schema.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import libcst as cst

from vetbox.rules.patterns.tree import block_of, preorder
from vetbox.rules.taint.data.keys import ELEMENT
from vetbox.rules.taint.data.values import CLEAN, MAX_ITEMS, Value
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.walk import identifier, last_word

_READING = frozenset({"parse_args", "parse_known_args"})
_FILLED_IN = frozenset({"cleaned_data", "validated_data"})
_TYPES = frozenset({"int", "float", "bool", "Decimal", "UUID", "date", "datetime", "positive"})
_SCHEMA = re.compile(r"(?i)schema$")
_KINDS = frozenset(
    {"Integer", "Int", "Float", "Decimal", "Boolean", "Bool", "UUID", "Date", "DateTime", "Time"}
)
"""Fields of a schema of marshmallow's."""
_FIELDS = frozenset(
    {"IntegerField", "FloatField", "DecimalField", "BooleanField", "DateField", "DateTimeField"}
    | {"TimeField", "DurationField", "UUIDField", "ChoiceField", "TypedChoiceField"}
    | {"NullBooleanField", "MultipleChoiceField", "ModelChoiceField", "GenericIPAddressField"}
)


def declared_in(suites: Iterable[cst.BaseSuite | cst.Module]) -> frozenset[str]:
    """The names of which every declaration says that no text is in them but the program's own."""
    told: set[str] = set()
    open_: set[str] = set()
    for statement in chain.from_iterable(preorder(block_of(one)) for one in suites):
        for name, is_told in _declared(statement):
            (told if is_told else open_).add(name)
    return frozenset(told - open_)


_READ = frozenset({cst.Call, cst.Attribute})


def is_filled_in(node: cst.BaseExpression) -> bool:
    """Is it what somebody has filled in, read as the program has declared it?"""
    if type(node) not in _READ:
        return False
    match node:
        case cst.Call(func=cst.Attribute(value=schema, attr=cst.Name("load"))):
            made = schema.func if isinstance(schema, cst.Call) else schema
            return bool(_SCHEMA.search((path_of(made) or "").rpartition(".")[2]))
        case cst.Call(func=cst.Attribute(attr=attr)):
            return identifier(attr) in _READING
        case cst.Attribute(attr=attr):
            return identifier(attr) in _FILLED_IN
    return False


def as_declared(value: Value, names: frozenset[str]) -> Value:
    """What is filled in: nothing is under the names that are declared to hold no text."""
    if not names or len(names) >= MAX_ITEMS:
        return value
    return Value(items={ELEMENT: Value(value.all_taints), **dict.fromkeys(sorted(names), CLEAN)})


def _declared(node: cst.CSTNode) -> Iterator[tuple[str, bool]]:
    match node:
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(attr=cst.Name(value="add_argument")),
                args=[cst.Arg(value=cst.SimpleString() as flag), *_] as args,
            )
        ):
            name = str(flag.evaluated_value).lstrip("-").replace("-", "_")
            yield name, any(map(_is_typed, args))
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Name() as name)],
            value=cst.Call(
                func=cst.Attribute(value=cst.Name("fields"), attr=cst.Name(kind)), args=args
            ),
        ) if not kind.endswith("Field"):
            yield identifier(name), kind in _KINDS or any(map(_is_one_of, args))
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Name() as name)], value=cst.Call(func=func)
        ):
            made = last_word(func)
            if made.endswith("Field"):
                yield identifier(name), made in _FIELDS


def _is_one_of(arg: cst.Arg) -> bool:
    """Is it `validate=OneOf(["a", "b"])`?"""
    match arg:
        case cst.Arg(keyword=cst.Name("validate"), value=cst.Call(func=func, args=[listed, *_])):
            written = isinstance(listed.value, (cst.List, cst.Tuple, cst.Set))
            return written and (path_of(func) or "").rpartition(".")[2] == "OneOf"
    return False


def _is_typed(arg: cst.Arg) -> bool:
    """Is it `type=int`, or `choices=("a", "b")`?"""
    match arg:
        case cst.Arg(keyword=cst.Name(value="type"), value=cst.Name() | cst.Attribute() as kind):
            return last_word(kind) in _TYPES
        case cst.Arg(keyword=cst.Name(value="choices"), value=cst.List() | cst.Tuple() as listed):
            return all(isinstance(one.value, cst.SimpleString) for one in listed.elements)
    return False
