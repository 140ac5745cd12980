"""A rule as the engine runs it, and a set of them: frozen, picklable, free of heavy imports."""

import fnmatch
import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from vetbox.errors import RuleError, UnknownName
from vetbox.findings import Confidence, Profile, Severity
from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.anchors import Anchor, Reach
from vetbox.rules.language.comments import MEANINGS
from vetbox.rules.language.globs import path_matches
from vetbox.rules.language.sealing import Sealed

if TYPE_CHECKING:
    from vetbox.rules.language.correction import Correction
    from vetbox.rules.language.formula import Formula, Report
    from vetbox.rules.language.meaning import Meaning
    from vetbox.rules.language.taint import Taint

__all__ = ["Paths", "Profile", "Rule", "RuleError", "RuleSet"]


@dataclass(frozen=True, slots=True)
class Paths:
    """The files a rule looks at; without `include`, all but the excluded."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __contains__(self, path: str) -> bool:
        if path_matches(path, self.exclude):
            return False
        return not self.include or path_matches(path, self.include)


@dataclass(frozen=True, slots=True)
class Rule:
    """What to look for (`meaning`, sealed until somebody looks) and what to say about it.

    `profiles` has the severity in each profile, None where the rule is off; `messages` those that
    differ from `message`. The rule can fire only where one of `anchors` is written, and one of
    `needs` if it has any; without anchors, everywhere. A rule with `flows` looks for tainted data,
    and its `matcher` is where that ends; those in `excused_by` may tell that there is none, and
    what those in `told_by` find is not said again. `pack` is the folder of its file; `digest`
    changes with anything it says. `sure` is its meaning without what makes it doubtful, if anything
    does: code about to run may run or not, however likely the danger is.
    """

    id: str
    message: str
    severity: Severity
    meaning: "Meaning | Sealed"
    confidence: Confidence = Confidence.HIGH
    cwe: tuple[int, ...] = ()
    profiles: Mapping[Profile, Severity | None] = field(default_factory=dict)
    messages: Mapping[Profile, str] = field(default_factory=dict)
    paths: Paths = field(default_factory=Paths)
    flows: bool = False
    anchors: tuple[Anchor, ...] = ()
    needs: tuple[Anchor, ...] = ()
    reach: Reach = Reach.NAMES
    why: str = ""
    instead: str = ""
    references: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    excused_by: tuple[str, ...] = ()
    told_by: tuple[str, ...] = ()
    pack: str = ""
    digest: str = ""
    sure: "Meaning | Sealed | None" = None

    @property
    def sealed(self) -> "Rule":
        """The same rule, quick to read back."""
        if isinstance(self.meaning, Sealed):
            return self
        sure = None if self.sure is None else Sealed.of(self.sure)
        return replace(self, meaning=Sealed.of(self.meaning), sure=sure)

    def meant_in(self, profile: Profile) -> "Rule":
        """The rule as it is asked for by who is asking."""
        if profile is not Profile.AGENT or self.sure is None:
            return self
        return replace(self, meaning=self.sure, sure=None)

    @property
    def matcher(self) -> "Formula":
        return self._opened.matcher

    @property
    def report(self) -> "Report":
        return self._opened.report

    @property
    def taint(self) -> "Taint | None":
        return self._opened.taint

    @property
    def fix(self) -> "Correction | None":
        return self._opened.fix

    @property
    def _opened(self) -> "Meaning":
        meaning = self.meaning
        return cast("Meaning", meaning.open()) if isinstance(meaning, Sealed) else meaning

    def message_in(self, profile: Profile) -> str:
        """The template of its message for who is asking."""
        return self.messages.get(profile, self.message)


@dataclass(frozen=True)
class RuleSet:
    """Rules by id; `digest` changes with anything that may change a finding.

    `left_out` has the ids that a selection left out, and what it does not want to hear of comments.
    """

    rules: Mapping[str, Rule]
    left_out: frozenset[str] = frozenset()
    programs: dict[Profile, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, rules: Iterable[Rule], left_out: Iterable[str] = ()) -> "RuleSet":
        return cls(MappingProxyType({rule.id: rule for rule in rules}), frozenset(left_out))

    @cached_property
    def digest(self) -> str:
        lines = [f"{name} {rule.digest}" for name, rule in sorted(self.rules.items())]
        return hashlib.sha256("\n".join((*lines, *sorted(self.left_out))).encode()).hexdigest()

    def select(self, *, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> "RuleSet":
        """Only the selected (all if none are), without the ignored; each an id, a pack or a glob.

        What is said of comments, wherever they are, can be ignored as well. Raises UnknownName for
        a word that names none of them.
        """
        unheard = {code for word in ignore for code in fnmatch.filter(MEANINGS, word)}
        for word in (*select, *(one for one in ignore if not fnmatch.filter(MEANINGS, one))):
            if not any(_named(rule, word) for rule in self.rules.values()):
                raise UnknownName(word, self._hint(word))
        chosen = [one for one in self.rules.values() if _wanted(one, select, ignore)]
        return self._only(chosen, unheard)

    def without_flows(self) -> "RuleSet":
        """Only the rules that look at single places, and follow no data."""
        return self._only([rule for rule in self.rules.values() if not rule.flows])

    def _only(self, kept: Sequence[Rule], unheard: Set[str] = frozenset()) -> "RuleSet":
        if len(kept) == len(self.rules) and unheard <= self.left_out:
            return self
        left_out = self.rules.keys() - {rule.id for rule in kept}
        return RuleSet.of(kept, left_out | unheard | self.left_out)

    def _hint(self, word: str) -> str:
        if word in MEANINGS:
            return "it is said of comments in every check, and can only be ignored"
        import difflib

        words = {name for rule in self.rules.values() for name in (rule.id, rule.pack)}
        near = difflib.get_close_matches(word, sorted(words), n=1)
        return f"did you mean '{near[0]}'?" if near else "`vetbox rules list` shows all"

    def __reduce__(self) -> tuple[object, ...]:
        return RuleSet.of, (tuple(self.rules.values()), self.left_out)


def _wanted(rule: Rule, select: Sequence[str], ignore: Sequence[str]) -> bool:
    chosen = not select or any(_named(rule, word) for word in select)
    return chosen and not any(_named(rule, word) for word in ignore)


def _named(rule: Rule, word: str) -> bool:
    return word in (rule.id, rule.pack) or fnmatch.fnmatchcase(rule.id, word)
