"""The judge of a scan: in a worker process, a file becomes the record of what was found in it."""

import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from vetbox.code.source import Source, SourceError
from vetbox.files.sizes import NOTEBOOK, most_bytes
from vetbox.findings import Failure, FailureKind, Finding, Profile
from vetbox.late_dataclasses import dataclass
from vetbox.rules import RuleSet, check, readable
from vetbox.rules.filtering.prefilter import Seen
from vetbox.rules.filtering.signs import OLD_PYTHON
from vetbox.rules.program import program_of
from vetbox.scan.cache import CLEAN, Entry, digest_of
from vetbox.scan.files import FoundFile
from vetbox.scan.records import failure_record, finding_record
from vetbox.scan.signs import are_meant, unpaired

MEMORY_BYTES = 800_000_000  # what one worker may allocate beyond what it starts with
DIGEST_CHARACTERS = 32
_NO_DIGEST = " " * DIGEST_CHARACTERS
_MANY_FILES = 100  # among so many some have findings, and their judge is a third of a second's load
_LARGE_BYTES = 100_000  # of larger files a worker holds one at a time
_BEGUN_BYTES = 1_000_000  # by then automata know most of what they meet: half a second's work
_UNFOLLOWED = "analysed in part: where its data goes took too long to follow; split the file"
Asked: TypeAlias = tuple[FoundFile, Entry | None]


@dataclass(frozen=True, slots=True)
class Looked:
    """A file that was read: its prefilter hits, and whether it may have broken syntax."""

    digest: str
    source: Source
    seen: Seen
    broken: bool


class Judge:
    """Made before the workers are forked, which share its rules; `steps` are what they take.

    An answer is the hash of the file's content, blank when nobody is to know it, then its record.
    """

    def __init__(
        self, rules: RuleSet, profile: Profile, *, parse_all: bool, cached: bool, files: int
    ) -> None:
        self._rules, self._profile, self._parse_all = rules, profile, parse_all
        self._cached = cached
        self._program = program_of(rules, profile)
        self.steps = (self.look, self.answer)
        if files > _MANY_FILES:
            import vetbox.rules.late_inits  # isort: split
            import vetbox.rules.following
            import vetbox.rules.judging

            if profile is not Profile.AGENT:  # once for all workers, as what is loaded
                vetbox.rules.following.make_ready(self._program)

    def begin(self, asked: Iterable[Asked]) -> None:
        """Look at the first files that are not large, before workers are forked.

        What RE2 has worked out by then none of them has to work out again; nothing else is kept,
        as each would hold it.
        """
        left = _BEGUN_BYTES
        for file, known in asked:
            if file.size <= _LARGE_BYTES:
                with suppress(Exception):  # a worker says of it what there is to say
                    self._looked(file, known)
                left -= file.size
            if left <= 0:
                return

    def look(self, asked: Asked) -> Asked | Looked | str:
        """Read a file and prefilter its rules; a large one is left for `answer` to read."""
        return asked if asked[0].size > _LARGE_BYTES else self._looked(*asked)

    def answer(self, begun: Asked | Looked | str) -> str:
        """The digest and record of a file that was looked at, or of a large one read now."""
        looked = self._looked(*begun) if isinstance(begun, tuple) else begun
        if isinstance(looked, str):
            return looked
        return looked.digest + self._record(looked)

    def _looked(self, file: FoundFile, known: Entry | None) -> Looked | str:
        try:
            data = self._read(file)
        except OSError as error:
            failure = Failure(file.path, FailureKind.UNREADABLE, error.strerror or str(error))
            return _NO_DIGEST + _failed(failure)
        digest = _NO_DIGEST
        if self._cached:
            told = digest_of(data)
            digest = told.hex()
            if known is not None and known.digest == told and known.shown == file.path:
                return digest + known.record
        try:
            source = Source.from_bytes(data, file.path)
            seen = self._program.seen(source)
            broken = self._parse_all or OLD_PYTHON in seen.signs or unpaired(source.data)
            return Looked(digest, source, seen, broken) if broken or seen.any else digest + CLEAN
        except SourceError as error:
            return digest + _failed(error.failure)
        except MemoryError:
            return digest + _failed(_out_of_memory(file.path))

    def _read(self, file: FoundFile) -> bytes:
        """At most one byte more than may be analysed, in one call if that gives all of the file.

        Raises OSError also for what has become a pipe since it was found.
        """
        most = most_bytes(file.path)
        opened = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            data = os.read(opened, min(file.size, most) + 1)
            if len(data) != file.size:  # it has changed, or the system gives it in pieces
                if not stat.S_ISREG(os.fstat(opened).st_mode):
                    raise OSError(None, "not a regular file; only those are read")
                while len(data) <= most and (more := os.read(opened, most + 1 - len(data))):
                    data += more
        finally:
            os.close(opened)
        return data

    def _record(self, looked: Looked) -> str:
        source = looked.source
        try:
            if looked.broken and (self._parse_all or are_meant(source.data)):
                source.tree  # noqa: B018 - raises for what is not Python
            findings = check(source, self._rules, profile=self._profile, seen=looked.seen)
        except SourceError as error:
            return self._of_newer(source, error.failure)
        except MemoryError:
            return _failed(_out_of_memory(source.path))
        # No fix can write the JSON of a notebook.
        return _told(findings, mends=not source.path.endswith(NOTEBOOK))

    def _of_newer(self, source: Source, failure: Failure) -> str:
        """What there is to say of code that is in the grammar of a newer Python."""
        if failure.kind is not FailureKind.SYNTAX:
            return _failed(failure)
        try:
            older = readable(source, self._profile)
            findings = check(older, self._rules, profile=self._profile)
        except SourceError as error:
            return _failed(error.failure)
        except MemoryError:
            return _failed(_out_of_memory(source.path))
        return _told(findings, mends=False)


class HastyJudge(Judge):
    """For files that took too long: judges them without flows, says so, and is never cached."""

    def __init__(self, rules: RuleSet, profile: Profile, *, parse_all: bool) -> None:
        super().__init__(rules.without_flows(), profile, parse_all=parse_all, cached=False, files=1)

    def _record(self, looked: Looked) -> str:
        record = super()._record(looked)
        findings, failure = ([], None) if record == CLEAN else json.loads(record)
        unfollowed = Failure(looked.source.path, FailureKind.TIMEOUT, _UNFOLLOWED)
        return json.dumps([findings, failure or failure_record(unfollowed)])


class PipedJudge(Judge):
    """For one file that is not on the disk; it is always parsed."""

    def __init__(self, data: bytes, rules: RuleSet, profile: Profile) -> None:
        super().__init__(rules, profile, parse_all=True, cached=False, files=1)
        self._data = data

    def _read(self, file: FoundFile) -> bytes:
        return self._data


def _told(findings: Iterable[Finding], *, mends: bool) -> str:
    """`mends`: may their fixes be written?"""
    told = [one if mends else replace(one, fix=None) for one in findings]
    return json.dumps([[*map(finding_record, told)], None]) if told else CLEAN


def _failed(failure: Failure) -> str:
    return json.dumps([[], failure_record(failure)])


def _out_of_memory(path: str) -> Failure:
    sentence = f"it needs more than {MEMORY_BYTES:,} bytes of memory; split it"
    return Failure(path, FailureKind.CRASHED, sentence)
