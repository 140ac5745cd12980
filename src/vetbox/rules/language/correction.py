"""What a rule says to write instead of what it found, as frozen values."""

from vetbox.findings import Safety
from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.formula import Formula


@dataclass(frozen=True, slots=True)
class Substitution:
    r"""What stands in a match's text instead of the RE2, `count` times or (0) wherever it matches.

    `by` may name the groups of the regex, as in `\1`.
    """

    regex: str
    by: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class Correction:
    """A template with the match's metavariables, other keyword arguments for its call, or its text
    with something substituted.

    `set_args` changes or adds, `add_args` only adds what is absent, `remove_args` drops; values
    are code. `imports` are the modules the new code needs; `when` limits it to some matches.
    """

    safety: Safety
    replace: str | None = None
    set_args: tuple[tuple[str, str], ...] = ()
    add_args: tuple[tuple[str, str], ...] = ()
    remove_args: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    when: Formula | None = None
    substitute: Substitution | None = None
