"""The gate: all a rule has to prove before it ships, in order, with the place of each gap."""

import gc
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from vetbox.code.source import Source
from vetbox.documents import Document, read_yaml
from vetbox.errors import VetboxError
from vetbox.findings import Finding, Location, Severity
from vetbox.gate.cases import Case, mismatches
from vetbox.gate.cost import costs
from vetbox.gate.fixing import fix_problems
from vetbox.gate.fixtures import cases_of, read_fixtures, shown, text_of
from vetbox.gate.lint import lint, lint_model
from vetbox.gate.models import is_model
from vetbox.gate.mutation import MutationScore, mutation_score
from vetbox.gate.trial import Trial
from vetbox.gate.variants import TRANSFORMS, Verdict, variant_mismatches, variants
from vetbox.late_dataclasses import dataclass
from vetbox.rule_files import model_files
from vetbox.rules import Profile
from vetbox.rules.loading.shared import in_force
from vetbox.workers.child import die_with

ALLOCATIONS = 400_000  # what is kept for all mutants is looked through in vain: a tenth of the work
MIN_LINES = 3  # positives and benign lines: fewer say nothing about the rule's edges


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says about one rule file; no problems means it may ship.

    `costs` are no problems: they say why the rule is slow on a large code base.
    """

    path: str
    problems: tuple[str, ...]
    cases: int = 0
    variants: int = 0
    mutants: int = 0
    equivalent: int = 0
    costs: tuple[str, ...] = ()


def judge_all(paths: Sequence[Path], *, mutate: bool, jobs: int) -> list[Judgement]:
    """Judge rule files, or all in a folder, `jobs` at a time; in order of path."""
    files = rule_files(paths)
    if jobs == 1 or len(files) == 1:
        return [judge(path, mutate=mutate) for path in files]
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(os.getpid(),)) as pool:
        return list(pool.map(partial(judge, mutate=mutate), files))


def _begin(parent: int) -> None:
    """What a process that judges does first; a gate that is killed leaves none behind."""
    gc.set_threshold(ALLOCATIONS)
    die_with(parent)


def rule_files(paths: Sequence[Path]) -> list[Path]:
    """Every file of a rule or a model below the paths; a `schema` folder holds neither."""
    found = [file for path in paths for file in (path.rglob("*.yaml") if path.is_dir() else [path])]
    return sorted(file for file in found if "schema" not in file.parts)


def judge(rule_file: Path, *, mutate: bool) -> Judgement:
    """Judge one rule file; a stage that fails is the last, for the next would only echo it.

    It may name the models of the `models` folder beside its own.
    """
    try:
        with in_force(model_files([rule_file.parent.parent])):
            return _judged(rule_file, mutate=mutate)
    except VetboxError as error:
        return Judgement(shown(rule_file), (str(error),))


def _judged(rule_file: Path, *, mutate: bool) -> Judgement:
    path = shown(rule_file)
    try:
        text = text_of(rule_file)
        document = read_yaml(text, path)
        if is_model(rule_file):
            trial = Trial.read_model(document)
            problems = lint_model(document, rule_file, text)
        else:
            trial = Trial.read(document)
            problems = lint(document, rule_file, text)
        fixtures = read_fixtures(rule_file, trial.rule.id)
        cases = tuple(cases_of(trial.rule, trial.data, fixtures))
    except VetboxError as error:
        return Judgement(path, (str(error),))
    if not fixtures:
        return Judgement(path, tuple(problems))
    verdicts = [(case, trial.run(case)) for case in cases]
    problems += _fixture_problems(verdicts) + _thin(trial, cases, path)
    problems += [] if problems else fix_problems(trial, cases, rule_file)
    if problems:
        return Judgement(path, tuple(problems), len(cases))
    return _deeper(trial, verdicts, document, rule_file, mutate=mutate)


def _fixture_problems(verdicts: Iterable[Verdict]) -> list[str]:
    """Each once, though it holds in two profiles."""
    found = (problem for case, found in verdicts for problem in mismatches(case, found))
    return list(dict.fromkeys(found))


def _thin(trial: Trial, cases: Sequence[Case], path: str) -> list[str]:
    """Too few lines, or lines that a rule without sense would satisfy as well."""
    per_profile = [[case for case in cases if case.profile is profile] for profile in Profile]
    positives = max(sum(case.positives for case in some) for some in per_profile)
    benign = max(sum(case.benign for case in some) for some in per_profile)
    found = []
    if positives < MIN_LINES:
        found.append(f"{path}: {positives} expect lines; write at least {MIN_LINES}")
    if benign < MIN_LINES:
        found.append(f"{path}: {benign} ok lines; write at least {MIN_LINES}")
    return found + [
        f"{path}: the fixtures would let {name} pass"
        for name, satisfied in _canaries(cases)
        if satisfied
    ]


def _canaries(cases: Sequence[Case]) -> Iterator[tuple[str, bool]]:
    """Two rules no fixture may accept; if one is accepted, the harness proves nothing."""
    yield "an empty rule", not any(True for case in cases for _ in mismatches(case, ()))
    everything = [(case, _finds_every_line(case.source)) for case in cases]
    yield (
        "a rule that matches everything",
        not any(True for case, findings in everything for _ in mismatches(case, findings)),
    )


def _finds_every_line(source: Source) -> list[Finding]:
    lines = source.text.splitlines()
    return [
        Finding("gate", "canary", "", Severity.ERROR, Location("", row, 1, row, 1), source=line)
        for row, line in enumerate(lines, start=1)
    ]


def _deeper(
    trial: Trial, verdicts: Sequence[Verdict], document: Document, rule_file: Path, *, mutate: bool
) -> Judgement:
    """Variants, then mutants: both start from fixtures that hold.

    How names are respelt is proved by the rules; a model's fixture is not rewritten.
    """
    cases = [case for case, _ in verdicts]
    count = 0
    problems: list[str] = []
    if not is_model(rule_file):
        count, problems = _variant_problems(trial, verdicts, document)
    score = MutationScore()
    if mutate and not problems:
        score = mutation_score(trial, cases, document, rule_file)
        problems += score.problems
    slow = () if is_model(rule_file) else tuple(costs(trial.rule))
    return Judgement(
        document.path, tuple(problems), len(cases), count, score.mutants, score.equivalent, slow
    )


def _variant_problems(
    trial: Trial, verdicts: Sequence[Verdict], document: Document
) -> tuple[int, list[str]]:
    skipped, problems = _skipped(trial, document)
    count = 0
    found = {id(case): findings for case, findings in verdicts}
    for case in trial.fixture_cases([case for case, _ in verdicts]):
        for variant in variants((case, found[id(case)]), trial.data):
            if variant.transform in skipped:
                continue
            count += 1
            findings = trial.check(Source.from_text(variant.text, case.source.path), case.profile)
            problems += variant_mismatches(case, variant, findings)
    return count, problems


def _skipped(trial: Trial, document: Document) -> tuple[frozenset[str], list[str]]:
    """The transforms a rule opts out of, and a complaint for each name that is none."""
    entries = document.data.get("skip", ())
    names = [entry["transform"] for entry in entries]
    return frozenset(names), [
        f"{document.path}: skip names no transform {name!r}; there are {', '.join(TRANSFORMS)}"
        for name in names
        if name not in TRANSFORMS
    ]
