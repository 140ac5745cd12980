"""`vetbox explain`: say clause by clause why a rule fired on a line, or did not."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from vetbox.cli.rules_show import RULE_PATHS, rule_called
from vetbox.code.source import Source, SourceError
from vetbox.counting import counted
from vetbox.errors import VetboxError
from vetbox.reports.lines import LINE_END, lines_of
from vetbox.reports.traces import fitted, step_rows
from vetbox.rules import Profile, Rule, RuleSet, check, load_rules, readable
from vetbox.rules.explain import Clause, Explanation
from vetbox.rules.explain import explain as explained

# As reports write a place, too: with a column.
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>[0-9]{1,9})(:[0-9]+)?", re.DOTALL)


class NoPlace(VetboxError):
    """The place is not FILE:LINE."""


@click.command()
@click.argument("rule_id", metavar="RULE")
@click.argument("place", metavar="FILE:LINE")
@click.option(
    "--profile",
    type=click.Choice(["repo", "agent"]),
    default="repo",
    show_default=True,
    help="Severities, and how far names are followed, differ by profile.",
)
@RULE_PATHS
def explain(rule_id: str, place: str, profile: str, rule_paths: tuple[Path, ...]) -> None:
    """Say clause by clause why RULE fired at FILE:LINE, or did not."""
    path, line = _place(place)
    rules = load_rules(*rule_paths).rules
    rule = rule_called(rule_id, rules)
    try:
        source = Source.from_bytes(path.read_bytes(), str(path))
        _check_line(source, line)
        source = readable(source, Profile(profile))
        answer = explained(source, rule, line, profile=Profile(profile), rules=rules)
        comment = accepting(source, rule, line, Profile(profile)) if answer.fires else None
    except SourceError as error:
        raise NoPlace(f"{path}:{error.failure.line or 1}: {error}") from None
    verdict = "fires" if answer.fires else "does not fire"
    click.echo(f"{rule.id} {verdict} at {path}:{line}")
    if comment:
        click.echo(f"  and is accepted by a comment, so reports list it as suppressed: {comment}")
    for text in (*_conditions(answer), *_places(answer), *_flow(answer, path)):
        click.echo(text)


def accepting(source: Source, rule: Rule, line: int, profile: Profile) -> str | None:
    """The comment that accepts what the rule finds on the line, if one does."""
    for found in check(source, RuleSet.of([rule]), profile=profile):
        if found.location.line <= line <= found.location.end_line and found.suppressed:
            return found.suppressed.comment
    return None


def _conditions(answer: Explanation) -> Iterator[str]:
    for clause in answer.conditions:
        yield _line(clause.text, clause.found, 1, holds=clause.holds)


def _places(answer: Explanation) -> Iterator[str]:
    for found in answer.places:
        yield from ("", f"  {_short(found.code)}  (column {found.column})")
        yield from _clause_lines(found.clause, 2)
    if not answer.places:
        yield from ("", "  No code on this line is of a kind that the rule looks at.")


def _flow(answer: Explanation, path: Path) -> Iterator[str]:
    if answer.trace:
        yield from ("", "  data flow:")
    for number, code, note in step_rows(answer.trace, lines_of(str(path))):
        yield f"    {number:>5}  {fitted(code)}{note}"


def _place(text: str) -> tuple[Path, int]:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise NoPlace(f"'{text}' is not a place; write FILE:LINE, as in app.py:12")
    name, number = found["file"], found["line"]
    path = Path(name)
    if not path.is_file():
        raise NoPlace(f"{name}: no such file")
    return path, int(number)


def _check_line(source: Source, line: int) -> None:
    path, rows = source.path, len(LINE_END.split(source.text)) - source.text.endswith(("\n", "\r"))
    if not 1 <= line <= rows:
        count = counted(rows, "line")
        raise NoPlace(f"{path} has {count}; name one of them, as in {path}:{max(rows, 1)}")


def _clause_lines(clause: Clause, depth: int) -> Iterator[str]:
    yield _line(clause.text, clause.found, depth, holds=clause.holds)
    for part in clause.parts:
        yield from _clause_lines(part, depth + 1)


def _line(text: str, found: str, depth: int, *, holds: bool) -> str:
    mark = "yes" if holds else "no "
    return f"{'  ' * depth}{mark}  {text}{f': {_short(found)}' if found else ''}"


def _short(code: str) -> str:
    first, *more = code.splitlines() or [""]
    return first + (" …" if more else "")
