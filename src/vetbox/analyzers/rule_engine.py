"""Our own rules, checked in worker processes: a file that kills one costs only itself."""

import base64
import os
import pickle
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, cast

from pydantic import Field, TypeAdapter

from vetbox.analyzers.base import Job, Options, Reading, Words, ordered, together
from vetbox.analyzers.memory import Desk, Turns
from vetbox.code.source import Source, SourceError
from vetbox.findings import Analysis, Failure, FailureKind
from vetbox.process import Cancelled
from vetbox.rules import Profile, RuleError, RuleSet, check, readable
from vetbox.staging import StagedFile, StagedFiles
from vetbox.workers import (
    JSON,
    WorkerBusy,
    WorkerCancelled,
    WorkerDied,
    WorkerFailed,
    WorkerPool,
    WorkerTimeout,
)

MEMORY_BYTES = 1_000_000_000
FILE_S = 10.0
# Asked about together; those of a batch that fails are asked about alone.
BATCH_FILES, BATCH_BYTES = 64, 100_000
WORKERS = min(4, os.cpu_count() or 1)
POOLS_KEPT = 2  # rule sets with warm workers
NICENESS = 10  # the service that waits for the worker has others to answer meanwhile
REASONS = {
    WorkerTimeout: (FailureKind.TIMEOUT, f"analysis took longer than {FILE_S:g} s"),
    WorkerDied: (FailureKind.CRASHED, "analysis crashed or ran out of memory"),
    WorkerFailed: (FailureKind.CRASHED, "analysis failed"),
}
ANSWER = TypeAdapter(Reading)

Name = Annotated[str, Field(pattern=r"^[\w*?./-]+$")]
Names = Annotated[tuple[Name, ...], Words()]


class RulesOptions(Options):
    """Rule ids, packs or globs; the profile decides each rule's severity."""

    select: Names = ()
    ignore: Names = ()
    profile: Literal["repo", "agent"] = "repo"


@dataclass(frozen=True)
class RuleEngine:
    """Files in, the findings of `rules` out, suppressed ones among them."""

    name: ClassVar[str] = "rules"
    rules: RuleSet
    options: RulesOptions = field(default_factory=RulesOptions)

    def analyze(self, files: StagedFiles, job: Job) -> Analysis:
        try:
            chosen = self.rules.select(select=self.options.select, ignore=self.options.ignore)
        except RuleError as error:
            said = f"Rules tool not found or configuration error. {error}."
            return Analysis(self.name, error=said.replace("?.", "?"))

        question = (chosen.digest, self.options.profile)
        session = _Session(pool_of(chosen), self.options.profile, job)

        def examine(files: Sequence[StagedFile]) -> Reading:
            reading = _desk.answer(question, files, session.examine, job.cancel)
            job.advance(len(files), self.name)
            return reading

        with ThreadPoolExecutor(WORKERS) as threads:
            reading = together(list(threads.map(examine, batches(files.files))))
        return ordered(Analysis(self.name, reading.findings, reading.failures))


_desk = Desk(Turns(WORKERS))


def batches(files: Sequence[StagedFile]) -> Iterator[list[StagedFile]]:
    """Groups of files that are small together."""
    batch: list[StagedFile] = []
    for file in files:
        full = sum(each.size for each in batch) + file.size > BATCH_BYTES
        if batch and (full or len(batch) == BATCH_FILES):
            yield batch
            batch = []
        batch.append(file)
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class _Session:
    """One call's questions to the workers."""

    pool: WorkerPool
    profile: str
    job: Job

    def examine(self, files: Sequence[StagedFile]) -> Reading:
        reading = self._ask(files)
        if reading is None:
            reading = together([self._ask([file]) or Reading() for file in files])
        return reading

    def _ask(self, files: Sequence[StagedFile]) -> Reading | None:
        """None when several files failed together and each should be asked about alone."""
        request: JSON = {
            "profile": self.profile,
            "files": [[file.path, str(file.copy)] for file in files],
        }
        try:
            answer = self._call(request)
        except WorkerCancelled:
            raise Cancelled("The call was cancelled.") from None
        except (WorkerTimeout, WorkerDied, WorkerFailed) as error:
            if len(files) > 1:
                return None
            kind, sentence = next(REASONS[each] for each in REASONS if isinstance(error, each))
            return Reading(failures=(Failure(files[0].path, kind, sentence),))
        return ANSWER.validate_python(answer)

    def _call(self, request: JSON) -> JSON:
        """Other calls may keep all workers busy: that is no reason to give a file up."""
        while True:
            try:
                return self.pool.call(request, timeout_s=FILE_S, cancel=self.job.cancel)
            except WorkerBusy:
                continue


# The parent's side: warm workers for the rule sets used last ------------------------------------

_pools: dict[str, WorkerPool] = {}
_pools_lock = threading.Lock()


def pool_of(rules: RuleSet) -> WorkerPool:
    """Workers that hold these rules, started when first needed."""
    with _pools_lock:
        pool = _pools.pop(rules.digest, None) or _new_pool(rules)
        _pools[rules.digest] = pool
        while len(_pools) > POOLS_KEPT:
            _pools.pop(next(iter(_pools)))  # ends with the last call that uses it
    return pool


def _new_pool(rules: RuleSet) -> WorkerPool:
    # Pickled by us for our own child; nothing that comes back is ever unpickled.
    packed = base64.b64encode(pickle.dumps(rules)).decode("ascii")
    entry = "vetbox.analyzers.rule_engine:examiner"
    return WorkerPool(entry, size=WORKERS, memory_bytes=MEMORY_BYTES, config=packed)


# The worker's side ------------------------------------------------------------------------------


def examiner(config: JSON) -> Callable[[JSON, Callable[[JSON], JSON]], JSON]:
    """A worker's handler: checks the files of a request with the rules in `config`."""
    os.nice(NICENESS)
    rules: RuleSet = pickle.loads(base64.b64decode(cast(str, config)))  # noqa: S301 - our parent's

    def examine(request: JSON, emit: Callable[[JSON], JSON]) -> JSON:
        asked = cast(Mapping[str, Any], request)
        profile = Profile(asked["profile"])
        readings = [examined(path, Path(copy), rules, profile) for path, copy in asked["files"]]
        return cast(JSON, asdict(together(readings)))

    return examine


def examined(path: str, copy: Path, rules: RuleSet, profile: Profile) -> Reading:
    """What the rules say about one file; a file that no rule looks into is parsed all the same."""
    try:
        source = readable(Source.from_bytes(copy.read_bytes(), path), profile)
        return Reading(check(source, rules, profile=profile))
    except SourceError as error:
        return Reading(failures=(error.failure,))
