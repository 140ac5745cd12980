"""The mutation check: whether some fixture notices when a clause of the rule is gone or weaker."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import log
from pathlib import Path as File

from vetbox.code.source import Source
from vetbox.documents import Document
from vetbox.gate.cases import Case
from vetbox.gate.clauses import Data, Path, at, replaced, spell, without
from vetbox.gate.fixing import fix_problems
from vetbox.gate.kept import Kept
from vetbox.gate.models import itself
from vetbox.gate.mutants import Mutant, mutants
from vetbox.gate.pieces import pieces_of
from vetbox.gate.trial import Trial
from vetbox.gate.variants import Variant, rewritten, variant_mismatches
from vetbox.late_dataclasses import dataclass
from vetbox.rules import RuleError
from vetbox.rules.loading.loader import shared_parts

NEAR = 0.7  # a step that two clauses share weighs as a word that every second piece holds
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class MutationScore:
    """How many mutants there are, how many are declared equivalent, and what is wrong."""

    mutants: int = 0
    equivalent: int = 0
    problems: tuple[str, ...] = ()


def mutation_score(
    trial: Trial, cases: Sequence[Case], document: Document, rule_file: File
) -> MutationScore:
    """Run every mutant of a rule whose fixtures and variants hold."""
    respelt = _Respelt(trial, cases)
    asked = _Asked(trial, cases)
    declared = {entry["clause"] for entry in document.data.get("equivalent", ())}
    survivors: dict[str, Mutant] = {}
    count = 0
    for mutant, mutated in _compiled(trial):
        count += 1
        if not (
            asked.notice(mutant, mutated)
            or respelt.notice(mutant, mutated)
            or _fixes_otherwise(mutant, mutated, cases, rule_file)
        ):
            survivors[mutant.key] = mutant
    problems = [
        _survived(trial, mutant, cases, document)
        for key, mutant in survivors.items()
        if key not in declared
    ]
    problems += [_wrongly_declared(key, document) for key in sorted(declared - set(survivors))]
    return MutationScore(count, len(declared & set(survivors)), tuple(problems))


def _compiled(trial: Trial) -> Iterator[tuple[Mutant, Trial]]:
    """A mutant the loader refuses cannot ship either, so it needs no fixture."""
    with shared_parts():
        for mutant in mutants(trial.data):
            try:
                yield mutant, trial.with_data(mutant.data)
            except RuleError:
                continue


class _Asked:
    """The pieces of the cases, those first that say what the mutant lacks; then the cases whole.

    Of equals the one that noticed the last mutant: fixtures mostly follow the order of clauses.
    """

    def __init__(self, trial: Trial, cases: Sequence[Case]) -> None:
        held = [one for case in cases for one in _held(trial, case)]
        self._said = Counter(_words(trial.data))
        self._cases = cases
        self._pieces = deque((case, frozenset(_words(text))) for case, text in held)
        self._frequency = Counter(word for _, words in self._pieces for word in words)
        self._noticed = defaultdict[int, set[Path]](set)

    def notice(self, mutant: Mutant, mutated: Trial) -> bool:
        said = {*(self._said - Counter(_words(mutant.data)))}
        ways = [mutant.path[:steps] for steps in range(1, len(mutant.path) + 1)]
        for piece in sorted(self._pieces, key=partial(self._distance, said, ways)):
            if mutated.fails([piece[0]]):
                self._pieces.rotate(-self._pieces.index(piece))
                self._noticed[id(piece)].update(ways)
                return True
        return mutated.fails(self._cases)

    def _distance(
        self, said: set[str], ways: Sequence[Path], piece: tuple[Case, frozenset[str]]
    ) -> float:
        """The less, the more words they share that few other pieces hold.

        And the nearer to this mutant's clause another stands that the piece has noticed.
        """
        every = len(self._pieces)
        near = sum(way in self._noticed[id(piece)] for way in ways)
        words = sum(log(self._frequency[word] / every) for word in said & piece[1])
        return words - near * NEAR


def _held(trial: Trial, case: Case) -> Iterator[tuple[Case, str]]:
    """Its pieces, and what they are about; the case itself for one on which the rule fails.

    A case of one piece is known to hold.
    """
    for piece in pieces_of(case):
        whole = piece.case.source is case.source and set(piece.case.claims) == set(case.claims)
        yield (case if whole or trial.fails([piece.case]) else piece.case), piece.text


def _words(written: Data) -> list[str]:
    """Every word of a text, or of a rule's data and its keys, as often as it is written."""
    return _WORD.findall(str(written))


