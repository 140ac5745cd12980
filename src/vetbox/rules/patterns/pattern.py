"""A code pattern, parsed once: an expression, or statements that follow each other."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

import libcst as cst

from vetbox.code.source import Source, SourceError
from vetbox.errors import VetboxError
from vetbox.findings import FailureKind
from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.assignments import as_assignment
from vetbox.rules.patterns.tree import children, flat_statements

_MANGLED = re.compile(r"__(?:mv|emv|any)_\w*$|__(?:deep|chain|typed|completion)$")
_METAVARIABLE_TEXT = re.compile(r"\$(?:\.\.\.)?[A-Z_][A-Z0-9_]*")
_HANDLER = re.compile(r"\s*(?:except|finally)\b")
_CONSTANTS = frozenset({"True", "False", "None"})
_OF_LITERALS = frozenset({"str", "bytes", "int", "float", "complex", "bool"})
"""Types whose values are written without their name."""
_LOWER = re.compile(r"\$(?:\.\.\.)?[a-z]")
MAX_PATTERN_CHARACTERS = 10_000
"""The longest pattern in public rule sets has about 1,500."""
MAX_UNGATED_CHARACTERS = 500
"""Of what this interpreter cannot parse, be it of a newer grammar; too few to nest dangerously."""


class PatternError(VetboxError):
    """A code pattern that is not Python after its metavariables are read."""


Statement: TypeAlias = cst.BaseSmallStatement | cst.BaseCompoundStatement


@dataclass(frozen=True, slots=True)
class Pattern:
    """`expression` for a pattern that is one, else `statements`; `handler` for a lone `except`."""

    text: str
    expression: cst.BaseExpression | None
    statements: tuple[Statement, ...]
    handler: cst.ExceptHandler | cst.ExceptStarHandler | None = None

    @property
    def metavariables(self) -> frozenset[str]:
        """The names it binds, with their `$`: `$X`, `$...ARGS`."""
        return frozenset(_METAVARIABLE_TEXT.findall(self.text)) - {"$_"}

    @property
    def words(self) -> frozenset[str]:
        """The identifiers it spells out; a match stands where all of them occur."""
        roots = [self.expression, self.handler, *self.statements]
        return frozenset(word for root in roots if root is not None for word in words_in(root))


def is_header(pattern: Pattern) -> bool:
    """Is it a definition of which nothing is asked but what is written over its body?"""
    match pattern.statements:
        case [cst.FunctionDef(body=body) | cst.ClassDef(body=body)]:
            match [*flat_statements(body.body)]:
                case [cst.Expr(value=cst.Ellipsis())]:
                    return True
    return False


@lru_cache(maxsize=4096)
def parse_pattern(text: str) -> Pattern:
    """Read a pattern; raises PatternError with the parser's reason and line."""
    if len(text) > MAX_PATTERN_CHARACTERS:
        raise PatternError(
            f"the pattern has {len(text)} characters; at most {MAX_PATTERN_CHARACTERS} are read"
        )
    python = spelling.respell(text).strip("\n")
    if not python.strip():
        raise PatternError("the pattern is empty; write the code to look for")
    expression = _as_expression(python)
    match expression:
        case cst.NamedExpr(target=cst.Name() as target, value=value):
            return Pattern(text, None, (as_assignment(target, value),))
    if expression is not None:
        return Pattern(text, expression, ())
    if _HANDLER.match(python):
        return Pattern(text, None, (), _handler(python))
    return Pattern(text, None, _as_statements(python))


def _as_expression(python: str) -> cst.BaseExpression | None:
    if not _may_be_parsed(python.strip()):
        return None
    try:
        return cst.parse_expression(python.strip())
    except (cst.ParserSyntaxError, cst.CSTValidationError):
        return None


def _as_statements(python: str) -> tuple[Statement, ...]:
    reasons = []
    for candidate in filter(_may_be_parsed, _completions(python)):
        try:
            return tuple(flat_statements(cst.parse_module(candidate).body))
        except cst.ParserSyntaxError as error:
            reasons.append(_reason(candidate, error))
        except cst.CSTValidationError as error:  # `for*a in b` is Python to others
            reasons.append(str(error).rstrip("."))
    hint = "; a metavariable has a name in capitals, as in $X" if _LOWER.search(python) else ""
    raise PatternError(f"the pattern is not Python: {(*reasons, 'nor a part of it')[0]}{hint}")


def _reason(python: str, refusal: cst.ParserSyntaxError) -> str:
    """In the words of Python's own parser; libcst's lists every token that could stand there."""
    try:
        Source.from_text(python).tree  # noqa: B018 - raises what is wanted
    except SourceError as error:
        return f"{error}, line {error.failure.line} of the pattern"
    return f"{refusal.message}, line {refusal.raw_line} of the pattern"


def _may_be_parsed(python: str) -> bool:
    """Can it not overflow libcst's parser? Rules are read from projects, too."""
    try:
        Source.from_text(python).tree  # noqa: B018 - the gate answers here
    except SourceError as error:
        if error.failure.kind is not FailureKind.SYNTAX:
            raise PatternError(f"the pattern is not read: {error}") from error
        return len(python) <= MAX_UNGATED_CHARACTERS
    return True


def _completions(python: str) -> Iterator[str]:
    """The text as it stands, then with the body or definition that a short pattern leaves out."""
    yield python
    yield f"{python} ..."
    yield f"{python}\n    ..."
    yield f"{python}\ndef {spelling.METAVARIABLE}_({spelling.ANY_PARAMETERS}0):\n    ..."
    yield f"{python}\nfinally:\n    {spelling.COMPLETION}"


def _handler(python: str) -> cst.ExceptHandler | cst.ExceptStarHandler:
    (statement,) = _as_statements(f"try:\n    ...\n{python}")
    if isinstance(statement, (cst.Try, cst.TryStar)) and statement.handlers:
        return statement.handlers[0]
    raise PatternError("a pattern cannot be a lone `finally`; write the whole `try` statement")


def words_in(node: cst.CSTNode) -> Iterator[str]:
    """The identifiers that a part of a pattern spells out."""
    if isinstance(node, cst.Name):
        if not _MANGLED.match(node.value) and node.value not in _CONSTANTS:
            yield node.value
        return
    match node:
        case cst.Call(func=cst.Name(value=spelling.TYPED), args=[_, cst.Arg(cst.Name(word))]) if (
            word in _OF_LITERALS
        ):
            yield from words_in(node.args[0])
            return
    for child in children(node):
        yield from words_in(child)
