"""The text of a program: its indentation made valid, every string and line number kept."""

import ast
import io
import tokenize
from collections.abc import Callable, Iterator

MAX_CHARACTERS = 1_000_000  # longer code is refused by the validator; it is not worth tidying
TAB_WIDTHS = (4, 8)  # what editors show a tab as; 8 is what Python means by it
_STRING_BEGINS = {tokenize.STRING, getattr(tokenize, "FSTRING_START", tokenize.STRING)}
_STRING_ENDS = {tokenize.STRING, getattr(tokenize, "FSTRING_END", tokenize.STRING)}
_NO_STATEMENT = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}
_LINE_ENDS = "\r\n"


def normalised(code: str) -> str:
    """`code` as it is when its indentation is valid; else re-indented so that it is, if it can be.

    Lines stay where they are and the inside of a string is never touched.
    """
    if len(code) > MAX_CHARACTERS or _well_indented(code):
        return code
    return next(filter(_well_indented, _attempts(code)), code)


def _attempts(code: str) -> Iterator[str]:
    for text in (code, *(_detabbed(code, width) for width in TAB_WIDTHS)):
        yield _dedented(text)
        yield _dedented(text, first=1)  # as when only the first line lost its indentation


def _well_indented(code: str) -> bool:
    """Whether Python would not complain about the indentation; other mistakes do not count."""
    try:
        ast.parse(code)
    except IndentationError:
        return False
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return True
    return True


def _dedented(code: str, *, first: int = 0) -> str:
    """The lines from the `first` that holds code on, without the indentation they share."""
    lines = lines_of(code)
    starts = [n for n in _line_starts(code) if lines[n].strip()][first:]
    within = set(_continuations(code))  # these may be indented as they like, or not at all
    margin = _shared_margin(
        [lines[n] for n in starts if n not in within and not lines[n].lstrip().startswith("#")]
    )
    return _rewritten(lines, starts, lambda line: line.removeprefix(margin))


def _detabbed(code: str, width: int) -> str:
    lines = lines_of(code)

    def spaced(line: str) -> str:
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        return indent.expandtabs(width) + line[len(indent) :]

    return _rewritten(lines, list(_line_starts(code)), spaced)


def _rewritten(lines: list[str], which: list[int], change: Callable[[str], str]) -> str:
    changed = dict.fromkeys(which)
    return "".join(change(line) if n in changed else line for n, line in enumerate(lines))


def _shared_margin(lines: list[str]) -> str:
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines]
    shortest = min(indents, key=len, default="")
    return shortest if all(indent.startswith(shortest) for indent in indents) else ""


def _line_starts(code: str) -> Iterator[int]:
    """The numbers (from 0) of the lines that do not begin inside a string."""
    inside = set(_lines_in_strings(code))
    return (n for n in range(len(lines_of(code))) if n not in inside)


def lines_of(code: str) -> list[str]:
    """The lines as Python counts them, ends included: neither a form feed nor U+2028 is an end."""
    return list(io.StringIO(code, newline=""))


def _continuations(code: str) -> Iterator[int]:
    """The numbers (from 0) of the lines that begin within a statement."""
    first: int | None = None
    for token in _tokens(code):
        if token.type == tokenize.NEWLINE and first is not None:
            yield from range(first, token.start[0])
            first = None
        elif first is None and token.type not in _NO_STATEMENT:
            first = token.start[0]


def _lines_in_strings(code: str) -> Iterator[int]:
    begins: list[int] = []
    for token in _tokens(code):
        if token.type in _STRING_BEGINS:
            begins.append(token.start[0])
        if token.type in _STRING_ENDS and begins:
            yield from range(begins.pop(), token.end[0])


def _tokens(code: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens up to the first place that cannot be read."""
    try:
        ended = (f"{line.rstrip(_LINE_ENDS)}\n" for line in lines_of(code))
        yield from tokenize.generate_tokens(lambda: next(ended, ""))
    except (tokenize.TokenError, SyntaxError):
        return


def flag_set_in(code: str, name: str) -> bool | None:
    """What a valid program's own last `name = True` or `False` says; None when it has none."""
    said = None
    for node in ast.parse(code).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant(value=bool(value))):
                said = value if target == name else said
    return said