class _Respelt:
    """The fixtures rewritten as far as that proves what a resolve level promises.

    They are made when a mutant first needs them: most rules have none that does.
    """

    def __init__(self, trial: Trial, cases: Sequence[Case]) -> None:
        self._trial = trial
        self._cases = cases

    @cached_property
    def _all(self) -> Sequence[tuple[Case, Variant, Source]]:
        return [
            (case, variant, Kept.from_text(variant.text, case.source.path))
            for case in self._trial.fixture_cases(self._cases)
            for variant in rewritten(case.source.text, RESPELT)
        ]

    def notice(self, mutant: Mutant, mutated: Trial) -> bool:
        """Whether a mutant that follows names less far misses what is found under other names."""
        if mutant.act != "lower" or self._trial.around is not itself:
            return False
        return any(
            True
            for case, variant, source in self._all
            for _ in variant_mismatches(case, variant, mutated.check(source, case.profile))
        )


# What a resolve level promises is proved by the generated variants, not by hand.
RESPELT = ("import-as", "from-import", "alias")


def _fixes_otherwise(
    mutant: Mutant, mutated: Trial, cases: Sequence[Case], rule_file: File
) -> bool:
    """Whether the fixture's fixed text shows that the fix is another one."""
    return mutant.path[0] == "fix" and any(True for _ in fix_problems(mutated, cases, rule_file))


def _survived(trial: Trial, mutant: Mutant, cases: Sequence[Case], document: Document) -> str:
    line, column = _position(document, mutant.path)
    act = "deleted" if mutant.act == "delete" else f"changed ({mutant.act})"
    subsuming = _subsuming(trial, mutant, cases)
    if subsuming is not None:
        return (
            f"{document.path}:{line}:{column}: REDUNDANT: {mutant.clause} finds nothing that "
            f"{spell(subsuming)} does not find; delete it"
        )
    return (
        f"{document.path}:{line}:{column}: {_state(trial, mutant, cases)}: no fixture notices when "
        f"{mutant.clause} is {act}; add a line that does, or declare {mutant.key!r} equivalent"
    )


def _position(document: Document, path: Path) -> tuple[int, int]:
    """Where the clause stands, or the nearest clause around one that is not written."""
    while path:
        try:
            at(document.data, path)
            return document.position(*_native(document.data, path))
        except KeyError:
            path = path[:-1]
    return 1, 1


def _native(data: Data, path: Path) -> Path:
    """The path with the document's own keys, which may be numbers."""
    native: list[str | int] = []
    for step in path:
        keys = data if isinstance(data, Mapping) else ()
        native.append(next((key for key in keys if str(key) == str(step)), step))
        data = at(data, (step,))
    return tuple(native)


def _state(trial: Trial, mutant: Mutant, cases: Sequence[Case]) -> str:
    """UNREACHED: the clause alone matches no line of any fixture. Else UNASSERTED."""
    alone = _alone(trial.data, mutant.path)
    if alone is None:
        return "UNASSERTED"
    try:
        reached = trial.with_data(alone).fires(cases)
    except RuleError:
        return "UNASSERTED"
    return "UNASSERTED" if reached else "UNREACHED"


def _alone(rule: Data, path: Path) -> Data:
    """The rule with this clause as all it says; None where a clause cannot stand alone."""
    if not path or not isinstance(path[-1], int):
        return None
    value = at(rule, path)
    if isinstance(value, str):
        return replaced(rule, path[:-1], [value])
    if isinstance(value, dict) and isinstance(rule, dict) and "places" not in rule:
        positive = value.get("not", value.get("inside", value.get("not-inside", value)))
        return {key: part for key, part in rule.items() if key not in FILTERS} | {"match": positive}
    return None


FILTERS = frozenset({"unless", "doubtful", "where", "report", "equivalent", "skip"})


def _subsuming(trial: Trial, mutant: Mutant, cases: Sequence[Case]) -> Path | None:
    """The sibling whose deletion shows what this clause finds."""
    siblings = at(trial.data, mutant.path[:-1])
    if mutant.act != "delete" or not isinstance(siblings, list):
        return None
    for index in range(len(siblings)):
        other = (*mutant.path[:-1], index)
        if other != mutant.path and _shows(trial, mutant.path, other, cases):
            return other
    return None


def _shows(trial: Trial, path: Path, other: Path, cases: Sequence[Case]) -> bool:
    # The later one goes first, so that the earlier keeps its place.
    first, last = sorted((path, other), key=lambda step: int(step[-1]))
    try:
        alone = trial.with_data(without(trial.data, other))
        both = trial.with_data(without(without(trial.data, last), first))
    except RuleError:
        return False
    return bool(both.failures(cases) - alone.failures(cases))


def _wrongly_declared(key: str, document: Document) -> str:
    return (
        f"{document.path}: equivalent names {key!r}, which is no mutant that survives; "
        "a fixture notices it, or there is no such clause: delete the entry"
    )
