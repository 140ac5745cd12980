"""How a program ended in its own words: read with care, because a hostile one says it, too."""

from dataclasses import dataclass
from typing import TypeAlias

MAX_NAME = 100  # characters of a type or function
MAX_FRAMES = 20  # calls that led to an error


@dataclass(frozen=True, slots=True)
class Finished:
    """The program came to its end. `value` holds one item, or none when it has no value.

    `format` and `sanitize` are what it set `__format__` and `__sanitize__` to.
    """

    value: tuple[object, ...] = ()
    format: str | None = None
    sanitize: bool | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """The program ended by an exception. `frames` are (line, function), outermost first.

    `sanitize` is what it had set `__sanitize__` to.
    """

    type: str
    message: str
    line: int | None = None
    frames: tuple[tuple[int, str], ...] = ()
    name: str | None = None
    sanitize: bool | None = None


Outcome: TypeAlias = Finished | Raised


def outcome(said: object) -> Outcome | None:
    """The outcome in the guest's words, or None when they are not of its making."""
    match said:
        case {"ok": True, **rest}:
            return Finished(
                value=(rest["value"],) if "value" in rest else (),
                format=_text(rest.get("format")),
                sanitize=_flag(rest.get("sanitize")),
            )
        case {"ok": False, "type": str(kind), "message": str(message), **rest}:
            line, frames = _number(rest.get("line")), _frames(rest.get("frames"))
            name, sanitize = _text(rest.get("name")), _flag(rest.get("sanitize"))
            return Raised(_name(kind), message, line, frames, name, sanitize)
        case _:
            return None


def _frames(said: object) -> tuple[tuple[int, str], ...]:
    match said:
        case [*pairs]:
            return tuple(frame for pair in pairs[-MAX_FRAMES:] for frame in _frame(pair))
        case _:
            return ()


def _frame(said: object) -> tuple[tuple[int, str], ...]:
    match said:
        case [int(line), str(function)] | (int(line), str(function)):
            return ((line, _name(function)),)
        case _:
            return ()


def _name(said: str) -> str:
    """A class or function can be called anything: one line of what can be read."""
    return "".join(c if c.isprintable() else "?" for c in said[:MAX_NAME])


def _text(said: object) -> str | None:
    return said if isinstance(said, str) else None


def _flag(said: object) -> bool | None:
    return said if isinstance(said, bool) else None


def _number(said: object) -> int | None:
    return said if isinstance(said, int) else None
