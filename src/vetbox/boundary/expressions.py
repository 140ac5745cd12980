"""Marker and keyword expressions: their syntax, checked before any pytest starts.

The grammar is pytest's: names joined by `and`, `or`, `not` and parentheses, and for markers
keyword arguments with literal values. What the names mean is left to pytest.
"""

import re
from dataclasses import dataclass
from keyword import iskeyword
from typing import Annotated

from pydantic import AfterValidator, Field

from vetbox.boundary.errors import invalid

MAX_LENGTH = 1_000  # one argv element may hold 131,072 bytes; people write 60
MAX_DEPTH = 50  # pytest's own parser breaks at 2,000 parentheses
OPERATORS = frozenset({"and", "or", "not"})
TOKEN = re.compile(
    r"""[ \t]*+(?:
    [(),=]
    |'[^'\\]*+'|"[^"\\]*+"
    |[\w:+\-.\[\]\\/]++
    )""",
    re.VERBOSE,
)
VALUE = re.compile(r"-?\d+|True|False|None")


class MalformedError(Exception):
    """The text is no expression."""


def marker_expression(value: str) -> str:
    """Refused with `Invalid marker expression syntax`."""
    if value and not well_formed(value, arguments=True):
        raise invalid("Invalid marker expression syntax")
    return value


def keyword_expression(value: str) -> str:
    """Refused with `Invalid keyword expression syntax`."""
    if value and not well_formed(value, arguments=False):
        raise invalid("Invalid keyword expression syntax")
    return value


def well_formed(text: str, *, arguments: bool) -> bool:
    """Is the whole text one expression? `arguments` allows `name(key=literal)`."""
    try:
        parser = _Parser(tokens(text), arguments=arguments)
        parser.expression(0)
    except MalformedError:
        return False
    return parser.at_end and text[0] not in "-@"


def tokens(text: str) -> list[str]:
    found, position, text = [], 0, text.rstrip()
    while position < len(text):
        token = TOKEN.match(text, position)
        if token is None:
            raise MalformedError
        found.append(token[0].strip())
        position = token.end()
    return found


@dataclass(slots=True)
class _Parser:
    """Reads an expression from left to right."""

    tokens: list[str]
    arguments: bool
    position: int = 0

    @property
    def at_end(self) -> bool:
        return self.position == len(self.tokens)

    @property
    def ahead(self) -> str:
        return "" if self.at_end else self.tokens[self.position]

    def next(self) -> str:
        if self.at_end:
            raise MalformedError
        self.position += 1
        return self.tokens[self.position - 1]

    def accept(self, *wanted: str) -> bool:
        found = self.ahead in wanted and not self.at_end
        self.position += found
        return found

    def expect(self, wanted: str) -> None:
        if not self.accept(wanted):
            raise MalformedError

    def expression(self, depth: int) -> None:
        self.operand(depth)
        while self.accept("and", "or"):
            self.operand(depth)

    def operand(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise MalformedError
        if self.accept("not"):
            self.operand(depth + 1)
        elif self.accept("("):
            self.expression(depth + 1)
            self.expect(")")
        else:
            self.name()
            if self.arguments and self.accept("("):
                self.keyword_arguments()

    def name(self) -> None:
        token = self.next()
        if token in OPERATORS or token[0] in "(),='\"":
            raise MalformedError

    def keyword_arguments(self) -> None:
        while True:
            name = self.next()
            if not name.isidentifier() or iskeyword(name):
                raise MalformedError
            self.expect("=")
            self.literal()
            if not self.accept(","):
                break
        self.expect(")")

    def literal(self) -> None:
        token = self.next()
        if token[0] not in "'\"" and not VALUE.fullmatch(token):
            raise MalformedError


MarkerExpression = Annotated[str, Field(max_length=MAX_LENGTH), AfterValidator(marker_expression)]
KeywordExpression = Annotated[str, Field(max_length=MAX_LENGTH), AfterValidator(keyword_expression)]
