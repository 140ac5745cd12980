"""A scan: the Python files of some paths, judged in parallel, each only when it has changed."""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from vetbox import __version__
from vetbox.files import FoundFile, discover
from vetbox.findings import Failure, FailureKind, Finding
from vetbox.forks import Died, Limits, forked
from vetbox.records import failure_of, failure_record, finding_of, finding_record
from vetbox.rules import Profile, RuleSet, check
from vetbox.scan_cache import Entry, ScanCache, digest_of, entry_of
from vetbox.signs import looks_broken
from vetbox.source import MAX_BYTES, Source, SourceError
from vetbox.user_cache import user_cache

FILE_CPU_S = 10.0  # the worst file of 6,800 in popular packages takes 2 s
MEMORY_BYTES = 800_000_000  # what one worker may allocate beyond what it starts with
# Below either, every file is parsed; above, those that rules or signs of broken syntax point at.
PARSE_ALL_FILES, PARSE_ALL_BYTES = 200, 2_000_000
LIMITS = Limits(cpu_s=FILE_CPU_S, memory_bytes=MEMORY_BYTES)
_DIGEST_CHARACTERS = 32
_CLEAN = "[[],null]"
Progress = Callable[[int, int], None]
Answer = tuple[tuple[Finding, ...], tuple[Failure, ...]]


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """How to scan; `jobs` processes (default: one a core).

    `exclude` are globs in .gitignore's syntax, from the current folder; they and .gitignore hold
    while `respect_ignores`. `parse_all` looks for syntax errors in files that no rule points at,
    too (default: in small scans).
    """

    profile: Profile
    jobs: int | None = None
    cache: bool = True
    exclude: Sequence[str] = ()
    respect_ignores: bool = True
    parse_all: bool | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """`findings` by path and place, `failures` by path; `paths` were read, `skipped` counted."""

    findings: tuple[Finding, ...]
    failures: tuple[Failure, ...]
    paths: tuple[str, ...]
    skipped: Mapping[str, int]

    @property
    def files(self) -> int:
        return len(self.paths)


def scan(
    paths: Sequence[Path],
    rules: RuleSet,
    options: ScanOptions,
    *,
    progress: Progress | None = None,
) -> Scan:
    """Judge every Python file of the paths; each is named as a person would type it.

    A file is given FILE_CPU_S and MEMORY_BYTES; one that takes more, or kills its worker, is a
    failure like one that cannot be read.
    """
    found = discover(paths, exclude=options.exclude, respect_ignores=options.respect_ignores)
    thorough = is_small(found.files) if options.parse_all is None else options.parse_all
    judge = Judge(rules, options.profile, parse_all=thorough)
    store = _cache(rules, options.profile, thorough=thorough) if options.cache else None
    answers = _answers(found.files, judge, store, options.jobs or os.cpu_count() or 1, progress)
    failures = chain(found.failures, *(failed for _, failed in answers))
    return Scan(
        findings=tuple(chain.from_iterable(findings for findings, _ in answers)),
        failures=tuple(sorted(failures, key=lambda failure: failure.path)),
        paths=tuple(file.path for file in found.files),
        skipped=found.skipped,
    )


def is_small(files: Sequence[FoundFile]) -> bool:
    size = sum(file.size for file in files)
    return len(files) < PARSE_ALL_FILES or size < PARSE_ALL_BYTES


def _cache(rules: RuleSet, profile: Profile, *, thorough: bool) -> ScanCache | None:
    folder = user_cache()
    if folder is None:
        return None
    return ScanCache.of(folder, __version__, sys.version, rules.digest, profile, str(thorough))


def _answers(
    files: Sequence[FoundFile],
    judge: "Judge",
    cache: ScanCache | None,
    jobs: int,
    progress: Progress | None,
) -> list[Answer]:
    """One for each file: what the cache knows of it, or what a worker says."""
    paths = [os.path.abspath(file.path) for file in files]
    known = cache.load(paths) if cache else {}
    records: list[str | None] = [None] * len(files)
    for index, (path, file) in enumerate(zip(paths, files, strict=True)):
        entry = known.get(path)
        if entry is not None and entry.untouched(file):
            records[index] = entry.record
    open_ = [index for index, record in enumerate(records) if record is None]
    asked = [(files[index], known.get(paths[index])) for index in open_]
    fresh: dict[str, Entry] = {}
    done = len(files) - len(open_)
    for number, answer in forked(judge.answer, asked, jobs=jobs, limits=LIMITS):
        index = open_[number]
        record, entry = _settled(files[index], answer)
        records[index] = record
        if entry is not None:
            fresh[paths[index]] = entry
        done += 1
        if progress:
            progress(done, len(files))
    if cache:
        cache.store(fresh)
    return [_read(record, file.path) for record, file in zip(records, files, strict=True)]


def _settled(file: FoundFile, answer: "str | Died") -> tuple[str, Entry | None]:
    """The record of a file, and what to remember of it; nothing of a worker's death."""
    if isinstance(answer, Died):
        kind = FailureKind.TIMEOUT if answer.overtime else FailureKind.CRASHED
        failure = Failure(file.path, kind, f"not analysed: its worker {answer.how}")
        return json.dumps([[], failure_record(failure)]), None
    digest, record = answer[:_DIGEST_CHARACTERS], answer[_DIGEST_CHARACTERS:]
    if not digest.strip():
        return record, None
    return record, entry_of(file, bytes.fromhex(digest), record)


def _read(record: str | None, path: str) -> Answer:
    if not record or record == _CLEAN:
        return (), ()
    findings, failure = json.loads(record)
    failures = (failure_of(failure, path),) if failure else ()
    return tuple(finding_of(finding, path) for finding in findings), failures


class Judge:
    """Works in the children: a file in, its record out."""

    def __init__(self, rules: RuleSet, profile: Profile, *, parse_all: bool) -> None:
        self._rules, self._profile, self._parse_all = rules, profile, parse_all

    def answer(self, asked: tuple[FoundFile, Entry | None]) -> str:
        """The hash of the file's content (blank when it was not read), then its record."""
        file, known = asked
        try:
            with open(file.path, "rb") as opened:
                data = opened.read(MAX_BYTES + 1)
        except OSError as error:
            failure = Failure(file.path, FailureKind.UNREADABLE, error.strerror or str(error))
            return " " * _DIGEST_CHARACTERS + json.dumps([[], failure_record(failure)])
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
            return _CLEAN
        return json.dumps([[finding_record(finding) for finding in findings], None])
