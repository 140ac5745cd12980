"""String literals as they are written, in pieces too: `"a" f"{b}"` is one text with a field."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.resolve.names import Resolver


def written(literal: cst.BaseExpression, facts: Resolver) -> str:
    """Its text, with `{}` for each field that is not known."""
    return "".join(_text_of(piece, facts) for piece in _pieces(literal))


def has_fields(literal: cst.BaseExpression) -> bool:
    """Is there a piece with something to be filled in?"""
    return any(
        isinstance(part, cst.FormattedStringExpression)
        for piece in _pieces(literal)
        if isinstance(piece, cst.FormattedString)
        for part in piece.parts
    )


def _pieces(literal: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """In order; each piece holds all that follow, and there may be thousands."""
    waiting = [literal]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, cst.ConcatenatedString):
            waiting += (piece.right, piece.left)
        else:
            yield piece


def _text_of(piece: cst.BaseExpression, facts: Resolver) -> str:
    if isinstance(piece, cst.FormattedString):
        return "".join(_part_text(part, facts) for part in piece.parts)
    return str(facts.folder.value(piece, ""))


def _part_text(part: cst.BaseFormattedStringContent, facts: Resolver) -> str:
    if isinstance(part, cst.FormattedStringText):
        return part.value
    if isinstance(part, cst.FormattedStringExpression):
        return str(facts.folder.value(part.expression, "{}"))
    return ""
