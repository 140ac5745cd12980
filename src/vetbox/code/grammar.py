"""Which Python first understood a piece of grammar that this one rejects."""

import re
import sys

# Read on the line the parser stopped at, or the one before: it may stop at the next token.
NEWER_GRAMMAR: tuple[tuple[tuple[int, int], str, re.Pattern[str]], ...] = (
    (
        (3, 13),
        "defaults of type parameters",
        re.compile(
            r"\s*(async\s+def|def|class|type)\s+\w+\s*"
            r"\[(?:[^\[\]=]|\[[^\[\]]*\])*=(?!=)"
        ),
    ),
    ((3, 12), "type statements", re.compile(r"\s*type\s+\w+\s*[\[=]")),
    ((3, 12), "type parameters", re.compile(r"\s*(async\s+def|def|class)\s+\w+\s*\[")),
    ((3, 14), "except without brackets", re.compile(r"\s*except\*?\s+[\w.]+\s*,\s*[\w., ]+:")),
    ((3, 14), "template strings", re.compile(r".*(?<![\w\"'])[rR]?[tT][rR]?[\"']")),
    (
        (3, 12),
        "nested quotes in f-strings",
        re.compile(
            r".*?[fF][rR]?([\"'])(?:[^{]|\{[^{}]*\})*?\{[^}]*"
            r"(?:\1[^}]*\1[^}]*\}|(?<=[(\s{,\[])[fF][rR]?\1)"
        ),
    ),
    (
        (3, 12),
        "backslashes in the expressions of f-strings",
        re.compile(r".*?[fF][rR]?([\"'])(?:[^{]|\{[^{}]*\})*?\{(?!\{)[^}]*\\"),
    ),
    (
        (3, 12),
        "line breaks in f-strings",
        re.compile(r".*[fF][rR]?([\"'])(?!\1)[^\"']*\{\s*\Z"),
    ),
)

_LONGEST = 500
"""Of a line: nobody writes more, and the shapes are looked for by going back and forth."""


def needed_version(code: str, line: int, *, running: tuple[int, int] = sys.version_info[:2]) -> str:
    """` (type statements need Python 3.12, this is 3.11)`, or nothing when it is a plain mistake.

    `line` is where the parser stopped, 1-based.
    """
    rejected = "\n".join(code.splitlines()[line - 1 : line])[:_LONGEST]
    for version, feature, shape in NEWER_GRAMMAR:
        if version > running and shape.match(rejected):
            return f" ({feature} need Python {dotted(version)}, this is {dotted(running)})"
    return ""


def dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
