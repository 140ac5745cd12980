"""Trials: one rule, or a mutant of it, compiled from plain data and run over cases."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from vetbox.code.source import Source
from vetbox.documents import Document
from vetbox.findings import Finding
from vetbox.gate.cases import Case, mismatches
from vetbox.gate.clauses import Data
from vetbox.gate.models import Around, itself, rule_around
from vetbox.late_dataclasses import dataclass
from vetbox.rules import Profile, Rule, RuleSet, check
from vetbox.rules.loading.loader import rule_from_data, rule_from_document
from vetbox.rules.loading.shared import model_from_document


@dataclass(frozen=True, slots=True)
class Trial:
    """A rule or a model as its author wrote it (`data`), and the rule that the engine runs."""

    data: Data
    rule: Rule
    rules: RuleSet
    around: Around = itself

    @classmethod
    def read(cls, document: Document) -> "Trial":
        """The rule of a file; raises RuleError with the place of what is wrong."""
        data: Data = document.data
        rule = rule_from_document(document, Path(document.path).parent.name)
        return cls(data, rule, RuleSet.of([rule]))

    @classmethod
    def read_model(cls, document: Document) -> "Trial":
        """The rule around a model's file; raises RuleError with the place of what is wrong."""
        model_from_document(document)
        return cls.of(document.data, document.path, rule_around)

    @classmethod
    def of(cls, data: Data, path: str, around: Around = itself) -> "Trial":
        """Raises RuleError when the data is no rule."""
        rule = rule_from_data(around(data), path)
        return cls(data, rule, RuleSet.of([rule]), around)

    def with_data(self, data: Data) -> "Trial":
        """The same kind of file with other contents; raises RuleError when they are none."""
        return Trial.of(data, "clause", self.around)

    def check(self, source: Source, profile: Profile) -> tuple[Finding, ...]:
        return check(source, self.rules, profile=profile)

    def run(self, case: Case) -> tuple[Finding, ...]:
        return self.check(case.source, case.profile)

    def fails(self, cases: Iterable[Case]) -> bool:
        """Whether any case notices that this is not the rule it was written for."""
        return any(True for case in cases for _ in mismatches(case, self.run(case)))

    def failures(self, cases: Sequence[Case]) -> frozenset[str]:
        """What the cases have to say against it."""
        return frozenset(text for case in cases for text in mismatches(case, self.run(case)))

    def fires(self, cases: Sequence[Case]) -> bool:
        return any(self.run(case) for case in cases)

    def fixture_cases(self, cases: Sequence[Case]) -> Iterator[Case]:
        """The hand-written cases, each in the strictest profile the rule is on in."""
        seen: set[str] = set()
        for case in cases:
            on = self.rule.profiles.get(case.profile) is not None
            if on and not case.generated and case.label not in seen:
                seen.add(case.label)
                yield case
