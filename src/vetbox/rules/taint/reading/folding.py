"""Constant folding of operators and of text formatting."""

import operator
import re
from collections.abc import Callable, Hashable, Sequence
from itertools import count
from string import Formatter
from typing import Any, TypeAlias

import libcst as cst

from vetbox.rules.numbers import numeric_places
from vetbox.rules.resolve.computing import MAX_NUMBER
from vetbox.rules.taint.data.keys import ANY_KEY, UNKNOWN
from vetbox.rules.taint.data.values import CLEAN, Value, mixed
from vetbox.rules.taint.reading.container_builtins import Given

Read: TypeAlias = Callable[[Value, str], Value]
MAX_TEXT = 10_000
"""Longer constants are not folded."""
_MAX_BASE, _MAX_EXPONENT = 1_000, 16


def _power(base: Any, exponent: Any) -> object:
    """`2 ** 10`; of small numbers only, as others take long."""
    if abs(base) > _MAX_BASE or not 0 <= exponent <= _MAX_EXPONENT:
        raise ValueError
    return base**exponent


_FOLDS: dict[type[cst.CSTNode], Callable[[Any, Any], object]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Divide: operator.truediv,
    cst.Power: _power,
    cst.BitAnd: operator.and_,
    cst.BitOr: operator.or_,
    cst.BitXor: operator.xor,
    cst.RightShift: operator.rshift,
    cst.AddAssign: operator.add,
    cst.SubtractAssign: operator.sub,
    cst.MultiplyAssign: operator.mul,
}
_COMPARES: dict[type[cst.CSTNode], Callable[[Any, Any], object]] = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
    cst.In: lambda item, container: item in container,
    cst.NotIn: lambda item, container: item not in container,
    cst.Is: operator.is_,
    cst.IsNot: operator.is_not,
}
NUMBERS = (int, float)
_TEXT_METHODS = frozenset(
    {"upper", "lower", "strip", "lstrip", "rstrip", "title", "capitalize", "casefold", "swapcase"}
    | {"startswith", "endswith", "isdigit", "isalpha", "isalnum", "removeprefix", "removesuffix"}
    | {"find", "count", "isupper", "islower"}
)
_BUILTINS: dict[str, Callable[[Any], object]] = {
    "abs": abs, "bool": bool, "float": float, "int": int, "len": len, "ord": ord, "round": round,
}  # fmt: skip
_MEMBERSHIPS = frozenset({cst.In, cst.NotIn})
_PLACEHOLDER = re.compile(r"\$(?:\$|(\w+)|\{(\w+)\})")
_NAMED = re.compile(r"[^.\[]*")
_READ = re.compile(r"\.([^.\[]+)|\[([^\]]+)\]")
_NAMED_PLACE = re.compile(r"%(?:%|\((\w*)\)|)")


def fold(operation: type[cst.CSTNode], left: Value, right: Value) -> object:
    """The operator's result on small constants of one kind."""
    operate, a, b = _FOLDS.get(operation), left.constant, right.constant
    both_text = isinstance(a, str) and isinstance(b, str) and len(a) + len(b) <= MAX_TEXT
    both_numbers = isinstance(a, NUMBERS) and isinstance(b, NUMBERS)
    if operate is None or not (both_numbers or (both_text and operate is operator.add)):
        return UNKNOWN
    try:
        return _if_small(operate(a, b))
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN


def _if_small(result: object) -> object:
    return UNKNOWN if isinstance(result, int) and abs(result) > MAX_NUMBER else result


def call_of_builtin(name: str, given: Sequence[Value]) -> object:
    """What `abs(-3)` gives, and `int("3")`."""
    compute = _BUILTINS.get(name) if len(given) == 1 else None
    if compute is None or not isinstance(given[0].constant, (str, *NUMBERS)):
        return UNKNOWN
    try:
        return _if_small(compute(given[0].constant))
    except (TypeError, ValueError, OverflowError):
        return UNKNOWN


def call_of_text(text: object, name: str, given: Sequence[Value]) -> object:
    """What a method of a text gives that is given what is known."""
    constants = [value.constant for value in given]
    known = isinstance(text, str) and UNKNOWN not in constants
    if not known or name not in _TEXT_METHODS or len(str(text)) > MAX_TEXT:
        return UNKNOWN
    try:
        return getattr(text, name)(*constants)
    except (TypeError, ValueError):
        return UNKNOWN


