"""Codes: numbers that stand for characters, `ord(c)`, and the texts that are made of them again.

A number holds nothing of a text for any sink, which is why its taints count as sanitized by it; but
`chr(ord(c) ^ 7)` has the text back.
"""

from dataclasses import replace

from vetbox.rules.taint.data.values import Value, mixed
from vetbox.rules.taint.policy.marks import AS_NUMBER

_TO_TEXT = frozenset({"chr", "bytes", "bytearray"})


def code_of(builtin: str, given: list[Value]) -> Value | None:
    """What `ord(c)` gives; None for other functions."""
    return mixed(given).cleaned(AS_NUMBER) if builtin == "ord" else None


def decoded(builtin: str, value: Value) -> Value:
    """What `chr(code)` and `bytes(codes)` give: what carries the codes; the value for others."""
    if builtin not in _TO_TEXT or not any(one.cleaned for one in value.all_taints.values()):
        return value
    held = value.all_taints.values()
    texts = (replace(one, cleaned=one.cleaned - AS_NUMBER) for one in held)
    return Value({text.key: text for text in texts})
