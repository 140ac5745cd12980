"""A scan: the Python files of some paths, judged in parallel, each only when it has changed."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from vetbox import __version__
from vetbox.files.sizes import MAX_BYTES
from vetbox.files.user_cache import user_cache
from vetbox.findings import Failure, FailureKind, Finding, Profile
from vetbox.late_dataclasses import dataclass
from vetbox.scan.cache import CLEAN, Entry, ScanCache, entry_of
from vetbox.scan.files import FoundFile, absolute, discover
from vetbox.scan.records import failure_of, failure_record, finding_of

if TYPE_CHECKING:
    from vetbox.rules import Rule, RuleSet
    from vetbox.scan.forks import Died, Limits

_BYTES_A_CPU_S = 25_000  # judged without flows in the slowest of large files: twice as many
FILE_CPU_S = 10.0  # of 6,800 files in popular packages the worst takes 2 s, bottle.py near ten
# Below either, every file is parsed; above, those that rules or signs of broken syntax point at.
PARSE_ALL_FILES, PARSE_ALL_BYTES = 200, 2_000_000
_BYTES_A_JOB = 1_500_000  # a second's work or two; a worker more costs one of processor time
_STORED_AT_ONCE = 500  # a scan that is interrupted goes on from there
Progress = Callable[[int, int], None]
Answer = tuple[tuple[Finding, ...], tuple[Failure, ...]]


class RulesOnDemand(Mapping[str, "Rule"]):
    """Rules by id; known by `digest`, loaded when something has to be judged or told of them.

    A scan of files that have not changed does neither, and loading is most of what it would cost.
    `failures` are the files of rules that were asked for and cannot be read.
    """

    def __init__(
        self, digest: str, load: "Callable[[], RuleSet]", failures: Sequence[Failure] = ()
    ) -> None:
        self.digest, self._load, self.failures = digest, load, failures

    @classmethod
    def ready(cls, rules: "RuleSet", failures: Sequence[Failure] = ()) -> "RulesOnDemand":
        return cls(rules.digest, lambda: rules, failures)

    @cached_property
    def loaded(self) -> "RuleSet":
        """The rules themselves; raises RuleError for files that hold none."""
        return self._load()

    def __getitem__(self, name: str) -> "Rule":
        return self.loaded.rules[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.loaded.rules)

    def __len__(self) -> int:
        return len(self.loaded.rules)


class UnreadableRecord(Exception):
    """The scan cache holds something that nobody wrote there."""


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """How to scan; `jobs` processes (default: one a core, fewer for little code).

    `exclude` are globs in .gitignore's syntax, from `root` (default: the current folder); they and
    .gitignore hold while `respect_ignores`. `parse_all` looks for syntax errors in files that no
    rule points at, too (default: in small scans).
    """

    profile: Profile
    jobs: int | None = None
    cache: bool = True
    exclude: Sequence[str] = ()
    root: Path | None = None
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
    rules: RulesOnDemand,
    options: ScanOptions,
    *,
    progress: Progress | None = None,
) -> Scan:
    """Judge every Python file of the paths; each is named as a person would type it.

    A file is given FILE_CPU_S and MEMORY_BYTES; one that takes more, or kills its worker, is a
    failure like one that cannot be read. One that took too long is judged again without flows, for
    which a large one is given more time.
    """
    found = discover(
        paths,
        exclude=options.exclude,
        root=options.root,
        respect_ignores=options.respect_ignores,
    )
    if options.parse_all is None:
        options = replace(options, parse_all=is_small(found.files))
    cache = _cache(rules, options) if options.cache else None
    if cache is None or not cache.exists:
        rules.loaded  # noqa: B018 - rules that cannot be used are an error even where there is no file
    try:
        answers = _answers(found.files, rules, options, cache, progress)
    except UnreadableRecord:
        answers = _answers(found.files, rules, options, None, progress)
    failures = chain(found.failures, *(failed for _, failed in answers))
    return Scan(
        findings=tuple(chain.from_iterable(findings for findings, _ in answers)),
        failures=tuple(sorted(failures, key=lambda failure: failure.path)),
        paths=tuple(file.path for file in found.files),
        skipped=found.skipped,
    )


def scan_text(data: bytes, name: str, rules: RulesOnDemand, options: ScanOptions) -> Scan:
    """Judge one file that is not on the disk, within the limits of any other; `name` is its path.

    It is always parsed and never remembered.
    """
    from vetbox.scan.forks import forked
    from vetbox.scan.judge import PipedJudge

    file = FoundFile(name, len(data), 0, 0)
    judge = PipedJudge(data, rules.loaded, options.profile)
    ((_, answer),) = forked(judge.steps, [(file, None)], jobs=1, limits=limits())
    record, _ = _settled(file, answer)
    findings, failures = _read(record, name)
    return Scan(findings, failures, (name,), {})


def limits(size: int = 0) -> "Limits":
    """The processor time and memory that a file may take, by its size in bytes."""
    from vetbox.scan.forks import Limits
    from vetbox.scan.judge import MEMORY_BYTES

    code = min(size, MAX_BYTES)  # the rest of a notebook is pictures
    return Limits(cpu_s=max(FILE_CPU_S, code / _BYTES_A_CPU_S), memory_bytes=MEMORY_BYTES)


def is_small(files: Sequence[FoundFile]) -> bool:
    """Few files, or short ones: parsing all of them takes a second or two."""
    size = sum(file.size for file in files)
    return len(files) < PARSE_ALL_FILES or size < PARSE_ALL_BYTES


def _cache(rules: RulesOnDemand, options: ScanOptions) -> ScanCache | None:
    folder = user_cache()
    if folder is None:
        return None
    asked = (rules.digest, options.profile, str(options.parse_all))
    return ScanCache.of(folder, __version__, sys.version, *asked)


def _answers(
    files: Sequence[FoundFile],
    rules: RulesOnDemand,
    options: ScanOptions,
    cache: ScanCache | None,
    progress: Progress | None,
) -> list[Answer]:
    """One for each file; raises UnreadableRecord, and forgets it, where the cache holds garbage."""
    records = _records(files, rules, options, cache, progress)
    try:
        return [_read(record, file.path) for record, file in zip(records, files, strict=True)]
    except (ValueError, TypeError, KeyError) as error:
        if cache is None:
            raise
        cache.forget()
        raise UnreadableRecord from error


def _records(
    files: Sequence[FoundFile],
    rules: RulesOnDemand,
    options: ScanOptions,
    cache: ScanCache | None,
    progress: Progress | None,
) -> list[str]:
    """One for each file: the one that the cache has, or the answer of a worker."""
    paths = absolute(files)
    known = cache.load(paths) if cache else {}
    entries = [known.get(path) for path in paths]
    records = [
        entry.record if entry is not None and entry.untouched(file) else ""
        for entry, file in zip(entries, files, strict=True)
    ]
    left = _largest_first(files, records)
    if not left:
        return records
    asked = [(files[index], entries[index]) for index in left]
    fresh: dict[str, Entry] = {}
    answers = _judged(asked, rules, options, cached=cache is not None)
    for done, (number, answer) in enumerate(answers, 1 + len(files) - len(left)):
        index = left[number]
        records[index], entry = _settled(files[index], answer)
        if entry is not None:
            fresh[paths[index]] = entry
        if cache and (len(fresh) == _STORED_AT_ONCE or done == len(files)):
            cache.store(fresh)
            fresh = {}
        if progress:
            progress(done, len(files))
    return records


def _largest_first(files: Sequence[FoundFile], records: Sequence[str]) -> list[int]:
    """The files without a record; large ones while the workers still have the memory for them."""
    left = [index for index, record in enumerate(records) if not record]
    return sorted(left, key=lambda index: files[index].size, reverse=True)


def _judged(
    asked: Sequence[tuple[FoundFile, Entry | None]],
    rules: RulesOnDemand,
    options: ScanOptions,
    *,
    cached: bool,
) -> "Iterator[tuple[int, str | Died]]":
    """(index in `asked`, answer) of each file, in the order they are done.

    Files that take too long are judged again at the end, without flows.
    """
    from vetbox.scan.forks import Died, forked
    from vetbox.scan.judge import HastyJudge, Judge

    parse_all = bool(options.parse_all)
    judge = Judge(
        rules.loaded, options.profile, parse_all=parse_all, cached=cached, files=len(asked)
    )
    jobs = options.jobs or _jobs_for(sum(file.size for file, _ in asked))
    if jobs > 1:
        judge.begin(asked)
    late: list[int] = []
    for number, answer in forked(judge.steps, asked, jobs=jobs, limits=limits()):
        if isinstance(answer, Died) and answer.overtime:
            late.append(number)
        else:
            yield number, answer
    if late:
        hasty = HastyJudge(rules.loaded, options.profile, parse_all=parse_all)
        again = [asked[number] for number in late]
        patience = limits(max(file.size for file, _ in again))
        for place, answer in forked(hasty.steps, again, jobs=jobs, limits=patience):
            yield late[place], answer


def _jobs_for(size: int) -> int:
    """One a core, while each saves more time than its start takes."""
    return min(os.cpu_count() or 1, 1 + size // _BYTES_A_JOB)


def _settled(file: FoundFile, answer: "str | Died") -> tuple[str, Entry | None]:
    """The record of a file and its cache entry; None where its worker died."""
    from vetbox.scan.judge import DIGEST_CHARACTERS

    if not isinstance(answer, str):
        kind = FailureKind.TIMEOUT if answer.overtime else FailureKind.CRASHED
        failure = Failure(file.path, kind, f"not analysed: its worker {answer.how}")
        return json.dumps([[], failure_record(failure)]), None
    digest, record = answer[:DIGEST_CHARACTERS], answer[DIGEST_CHARACTERS:]
    if not digest.strip():
        return record, None
    return record, entry_of(file, bytes.fromhex(digest), record)


def _read(record: str, path: str) -> Answer:
    if record == CLEAN:
        return (), ()
    findings, failure = json.loads(record)
    failures = (failure_of(failure, path),) if failure else ()
    return tuple(finding_of(finding, path) for finding in findings), failures
