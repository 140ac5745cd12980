"""Code that is piped in, as editors and hooks do: `vetbox check -`."""

from collections.abc import Sequence
from pathlib import Path

import click

from vetbox.files.sizes import MAX_BYTES
from vetbox.late_dataclasses import dataclass
from vetbox.reports.lines import lines_in

DASH = Path("-")


@dataclass(frozen=True, slots=True)
class Piped:
    """The bytes of one file, and the path that it goes by in reports."""

    name: str
    data: bytes

    @classmethod
    def read(cls, name: Path) -> "Piped":
        """Standard input to its end, or one byte past what may be analysed."""
        from vetbox.cli.programs import standard_input  # a check of known files needs none of it

        return cls(str(name), standard_input().read(MAX_BYTES + 1))

    def lines(self, _: str) -> Sequence[str]:
        """The lines of the only file there is."""
        return lines_in(self.data)


def is_piped(paths: Sequence[Path], name: Path | None, others: Sequence[str]) -> bool:
    """Whether code comes from standard input; raises UsageError where not only that is asked for.

    `others` are options that speak of files on the disk.
    """
    if DASH not in paths:
        if name is not None:
            raise click.UsageError("--stdin-filename goes with `-`, code from standard input")
        return False
    if len(paths) > 1:
        raise click.UsageError("`-` stands alone; check files by another call of vetbox")
    if others:
        raise click.UsageError(f"{others[0]} needs a file; `-` is code from standard input")
    return True
