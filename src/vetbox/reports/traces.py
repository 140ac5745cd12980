"""How data got to a finding: one line per step, its code and what happens there."""

from collections.abc import Iterator, Sequence

from vetbox.findings import Step
from vetbox.reports.escaping import visible, width
from vetbox.reports.frames import Line

MAX_STEPS = 12  # the first and last halves of a longer way; nobody reads more
CODE_COLUMNS = 52


def trace_lines(steps: Sequence[Step], lines: Sequence[str], margin: str) -> Iterator[Line]:
    """A table of line number, code and note below the frame; nothing for a way of one line."""
    if len({step.location.line for step in steps}) <= 1:
        return
    yield (f"{margin}│ ", "gutter"), ("the way of the data:", "dim")
    for step in shortened(steps):
        code = fitted(code_of(step, lines))
        number = f"{step.location.line:>5}  "
        yield (
            (f"{margin}│", "gutter"),
            (number, "dim"),
            (code, "code"),
            (visible(step.note), "note"),
        )


def shortened(steps: Sequence[Step]) -> Sequence[Step]:
    if len(steps) <= MAX_STEPS:
        return steps
    half = MAX_STEPS // 2
    return (*steps[:half], *steps[-half:])


def code_of(step: Step, lines: Sequence[str]) -> str:
    """The line the step is on, without its indentation."""
    number = step.location.line
    return visible(lines[number - 1].strip()) if number <= len(lines) else ""


def fitted(code: str) -> str:
    """Cut or filled to CODE_COLUMNS, so that the notes stand below each other."""
    if width(code) > CODE_COLUMNS:
        code = code[: CODE_COLUMNS - 1] + "…"
    return code + " " * (CODE_COLUMNS + 2 - width(code))
