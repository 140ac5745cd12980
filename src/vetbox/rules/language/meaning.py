"""What a rule looks for and how it answers: the part of a rule that only a hit needs."""

from dataclasses import field

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.correction import Correction
from vetbox.rules.language.formula import Formula, Report
from vetbox.rules.language.taint import Taint


@dataclass(frozen=True, slots=True)
class Meaning:
    """The formula with where to point, the flows and the fix; `taint` makes it a rule on flows."""

    matcher: Formula
    report: Report = field(default_factory=Report)
    taint: Taint | None = None
    fix: Correction | None = None
