"""Decoding: what a text passed while it was encoded says nothing of what it says decoded.

`if ".." in name: raise` and then `unquote(name)`: `%2e%2e` has passed. Of letters and digits
nothing else is decoded, and so what asks for those counts on.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from vetbox.rules.taint.data.unknown_origin import bare
from vetbox.rules.taint.data.values import Value

_SIGNS: Final = frozenset(
    {"path-check", "host-check", "local-address", "html-escape", "shell-quote", "ldap-escape"}
    | {"line-break-removed", "no-option", "regex-escape", "url-quote"}
)
"""Sanitizers that look for signs, or write them otherwise."""
_DECODING: Final = frozenset(
    {"urllib.parse.unquote", "urllib.parse.unquote_plus", "urllib.parse.unquote_to_bytes"}
    | {"base64.b64decode", "base64.urlsafe_b64decode", "base64.standard_b64decode"}
    | {"base64.b32decode", "base64.b16decode", "binascii.unhexlify", "bytes.fromhex"}
)
_LOST: Final = {
    **dict.fromkeys(_DECODING, _SIGNS),
    "html.unescape": frozenset({"html-escape"}),
}
"""By the function that decodes."""


def lost_by(names: Collection[str]) -> frozenset[str]:
    """The sanitizers that hold no longer of what a function of these names gives."""
    lost = (_LOST[name] for name in bare(names) if name in _LOST)
    return frozenset().union(*lost)


def read_anew(value: Value, lost: frozenset[str]) -> Value:
    """The value without the sanitizers that are lost."""
    held = value.all_taints.values()
    if not any(taint.cleaned & lost for taint in held):
        return value
    texts = (replace(taint, cleaned=taint.cleaned - lost) for taint in held)
    return Value({text.key: text for text in texts})
