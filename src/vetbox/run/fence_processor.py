"""Fences: what chat clients wrap around code, taken off without touching the code."""

import re

from vetbox.errors import VetboxError

MAX_FENCES = 1_000  # one in the other; each costs a copy of the command
_BYTE_ORDER_MARK = "\ufeff"  # what some editors begin a file with, and clients copy
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[^`\n]*\n(?P<code>.*)", re.DOTALL)
_ONE_LINE = re.compile(r"`{3,}(?:(?:python3?|py)[ \t]+)?(?P<code>[^`\n]+)`{3,}")
_INLINE = re.compile(r"(?P<tick>`{1,2})(?P<code>[^`]+)(?P=tick)")
_LEGACY = re.compile(r"!\s*\w+[ \t]*(?P<code>.*)", re.DOTALL)


class LegacyPrefixError(VetboxError):
    """A command in the old form, `!tool code`."""


def strip_fences(command: str) -> str:
    """The code inside any fences around the whole command; else the command unchanged."""
    command = command.removeprefix(_BYTE_ORDER_MARK)
    for _ in range(MAX_FENCES):
        inner = _inside(command)
        if inner is None:
            break
        command = inner
    return command


def refuse_legacy_prefix(command: str) -> None:
    """Raise LegacyPrefixError when the command begins with a `!tool` prefix."""
    legacy = _LEGACY.match(command.lstrip())
    if legacy:
        code = legacy["code"].strip() or "tool()"
        raise LegacyPrefixError(
            f"invalid syntax: the '!' prefix is not used; send the code alone: {code[:200]}"
        )


def _inside(command: str) -> str | None:
    wrapped = command.strip()
    if block := _FENCE.fullmatch(wrapped):
        return _without_closing(block["code"], block["fence"])
    single = _ONE_LINE.fullmatch(wrapped) or _INLINE.fullmatch(wrapped)
    return single["code"] if single else None


def _without_closing(code: str, fence: str) -> str:
    """The code before its closing fence: at least as many of the same character as opened it."""
    code_and_fence = code.rstrip()
    inner = code_and_fence.rstrip(fence[0])
    closed = len(code_and_fence) - len(inner) >= len(fence)
    return inner.rstrip(" \t") if closed else code
