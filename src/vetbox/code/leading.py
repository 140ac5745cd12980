"""Leading layout: form feeds and lone backslashes before a line's code, which libcst rejects.

Form feeds, and lines of nothing but a backslash before a statement's first word; of those the first
that is indented tells the indentation.
"""

import re
import tokenize
from collections.abc import Iterator

MAX_CHARACTERS = 200_000
"""The standard tokenizer takes a second for a million; beyond, the lines stay as they are."""

_ALONE = re.compile(r"(?:^|(?<=[\r\n]))[ \t\f]*\\(?:\r\n?|\n)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+\Z")
_INDENTATION = re.compile(r"[ \t\f]*")
_BETWEEN = frozenset(
    {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}
    | {tokenize.NEWLINE, tokenize.ENDMARKER}
)


_NEWLINE = re.compile(r"\r\n?|\n")
_FORM_FEED = re.compile(r"(?:^|(?<=[\r\n]))[ \t\f]*\f")


def plain(text: str) -> tuple[str, dict[int, int]]:
    """The text without them, and 1-based line → characters that it lost at its start.

    A line that gets the indentation of a line before it may lose a negative number.
    """
    text, lost = _without_continuations(text)
    if "\f" not in text:
        return text, lost
    for one in _FORM_FEED.finditer(text):
        line = len(_NEWLINE.findall(text, 0, one.start())) + 1
        lost[line] = lost.get(line, 0) + len(one.group())
    return _FORM_FEED.sub("", text), lost


def _without_continuations(text: str) -> tuple[str, dict[int, int]]:
    """With empty lines in their place."""
    if "\\" not in text or not _ALONE.search(text) or len(text) > MAX_CHARACTERS:
        return text, {}
    lines = _LINE.findall(text)
    lost: dict[int, int] = {}
    try:
        rows = [*_first_rows(lines)]
    except (tokenize.TokenError, SyntaxError):
        return text, {}
    for row in rows:
        above = row - 1
        while above and _ALONE.fullmatch(lines[above - 1]):
            above -= 1
        if above == row - 1:
            continue
        own = _indentation(lines[row - 1])
        told = [_indentation(line) for line in lines[above : row - 1]]
        first = next(filter(None, told), own)
        for index in range(above, row - 1):
            lines[index] = lines[index].lstrip(" \t\f\\")
        lines[row - 1] = first + lines[row - 1][len(own) :]
        if len(own) != len(first):
            lost[row] = len(own) - len(first)
    return "".join(lines), lost


def _first_rows(lines: list[str]) -> Iterator[int]:
    """The 1-based lines on which the first word of a logical line stands."""
    read = (line.rstrip("\r\n") + "\n" for line in lines)
    is_first = True
    for token in tokenize.generate_tokens(lambda: next(read, "")):
        if is_first and token.type not in _BETWEEN:
            yield token.start[0]
            is_first = False
        elif token.type == tokenize.NEWLINE:
            is_first = True


def _indentation(line: str) -> str:
    found = _INDENTATION.match(line)
    return found.group() if found else ""
