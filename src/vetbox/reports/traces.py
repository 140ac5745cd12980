"""How data got to a finding: one line per step, its code and what happens there."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from vetbox.counting import counted
from vetbox.findings import Step
from vetbox.reports.escaping import visible, width
from vetbox.reports.frames import Line

MAX_STEPS = 12  # the first and the last half of them; nobody reads more
CODE_COLUMNS = 52
_BESIDE_CODE = 38  # columns of a narrow terminal: the margin, and most notes
_LEAST_CODE = 20


def trace_lines(
    steps: Sequence[Step], lines: Sequence[str], margin: str, columns: int | None = None
) -> Iterator[Line]:
    """A table of line number, code and note below the frame; nothing for a flow within one line."""
    most = CODE_COLUMNS
    if columns is not None:
        most = max(_LEAST_CODE, min(most, columns - _BESIDE_CODE))
    if len({step.location.line for step in steps}) <= 1:
        return
    yield (f"{margin}│ ", "gutter"), ("data flow:", "dim")
    for number, code, note in step_rows(steps, lines):
        yield (
            (f"{margin}│", "gutter"),
            (f"{number:>5}  ", "dim"),
            (fitted(code, most), "code"),
            (note, "note"),
        )


def step_rows(steps: Sequence[Step], lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Line number, code and note of each step; a long flow has its middle left out.

    Number and code are blank where they are those of the row above.
    """
    steps = without_repeats(steps)
    half = MAX_STEPS // 2
    omitted = max(0, len(steps) - MAX_STEPS)
    above = None
    for index, step in enumerate(steps):
        if omitted and index == half:
            yield "…", "", counted(omitted, "step") + " left out"
            above = None
        if not half <= index < half + omitted:
            line = step.location.line
            where = ("", "") if line == above else (str(line), code_of(step, lines))
            yield *where, visible(step.note)
            above = line


def without_repeats(steps: Sequence[Step]) -> Sequence[Step]:
    """What happens several times on one line, as in `f(g(x))`, is told once."""
    told = groupby(steps, key=lambda step: (step.location.line, step.note))
    return [next(same) for _, same in told]


def code_of(step: Step, lines: Sequence[str]) -> str:
    """The line the step is on, without its indentation."""
    number = step.location.line
    return visible(lines[number - 1].strip()) if number <= len(lines) else ""


def fitted(code: str, columns: int = CODE_COLUMNS) -> str:
    """Cut or filled to so many columns, so that the notes stand below each other."""
    if width(code) > columns:
        code = code[: columns - 1] + "…"
    return code + " " * (columns + 2 - width(code))
