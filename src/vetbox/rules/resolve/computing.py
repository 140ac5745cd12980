"""Computing constants within bounds: no result may be large, and nothing is run that could be."""

import base64
import binascii
import codecs
import re
import stat
import string
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

MAX_SIZE = 10_000
"""Characters, bytes or elements; longer constants are not worked out."""
MAX_NUMBER = 10**30
MAX_WORK = 1_000_000
"""Characters that may be written while one result is computed."""


class Unfoldable(Exception):
    """The value is only known when the program runs."""


def tried(compute: Callable[..., object], *given: object) -> object:
    """The result; what Python refuses is not a constant."""
    try:
        return sized(compute(*map(sized, given)))
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise Unfoldable from error


def sized(value: object) -> object:
    if isinstance(value, (str, bytes)):
        if len(value) > MAX_SIZE:
            raise Unfoldable
    elif isinstance(value, (list, tuple, dict)) and _is_large(value):
        raise Unfoldable
    return bounded(value)


def _is_large(value: list[object] | tuple[object, ...] | dict[object, object]) -> bool:
    """Has it more elements than may be, those of its elements counted wherever they stand?"""
    left, count = [value], 0
    while left:
        one = left.pop()
        elements = (*one, *one.values()) if isinstance(one, dict) else one
        count += len(elements)
        if count > MAX_SIZE:
            return True
        left += [part for part in elements if isinstance(part, (list, tuple, dict))]
    return False


def bounded(value: object) -> object:
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        raise Unfoldable
    return value


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = frozenset("\n\\'\"abfnrtv01234567xNuU")


def unescaped(text: str) -> str:
    """The text of an f-string's part; its doubled braces are single ones."""
    plain = text.replace("{{", "{").replace("}}", "}")
    if "\\" not in plain:
        return plain
    # Of `\\d`, which stands for itself, Python would warn whoever is asking.
    told = _ESCAPED.sub(lambda found: found[0] if found[1] in _ESCAPES else f"\\{found[0]}", plain)
    try:
        return told.encode("latin-1", "backslashreplace").decode("unicode_escape")
    except UnicodeDecodeError as error:
        raise Unfoldable from error


def added(first: object, second: object) -> object:
    return tried(BINARY["Add"], first, second)


def iterated(value: object) -> list[object]:
    if isinstance(value, (str, bytes, tuple, list, dict, range)):
        return list(islice(value, MAX_SIZE))
    raise Unfoldable


def _bytes(value: object) -> bytes:
    return bytes(part for part in iterated(value) if isinstance(part, int))


def item(value: object, key: object) -> object:
    if isinstance(value, (str, bytes, tuple, list, dict)):
        return value[key]  # type: ignore[index, call-overload]
    raise Unfoldable


def unary(operator: str, value: object) -> object:
    compute = _UNARY.get(operator)
    if compute is None:
        raise Unfoldable
    return tried(compute, value)


def _multiplied(first: object, second: object) -> object:
    """A number times a number, or a short text a few times."""
    for text, times in ((first, second), (second, first)):
        if isinstance(text, (str, bytes, list, tuple)) and (
            not isinstance(times, int) or len(text) * times > MAX_SIZE
        ):
            raise Unfoldable
    return first * second  # type: ignore[operator]


def _power(first: object, second: object) -> object:
    if not isinstance(first, (int, float)) or not isinstance(second, int) or abs(second) > 100:  # noqa: PLR2004
        raise Unfoldable
    return first**second


def _percent(first: object, second: object) -> object:
    if isinstance(first, (str, bytes)):
        parts = second if isinstance(second, tuple) else (second,)
        if _has_width(first) or len(first) * _longest(parts) > MAX_WORK:
            raise Unfoldable
    return first % second  # type: ignore[operator]


def _longest(parts: Iterable[object]) -> int:
    return max((len(part) for part in parts if isinstance(part, (str, bytes))), default=1)


def _has_width(text: str | bytes) -> bool:
    """`"%999999999d"` would fill the memory."""
    letters = text if isinstance(text, str) else text.decode("latin-1")
    return any(character.isdigit() or character == "*" for character in letters)


def _shifted(first: object, second: object) -> object:
    if not isinstance(second, int) or second > 100:  # noqa: PLR2004
        raise Unfoldable
    return first << second  # type: ignore[operator]


def _formatted(template: object, *given: object) -> object:
    if not isinstance(template, str) or any(map(_looks_within, string.Formatter().parse(template))):
        raise Unfoldable
    if len(template) * _longest(given) > MAX_WORK:
        raise Unfoldable
    return template.format(*given)


