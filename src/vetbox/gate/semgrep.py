"""Holds imported rules to the fixtures they came with: `# ruleid:` fires, `# ok:` is silent."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from vetbox.code.source import Source, SourceError
from vetbox.late_dataclasses import dataclass
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.loading.imported import SemgrepRule

_ANNOTATION = re.compile(r"#\s*(todoruleid|todook|ruleid|deepruleid|ok|deepok)\s*:\s*([^#\n]*)")
_CLAIMS = frozenset({"ruleid", "ok"})
_FIXTURES = ("{stem}.py", "{stem}.test.py", "test_{stem}.py")


@dataclass(frozen=True, slots=True)
class Expected:
    """The lines of a fixture on which a rule must fire, and those left open by a `todo`."""

    fires: frozenset[int]
    open: frozenset[int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule did on its fixture."""

    rule: SemgrepRule
    fixture: Path
    missed: tuple[int, ...]
    surplus: tuple[int, ...]

    @property
    def holds(self) -> bool:
        """Did it fire on exactly the annotated lines?"""
        return not self.missed and not self.surplus


def outcomes(rules: Sequence[SemgrepRule]) -> Iterator[Outcome]:
    """One for each rule that has a fixture with annotations of its own."""
    for rule in rules:
        fixture = fixture_of(rule.path)
        if fixture is not None:
            text = fixture.read_text("utf-8", "replace")
            expected = annotations(text).get(rule.id)
            if expected is not None:
                yield _judged(rule, fixture, text, expected)


def fixture_of(path: Path) -> Path | None:
    """The Python file beside a rule file that bears its name."""
    candidates = (path.with_name(form.format(stem=path.stem)) for form in _FIXTURES)
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def annotations(text: str) -> Mapping[str, Expected]:
    """What a fixture expects, by rule id; a comment speaks of the next line of code."""
    claims = sorted(_claims(text.splitlines()))
    return {name: _expected(kinds) for name, kinds in groupby(claims, key=itemgetter(0))}


def _claims(lines: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """The rule, the kind of the comment and the line that each annotation speaks of."""
    for number, line in enumerate(lines, 1):
        for kind, names in _ANNOTATION.findall(line):
            place = _line_meant(lines, number)
            yield from ((name.strip(), kind, place) for name in names.split(","))


def _expected(claims: Iterable[tuple[str, str, int]]) -> Expected:
    """Of one rule; what is no `ruleid` and no `ok` leaves its line open."""
    places: dict[str, set[int]] = defaultdict(set)
    for _, kind, place in claims:
        places[kind if kind in _CLAIMS else "open"].add(place)
    return Expected(frozenset(places["ruleid"]), frozenset(places["open"]))


def _line_meant(lines: Sequence[str], number: int) -> int:
    """The line itself where code stands before the comment, else the next that is no comment."""
    if not lines[number - 1].lstrip().startswith("#"):
        return number
    while number < len(lines) and _ANNOTATION.search(lines[number]):
        number += 1
    return number + 1


def _judged(rule: SemgrepRule, fixture: Path, text: str, expected: Expected) -> Outcome:
    found = _lines(rule, fixture, text)
    missed = sorted(expected.fires - found)
    surplus = sorted(found - expected.fires - expected.open)
    return Outcome(rule, fixture, tuple(missed), tuple(surplus))


def _lines(rule: SemgrepRule, fixture: Path, text: str) -> frozenset[int]:
    try:
        source = Source.from_text(text, fixture.name)
        found = check(source, RuleSet.of([rule.rule]), profile=Profile.REPO)
    except SourceError:
        return frozenset()
    return frozenset(finding.location.line for finding in found if finding.code == rule.rule.id)
