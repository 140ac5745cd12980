"""`vetbox check --fix`: write what the rules say instead, or show it as a diff."""

import io
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from functools import partial
from pathlib import Path

from vetbox.code.source import Source, SourceError
from vetbox.errors import VetboxError
from vetbox.files.replacement import replace_file
from vetbox.files.sizes import NOTEBOOK
from vetbox.findings import Finding
from vetbox.late_dataclasses import dataclass
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.fixes import Fixed, fixed

NO_NEWLINE = "\n\\ No newline at end of file\n"


class FixError(VetboxError):
    """A file is as it was, for the sentence says why it could not be written."""


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file before and after its fixes."""

    path: Path
    source: Source
    result: Fixed

    @property
    def is_changed(self) -> bool:
        return self.result.text != self.source.text

    def diff(self) -> str:
        """The change as a unified diff."""
        name = self.path.as_posix()
        texts = (self.source.text, self.result.text)
        before, after = (io.StringIO(text, newline="").readlines() for text in texts)
        lines = unified_diff(before, after, f"a/{name}", f"b/{name}")
        return "".join(line if line.endswith("\n") else f"{line}{NO_NEWLINE}" for line in lines)

    def write(self) -> None:
        """Replace the file in one step, in the encoding and with the mode it had."""
        try:
            replace_file(self.path, self.source.encoded(self.result.text))
        except OSError as error:
            sentence = (
                f"{self.path} could not be fixed: {error.strerror}; the files before it were fixed"
            )
            raise FixError(sentence) from error


def fixed_files(
    findings: Iterable[Finding], rules: RuleSet, profile: Profile, *, unsafe: bool
) -> Iterator[FixedFile]:
    """Every file with a fix to offer, fixed; files are read again and nothing is written."""
    fixable = {name for name, rule in rules.rules.items() if rule.fix is not None}
    paths = dict.fromkeys(f.location.path for f in findings if f.code in fixable)
    for path in paths:
        found = _fixed_file(Path(path), rules, profile, unsafe=unsafe)
        if found is not None and found.is_changed:
            yield found


def linked_files(findings: Iterable[Finding]) -> list[str]:
    """The files with a fix to offer that are links: what they lead to may be anybody's."""
    paths = dict.fromkeys(one.location.path for one in findings if one.fix is not None)
    return [path for path in paths if Path(path).is_symlink()]


def _fixed_file(path: Path, rules: RuleSet, profile: Profile, *, unsafe: bool) -> FixedFile | None:
    if path.is_symlink() or path.suffix == NOTEBOOK:
        return None
    try:
        source = Source.from_bytes(path.read_bytes(), str(path))
    except (OSError, SourceError):
        return None
    again = partial(_findings, path=str(path), rules=rules, profile=profile)
    return FixedFile(path, source, fixed(source.text, again, unsafe=unsafe))


def _findings(text: str, *, path: str, rules: RuleSet, profile: Profile) -> Sequence[Finding]:
    """What is left in a text that a fix has written."""
    try:
        return check(Source.from_text(text, path), rules, profile=profile)
    except SourceError:
        return ()
