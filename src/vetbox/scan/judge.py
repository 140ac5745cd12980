"""The judge of a scan: in a worker process, a file becomes the record of what was found in it."""

import json
from typing import TypeAlias

from vetbox.findings import Failure, FailureKind, Profile
from vetbox.rules import RuleSet, check
from vetbox.rules.filtering.program import program_of
from vetbox.scan.cache import CLEAN, Entry, digest_of
from vetbox.scan.files import FoundFile
from vetbox.scan.records import failure_record, finding_record
from vetbox.scan.signs import looks_broken
from vetbox.source import MAX_BYTES, Source, SourceError

MEMORY_BYTES = 800_000_000  # what one worker may allocate beyond what it starts with
DIGEST_CHARACTERS = 32
_NO_DIGEST = " " * DIGEST_CHARACTERS
_MANY_FILES = 100  # among so many some have findings, and their judge is a third of a second's load
Asked: TypeAlias = tuple[FoundFile, Entry | None]


class Judge:
    """Made before the workers are forked, which share its rules."""

    def __init__(
        self, rules: RuleSet, profile: Profile, *, parse_all: bool, cached: bool, files: int
    ) -> None:
        self._rules, self._profile, self._parse_all = rules, profile, parse_all
        self._cached = cached
        program_of(rules, profile)
        if files > _MANY_FILES:
            import vetbox.rules.late_inits  # isort: split
            import vetbox.rules.judging
            import vetbox.rules.taint.findings  # noqa: F401 - loaded once for all workers

    def answer(self, asked: Asked) -> str:
        """The hash of the file's content (blank when nobody is to know it), then its record."""
        file, known = asked
        try:
            with open(file.path, "rb") as opened:
                data = opened.read(MAX_BYTES + 1)
        except OSError as error:
            failure = Failure(file.path, FailureKind.UNREADABLE, error.strerror or str(error))
            return _NO_DIGEST + json.dumps([[], failure_record(failure)])
        if not self._cached:
            return _NO_DIGEST + self._record(data, file.path)
        digest = digest_of(data)
        if known is not None and known.digest == digest and known.shown == file.path:
            return digest.hex() + known.record
        return digest.hex() + self._record(data, file.path)

    def _record(self, data: bytes, path: str) -> str:
        try:
            source = Source.from_bytes(data, path)
            if self._parse_all or looks_broken(data):
                source.tree  # noqa: B018 - raises for what is not Python
            findings = check(source, self._rules, profile=self._profile)
        except SourceError as error:
            return json.dumps([[], failure_record(error.failure)])
        except MemoryError:
            sentence = f"it needs more than {MEMORY_BYTES:,} bytes of memory; split it"
            failure = Failure(path, FailureKind.CRASHED, sentence)
            return json.dumps([[], failure_record(failure)])
        if not findings:
            return CLEAN
        return json.dumps([[finding_record(finding) for finding in findings], None])
