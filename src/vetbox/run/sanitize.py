"""Text from outside, marked as such: what it says is data, never an instruction to the reader."""

import re
import secrets
from collections.abc import Iterable

# What clients and users have used to start tools from a chat; a tool's output must not.
TRIGGERS = ("!onetool", "__onetool__run", "__onetool", "__ot", "__run", "mcp__vetbox__run")
# Whatever stands between, such as a space of no width, readers may pass over.
_TAG = re.compile(r"<[^\w<>]*external-content[^<>]*>?", re.IGNORECASE)
_UNSAFE_IN_SOURCE = re.compile(r"[^\w.,:/ -]")
_ID_BYTES = 6  # 12 hexadecimal digits: not to be guessed by who writes the text


def sanitized(text: str, *, source: str, triggers: Iterable[str] = ()) -> str:
    """`text` between boundary tags of a fresh id, its own tags and trigger prefixes redacted."""
    name = f"external-content-{secrets.token_hex(_ID_BYTES)}"
    source = _UNSAFE_IN_SOURCE.sub("_", source)
    return f'<{name} source="{source}">\n{redacted(text, triggers)}\n</{name}>'


def redacted(text: str, triggers: Iterable[str] = ()) -> str:
    """`text` without boundary tags and trigger prefixes of its own."""
    harmless = _triggers((*TRIGGERS, *triggers)).sub("[REDACTED:trigger]", text)
    return _TAG.sub("[REDACTED:tag]", harmless)


def _triggers(prefixes: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted({prefix for prefix in prefixes if prefix}, key=len, reverse=True)
    words = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
