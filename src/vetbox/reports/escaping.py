"""Hostile file content made harmless to look at: no control, bidi or invalid characters."""

import re
import unicodedata

TAB = "    "
HIDDEN = "·"
"""Stands for what nobody would see."""
# Cc and Cf drive terminals and reorder text; Cs, Co and Cn cannot be shown or encoded.
UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_HIDDEN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def visible(text: str) -> str:
    """One line of text in which every character is what it looks like; a tab is four blanks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(visible_character, text))


def visible_character(char: str) -> str:
    if char == "\t":
        return TAB
    return HIDDEN if unicodedata.category(char) in UNPRINTABLE else char


def visible_lines(text: str) -> str:
    """Text of several lines, each of them visible."""
    return "\n".join(map(visible, text.split("\n")))


def plain_json(text: str) -> str:
    """The same JSON, in which what drives terminals and reorders text is spelt as an escape."""
    return text if text.isascii() else _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def width(text: str) -> int:
    """Terminal columns of visible text: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )
