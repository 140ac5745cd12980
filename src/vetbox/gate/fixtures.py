"""Fixtures: the files that hold a rule to its word, as cases the gate can run."""

import re
from collections.abc import Iterator
from pathlib import Path

from vetbox.code.source import Source, SourceError
from vetbox.errors import VetboxError
from vetbox.gate.annotations import AnnotationError, Annotations, Each, Kind, read_annotations
from vetbox.gate.cases import Case, Claim
from vetbox.gate.clauses import Data, at, entries, parse
from vetbox.gate.kept import Kept
from vetbox.late_dataclasses import dataclass
from vetbox.rules import Profile, Rule
from vetbox.rules.language.whereabouts import place_of

_IMPORTS = re.compile(r"(?:^|;\s*)(?:import|from)\s")


@dataclass(frozen=True, slots=True)
class Fixture:
    """One file of annotated code; `profile` is set when it holds in that profile only."""

    path: str
    text: str
    annotations: Annotations
    profile: Profile | None = None


def read_fixtures(rule_file: Path, rule_id: str) -> tuple[Fixture, ...]:
    """The fixtures of a rule: `ID.py` first, and `ID.WORD.py` where WORD may be a profile."""
    folder = fixture_folder(rule_file)
    paths = [*folder.glob(f"{rule_id}.py"), *sorted(folder.glob(f"{rule_id}.*.py"))]
    fixtures = [_read(path) for path in paths if not path.name.endswith(".fixed.py")]
    return tuple(_narrowed(fixtures))


def fixture_folder(rule_file: Path) -> Path:
    """`rules/<pack>` is held by `fixtures/<pack>`; a rule elsewhere has its fixtures beside it."""
    parts = list(rule_file.absolute().parent.parts)
    if "rules" not in parts:
        return rule_file.parent
    last = len(parts) - 1 - parts[::-1].index("rules")
    return Path(*parts[:last], "fixtures", *parts[last + 1 :])


def shown(path: Path) -> str:
    """The path as a person at the prompt would type it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def text_of(path: Path) -> str:
    """A file of rules or fixtures as text; raises VetboxError for one that is none."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise VetboxError(f"{shown(path)}:1:1: not UTF-8 text; save it as UTF-8") from error


def _read(path: Path) -> Fixture:
    text, name = text_of(path), shown(path)
    _readable(text, name, name)
    word = path.name.split(".")[1]
    profile = Profile(word) if word in list(Profile) else None
    return Fixture(name, text, read_annotations(text, name), profile)


def _narrowed(fixtures: list[Fixture]) -> Iterator[Fixture]:
    """A file for one profile takes that profile over from the general file."""
    taken = {fixture.profile for fixture in fixtures if fixture.profile is not None}
    left = [profile for profile in Profile if profile not in taken]
    for fixture in fixtures:
        if fixture.profile is not None or not taken:
            yield fixture
        elif left:
            yield Fixture(fixture.path, fixture.text, fixture.annotations, left[0])


def cases_of(rule: Rule, data: Data, fixtures: tuple[Fixture, ...]) -> Iterator[Case]:
    """Every fixture, and what its templates generate, in every profile it speaks for."""
    for fixture in fixtures:
        source = Kept.from_text(fixture.text, fixture.annotations.path or f"{rule.id}.py")
        generated = [_generated(each, data, fixture) for each in fixture.annotations.each]
        for profile in _profiles(rule, fixture, source):
            on = rule.profiles.get(profile) is not None
            claims = fixture.annotations.about(rule.id) if on else ()
            doubts = rule.meant_in(profile) is rule
            yield Case(
                fixture.path,
                source,
                profile,
                tuple(Claim.of(one, profile, fixture.path, doubts=doubts) for one in claims),
            )
            if on:
                yield from (sample.case(profile) for sample in generated)


def _readable(text: str, path: str, file: str, line: int | None = None) -> Source:
    """Code of a fixture file, or what its line makes; raises AnnotationError when it is none."""
    source = Kept.from_text(text, path)
    try:
        source.tree  # noqa: B018 - the parser answers here
    except SourceError as error:
        raise AnnotationError(f"{file}:{line or error.failure.line or 1}: {error}") from error
    return source


def _profiles(rule: Rule, fixture: Fixture, source: Source) -> list[Profile]:
    """A path that the rule passes over excuses code in the repo profile only."""
    if fixture.profile is not None:
        return [fixture.profile]
    return list(Profile) if place_of(source.path) in rule.paths else [Profile.REPO]


@dataclass(frozen=True, slots=True)
class Sample:
    """The code a template made: line `preamble + n` holds the n-th name."""

    label: str
    source: Source
    preamble: int
    names: tuple[str, ...]
    silent: bool

    def case(self, profile: Profile) -> Case:
        kind = Kind.OK if self.silent else Kind.EXPECT
        claims = tuple(
            Claim(kind, line, line, f"{self.label}: {name}")
            for line, name in enumerate(self.names, start=self.preamble + 1)
        )
        return Case(
            self.label, self.source, profile, claims, generated=True, preamble=self.preamble
        )


def _generated(each: Each, data: Data, fixture: Fixture) -> Sample:
    place = f"{fixture.path}:{each.line}"
    try:
        names = entries(at(data, parse(each.clause)))
    except KeyError:
        raise AnnotationError(f"{place}: the rule has no clause {each.clause}") from None
    lines = [_line(each, name) for name in names]
    imports = _imports(each, names)
    text = "\n".join([*imports, *lines, ""])
    path = fixture.annotations.path or "sample.py"
    source = _readable(text, path, fixture.path, each.line)
    return Sample(place, source, len(imports), tuple(names), each.silent)


def _line(each: Each, name: str) -> str:
    """`*` stands for any word: the sample says `anything`; `os.?` for a name of run time."""
    module, _, last = name.rpartition(".")
    sample = f"getattr({module}, computed)" if last == "?" else _any_word(name)
    return each.template.replace(f"{{{each.variable}}}", sample)


def _imports(each: Each, names: list[str]) -> list[str]:
    """`import os` for `os.system`; a template that imports by itself needs no help."""
    if _IMPORTS.search(each.template):
        return []
    roots = {name.split(".")[0] for name in names if "." in name and not name.startswith("*")}
    return [f"import {_any_word(root)}" for root in sorted(roots)]


def _any_word(name: str) -> str:
    return name.replace("*", "anything")