def _looks_within(part: tuple[object, str | None, str | None, object]) -> bool:
    """Does a field ask its value for an attribute or element, or for a width, which may be any?"""
    _, field, layout, _ = part
    return bool(layout) or any(mark in (field or "") for mark in ".[")


def _replaced(text: object, old: object, new: object) -> object:
    if not isinstance(text, (str, bytes)) or not old or len(text) * _longest((new,)) > MAX_WORK:
        raise Unfoldable
    return text.replace(old, new)  # type: ignore[arg-type]


def _decoded(data: object, codec: object = "utf-8", *_: object) -> object:
    if codec not in _TEXT_CODECS:
        raise Unfoldable
    return codecs.decode(data, str(codec))  # type: ignore[call-overload]


def _text(value: object, *codec: object) -> object:
    if isinstance(value, bytes) and codec:
        return _decoded(value, *codec)
    if isinstance(value, (str, int, float)):
        return str(value)
    raise Unfoldable


def _joined(separator: object, parts: object) -> object:
    pieces = iterated(parts)
    if len(pieces) * _longest((separator, *pieces)) > MAX_WORK:
        raise Unfoldable
    return separator.join(pieces)  # type: ignore[attr-defined]


WORDS: Mapping[str, object] = {"True": True, "False": False, "None": None, "__debug__": True}
LIBRARY: Mapping[str, object] = {
    f"{module.__name__}.{name}": value
    for module in (stat, string)
    for name, value in vars(module).items()
    if isinstance(value, (int, str)) and not name.startswith("_")
}
_TEXT_CODECS = frozenset(
    {"utf-8", "utf8", "ascii", "latin-1", "latin1", "rot13", "rot_13", "hex", "base64"}
)
_UNARY: Mapping[str, Callable[[object], object]] = {
    "Not": lambda a: not a,
    "Minus": lambda a: -a,  # type: ignore[operator]
    "Plus": lambda a: +a,  # type: ignore[operator]
    "BitInvert": lambda a: ~a,  # type: ignore[operator]
}
BINARY: Mapping[str, Callable[[object, object], object]] = {
    "Add": lambda a, b: a + b,  # type: ignore[operator]
    "Subtract": lambda a, b: a - b,  # type: ignore[operator]
    "Multiply": _multiplied,
    "Divide": lambda a, b: a / b,  # type: ignore[operator]
    "FloorDivide": lambda a, b: a // b,  # type: ignore[operator]
    "Modulo": _percent,
    "Power": _power,
    "LeftShift": _shifted,
    "RightShift": lambda a, b: a >> b,  # type: ignore[operator]
    "BitOr": lambda a, b: a | b,  # type: ignore[operator]
    "BitAnd": lambda a, b: a & b,  # type: ignore[operator]
    "BitXor": lambda a, b: a ^ b,  # type: ignore[operator]
}
METHODS: Mapping[str, Callable[..., object]] = {
    "join": _joined,
    "format": _formatted,
    "decode": _decoded,
    "encode": lambda text, codec="utf-8": text.encode(codec) if codec in _TEXT_CODECS else text,
    "replace": _replaced,
    **{
        name: (lambda text, *given, _name=name: getattr(text, _name)(*given))
        for name in (
            "lower",
            "upper",
            "strip",
            "lstrip",
            "rstrip",
            "title",
            "capitalize",
            "swapcase",
        )
    },
    **{
        name: (lambda text, *given, _name=name: getattr(text, _name)(*given))
        for name in ("casefold", "removeprefix", "removesuffix", "split", "hex")
    },
}
FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "chr": chr,
    "ord": ord,
    "str": lambda value="", *codec: _text(value, *codec),
    "int": int,
    "bool": bool,
    "len": len,
    "bytes": lambda value=b"": _bytes(value),
    "bytearray": lambda value=b"": _bytes(value),
    "list": iterated,
    "tuple": lambda value=(): tuple(iterated(value)),
    "sorted": lambda value: sorted(iterated(value), key=str),
    "reversed": lambda value: iterated(value)[::-1],
    "range": lambda *bounds: iterated(range(*bounds)),
    "bytes.fromhex": bytes.fromhex,
    "binascii.unhexlify": binascii.unhexlify,
    "base64.b64decode": base64.b64decode,
    "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "base64.b32decode": base64.b32decode,
    "base64.b16decode": base64.b16decode,
    "base64.b85decode": base64.b85decode,
    "codecs.decode": _decoded,
    "re.escape": re.escape,
    "str.join": _joined,
}
