"""Lexemes: what a string or a comment of Python code looks like in its bytes."""

import re

COMMENT_OR_STRING = (
    rb"#[^\n]*+"
    rb'|"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""'
    rb"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
)
"""A pattern for re.DOTALL; a quote that it leaves opens a string without an end."""

_COMMENT_OR_STRING = re.compile(COMMENT_OR_STRING, re.DOTALL)


def bare(data: bytes) -> bytes:
    """The code without its strings and comments."""
    return _COMMENT_OR_STRING.sub(b"", data)
