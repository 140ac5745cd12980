"""Settling: rules that ask for a plain statement are answered by `ast`, all of a file at once.

No other line of the file has a say in what they find, so their lines need neither what encloses
them nor libcst. The law, held by tests: findings with settling are the findings without it.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from vetbox.code.source import Source, SourceError
from vetbox.findings import Finding
from vetbox.rules.excerpt.assembly import flat, stands_alone
from vetbox.rules.excerpt.layout import Doubt, Layout, laid_out
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Anchors, Reach
from vetbox.rules.language.rule import Profile, Rule
from vetbox.rules.page import Page
from vetbox.rules.program import Program


class Statement(NamedTuple):
    """A kind of statement that a rule asks for and nothing else: the word it begins with."""

    word: bytes
    kind: type[ast.stmt]


class Settled(NamedTuple):
    """What was found, and the rules that are left to the judge."""

    found: list[Finding]
    left: Anchors


def settled(source: Source, program: Program, hits: Anchors) -> Settled:
    """What the rules on plain statements find in a code base.

    Code that is about to run may hide more than a layout sees.
    """
    asked = _plain_rules(program, hits) if program.profile is Profile.REPO else {}
    found: list[Finding] = []
    try:
        for wanted in set(asked.values()):
            rules = [program.rules[name] for name, kind in asked.items() if kind == wanted]
            found += _findings(source, program.profile, wanted, rules)
    except (Doubt, SourceError):
        return Settled([], hits)
    return Settled(found, {name: hits[name] for name in hits if name not in asked})


def _plain_rules(program: Program, hits: Anchors) -> Mapping[str, Statement]:
    """The rules in question that ask for a kind of statement, whatever it says."""
    simple = (name for name, anchors in hits.items() if anchors and _is_simple(name, program))
    found = ((name, _statement(program.rules[name])) for name in simple)
    return {name: kind for name, kind in found if kind is not None}


def _is_simple(name: str, program: Program) -> bool:
    """Is one line all that it looks at?"""
    return program.reaches[name] is Reach.LINE


def _statement(rule: Rule) -> Statement | None:
    if rule.fix is not None:
        return None
    match rule.matcher:
        case f.Assert(test=None):
            return Statement(b"assert", ast.Assert)
    return None


def _findings(
    source: Source, profile: Profile, wanted: Statement, rules: Iterable[Rule]
) -> Iterator[Finding]:
    layout = laid_out(source.text)
    excerpt = flat(layout, _lines(layout, wanted.word))
    if "\f" in excerpt.text:
        raise Doubt("a form feed is no column to ast")
    tree = source.part(excerpt.text).tree
    page = Page(source.path, excerpt.text, profile, excerpt.lines)
    for node in _statements(tree.body):
        if isinstance(node, wanted.kind):
            span = page.span_of(node)
            yield from (page.finding(rule, {}, span) for rule in rules)


def _lines(layout: Layout, word: bytes) -> set[int]:
    """The lines with a keyword; raises Doubt for one that is no statement without others."""
    places = (at for at in layout.occurrences(word) if layout.masked[at] == word[0])
    lines = set(map(layout.line_at, places))
    if not all(stands_alone(layout, line) for line in lines):
        raise Doubt("a clause of a statement that began on another line")
    return lines


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block, and those in blocks on a line: `if x: assert y`."""
    for node in body:
        yield node
        yield from _statements(getattr(node, "body", ()))
