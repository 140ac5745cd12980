"""Conditions on a constant: its length, entropy, bits and comparisons."""

import math
import operator
from collections import Counter
from collections.abc import Callable, Mapping

from vetbox.rules.language.values import Scalar

SCALARS: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "bytes": (bytes,),
    "int": (int,),
    "float": (float,),
    "number": (int, float),
    "bool": (bool,),
}
OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def same(value: object, wanted: Scalar) -> bool:
    """Equal, and both or neither a truth value: `1` is not `True` in a rule."""
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def is_kind(value: object, kinds: tuple[type, ...]) -> bool:
    """A truth value is no number."""
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def refuses_slowly(pattern: str, *, whole: bool) -> bool:
    """Does a regular expression take exponential time to refuse a text?"""
    from vetbox.rules.matching.backtracking import backtracks  # most scans never ask

    return backtracks(pattern, whole=whole)


def entropy(text: str) -> float:
    """Shannon entropy in bits per character."""
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts) if text else 0.0