def compare(operation: type[cst.CSTNode], left: Value, right: Value) -> object:
    """Whether a comparison holds between two constants."""
    holds = _COMPARES.get(operation)
    other = _elements(right) if operation in _MEMBERSHIPS else right.constant
    if holds is None or left.constant is UNKNOWN or other is UNKNOWN:
        return UNKNOWN
    try:
        return bool(holds(left.constant, other))
    except TypeError:
        return UNKNOWN


def _elements(container: Value) -> object:
    """What may be found in a container, if all of it is known."""
    keys = _keys(container)
    if keys is not None:
        return keys
    parts = None if container.taints else container.parts
    constants = [one.constant for one in parts or ()]
    return container.constant if parts is None or UNKNOWN in constants else constants


def _keys(table: Value) -> list[Hashable] | None:
    """Those of a table that is known in full."""
    if not table.is_table or table.taints or ANY_KEY in (table.items or {}):
        return None
    return [*(table.items or {})]


def after_format(of: Value, given: Given, read: Read) -> Value | None:
    """What `text.format(…)` holds of what it is given: what it names; None: that is not known.

    `read` gives what an attribute of an object holds, as of `{0.name}`.
    """
    text, spread = of.constant, _spread(given)
    if not isinstance(text, str) or spread is None:
        return None
    plain = [value for kind, value in spread if not kind]
    known = {str(place): value for place, value in enumerate(plain)} | dict(spread)
    try:
        places = [(name, spec) for _, name, spec, _ in Formatter().parse(text) if name is not None]
    except ValueError:
        return None
    if any("{" in (spec or "") for _, spec in places):
        return None
    following = count()
    found = [of]
    for name, _ in places:
        first = _NAMED.match(name)[0]  # type: ignore[index]
        value = known.get(first or str(next(following)), CLEAN)
        for attribute, key in _READ.findall(name[len(first) :]):
            value = read(value, attribute) if attribute else _at(value, key)
        found.append(value)
    return mixed(found)


def _at(value: Value, key: str) -> Value:
    """What `{0[key]}` reads."""
    return value.item(int(key) if key.isdecimal() else key)


def after_substitute(of: Value, given: Given) -> Value | None:
    """What `Template(text).substitute(…)` holds of what it is given: what `text` names."""
    text, spread = (
        of.constant,
        _spread([("**", one) if not kind else (kind, one) for kind, one in given]),
    )
    if not isinstance(text, str) or spread is None:
        return None
    names = [found[1] or found[2] for found in _PLACEHOLDER.finditer(text)]
    return mixed([of, *(value for kind, value in spread if kind in names)])


def _spread(given: Given) -> list[tuple[str, Value]] | None:
    """The arguments with each that a splat stands for; None where these are not known."""
    found: list[tuple[str, Value]] = []
    for kind, value in given:
        parts, keys = value.parts, _keys(value)
        if kind == "*" and parts is not None and not value.taints:
            found += (("", part) for part in parts)
        elif kind == "**" and keys is not None:
            found += ((str(key), value.item(key)) for key in keys)
        elif kind in ("*", "**"):
            return None
        else:
            found.append((kind, value))
    return found


def after_percent(text: object, given: Value) -> Value:
    """What `text % given` holds of what is given: nothing of what stands for a number."""
    numeric = numeric_places(text)
    if numeric and all(numeric):
        return CLEAN
    if isinstance(text, str) and given.is_table:
        return _of_names(text, given)
    exact = given.items is not None and given.is_sequence and len(given.items) == len(numeric)
    if not exact:
        return given
    parts = [given.item(place) for place, number in enumerate(numeric) if not number]
    return mixed([Value(given.taints), *parts])


def _of_names(text: str, given: Value) -> Value:
    """What `text % table` holds of the table: what it names."""
    names = [found.group(1) for found in _NAMED_PLACE.finditer(text) if found.group() != "%%"]
    if None in names or not all(map(given.has, names)):
        return given
    return mixed([Value(given.taints), *map(given.item, names)])
