"""Running a command-line tool over staged files: in batches, under limits, never trusted to live.

A file that makes the tool crash, hang or babble is found by halving its batch; it becomes a failure
of that file and the others are analysed without it.
"""

import importlib.util
import json
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from vetbox.analyzers.base import Job, Options, Reading, ordered, together
from vetbox.analyzers.memory import Desk, Turns
from vetbox.errors import VetboxError
from vetbox.findings import Analysis, Failure, FailureKind
from vetbox.process import Completed, Limits, Surroundings, run, surroundings
from vetbox.staging import StagedFile, StagedFiles

BATCH_FILES = 2_000  # 2,000 paths are 100 KB of arguments; the system allows 2 MB
LEAST_FILES = 50  # fewer are not worth another start of the tool
START_S, FILE_S = 20.0, 0.2  # a batch may take its start and a share for each file
CALL_S = 300.0  # a batch and, where it fails, its halves
LIMITS = Limits(memory_bytes=2_000_000_000, file_bytes=1_000_000)
USAGE = 2  # the exit code of ruff, bandit and argparse for a wrong call
THREADS = min(4, os.cpu_count() or 1)


class ToolMissingError(VetboxError):
    """The tool is not installed."""


class ToolConfigurationError(VetboxError):
    """The tool refused how it was called."""


class UnreadableOutputError(VetboxError):
    """The tool did not say what it says when it is well."""


def json_output(output: bytes) -> Any:
    """What a tool's JSON holds. Raises UnreadableOutputError."""
    try:
        return json.loads(output)
    except ValueError as error:
        raise UnreadableOutputError(str(error)) from error


class CommandLineTool(ABC):
    """How a tool is called and how its answer is read; everything else is common."""

    name: ClassVar[str]
    options: Options
    listens: ClassVar[bool] = False  # to comments that no option of it ignores

    def analyze(self, files: StagedFiles, job: Job) -> Analysis:
        return analyze(self, files, job)

    @abstractmethod
    def command(self, place: Surroundings) -> Sequence[str | Path]:
        """The call without the files. Raises ToolMissingError."""

    @abstractmethod
    def read(self, output: bytes, files: "Batch") -> Reading:
        """What the tool said. Raises UnreadableOutputError."""

    def misused(self, returncode: int) -> bool:
        """Does the exit code say that the call itself was wrong?"""
        return returncode == USAGE

    def disarmed(self, data: bytes) -> bytes:
        """The file without the comments that it `listens` to."""
        return data


@dataclass(frozen=True, slots=True)
class Batch:
    """Some staged files, findable by the copy's path as tools write it."""

    files: Mapping[str, StagedFile]

    @classmethod
    def of(cls, files: Sequence[StagedFile]) -> "Batch":
        return cls({file.copy.stem: file for file in files})

    def __getitem__(self, copy: str) -> StagedFile:
        try:
            return self.files[Path(copy).stem]
        except KeyError:
            raise UnreadableOutputError(f"an answer about {copy}, which nobody asked for") from None

    def halves(self) -> "tuple[Batch, Batch]":
        files = list(self.files.values())
        middle = len(files) // 2
        return Batch.of(files[:middle]), Batch.of(files[middle:])


_desk = Desk(Turns(THREADS))


def analyze(tool: CommandLineTool, files: StagedFiles, job: Job) -> Analysis:
    """The tool's word on the files; an error of the tool as a whole is `Analysis.error`."""

    def examine(piece: Sequence[StagedFile]) -> Reading:
        question = (tool.name, tool.options)
        reading = _desk.answer(question, piece, lambda fresh: _asked(tool, fresh, job), job.cancel)
        job.advance(len(piece), tool.name)
        return reading

    try:
        with ThreadPoolExecutor(THREADS) as threads:
            reading = together(list(threads.map(examine, pieces(files.files))))
    except (ToolMissingError, ToolConfigurationError):
        return Analysis(
            tool.name, error=f"{tool.name.capitalize()} tool not found or configuration error."
        )
    return ordered(Analysis(tool.name, reading.findings, reading.failures))


def pieces(files: Sequence[StagedFile]) -> list[Sequence[StagedFile]]:
    """One for each processor, unless they would be very small or very large."""
    size = max(LEAST_FILES, min(BATCH_FILES, -(-len(files) // THREADS)))
    return [files[start : start + size] for start in range(0, len(files), size)]


def python_tool(module: str, *options: str) -> list[str | Path]:
    """`python -I -m module options`: nothing in the working folder can be imported instead."""
    if importlib.util.find_spec(module) is None:
        raise ToolMissingError(f"{module} is not installed; install vetbox[linters].")
    return [sys.executable, "-I", "-m", module, *options]


def _asked(tool: CommandLineTool, files: Sequence[StagedFile], job: Job) -> Reading:
    with surroundings(in_memory=True) as place:
        session = _Session(tool, tool.command(place), place, job, time.monotonic() + CALL_S)
        return session.examine(Batch.of(files))


@dataclass(frozen=True, slots=True)
class _Session:
    """One tool at work in its surroundings."""

    tool: CommandLineTool
    command: Sequence[str | Path]
    place: Surroundings
    job: Job
    deadline: float

    def examine(self, batch: Batch) -> Reading:
        problem = self._attempt(batch)
        if isinstance(problem, Reading):
            return problem
        if len(batch.files) == 1:
            (file,) = batch.files.values()
            sentence = f"{self.tool.name} {problem.value} on this file"
            return Reading(failures=(Failure(file.path, problem, sentence),))
        return together([self.examine(half) for half in batch.halves()])

    def _attempt(self, batch: Batch) -> Reading | FailureKind:
        timeout_s = self._time(len(batch.files))
        if timeout_s <= 0:
            return FailureKind.TIMEOUT
        done = self._run(batch, timeout_s)
        if self.tool.misused(done.returncode) and not done.timed_out:
            raise ToolConfigurationError(done.stderr.decode("utf-8", "replace"))
        if done.timed_out:
            return FailureKind.TIMEOUT
        if done.returncode < 0 or done.truncated:
            return FailureKind.CRASHED
        try:
            return self.tool.read(done.stdout, batch)
        except UnreadableOutputError:
            return FailureKind.CRASHED

    def _time(self, files: int) -> float:
        return min(START_S + FILE_S * files, self.deadline - time.monotonic())

    def _run(self, batch: Batch, timeout_s: float) -> Completed:
        return run(
            [*self.command, *(self._copy(file) for file in batch.files.values())],
            cwd=self.place.home,
            env=self.place.environment,
            timeout_s=timeout_s,
            limits=LIMITS,
            cancel=self.job.cancel,
        )

    def _copy(self, file: StagedFile) -> Path:
        if not self.tool.listens:
            return file.copy
        data = file.data()
        harmless = self.tool.disarmed(data)
        if harmless == data:
            return file.copy
        copy = self.place.folder / file.copy.name
        copy.write_bytes(harmless)
        return copy
