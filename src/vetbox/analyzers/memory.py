"""What a tool said about a content before: asked again about the same bytes, it says the same."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from vetbox.analyzers.base import Reading, together
from vetbox.findings import Failure, FailureKind, Finding
from vetbox.process import Cancelled
from vetbox.staging import StagedFile

MAX_FILES = 20_000  # some tens of megabytes
POLL_S = 0.05  # how soon a cancel event is noticed
# An end by time, memory or crash may have been the machine's doing.
PASSING = (FailureKind.TIMEOUT, FailureKind.CRASHED)


class Memory:
    """Readings by question and content, the least used forgotten first; for many threads.

    Files are read anew for every call, so an edit is always seen. Nothing is kept on disk, where
    somebody could plant an answer.
    """

    def __init__(self, max_files: int = MAX_FILES) -> None:
        self._readings: OrderedDict[Hashable, Reading] = OrderedDict()
        self._max_files = max_files
        self._lock = threading.Lock()

    def recalled(
        self, question: Hashable, files: Sequence[StagedFile]
    ) -> tuple[Reading, list[StagedFile]]:
        """What was said about these files with this content, and the files it does not know."""
        known: list[Reading] = []
        unknown: list[StagedFile] = []
        with self._lock:
            for file in files:
                key = _key(question, file)
                if key in self._readings:
                    self._readings.move_to_end(key)
                    known.append(self._readings[key])
                else:
                    unknown.append(file)
        return together(known), unknown

    def keep(self, question: Hashable, files: Sequence[StagedFile], reading: Reading) -> None:
        """Remember what was said about each of the files."""
        findings: dict[str, list[Finding]] = defaultdict(list)
        failures: dict[str, list[Failure]] = defaultdict(list)
        for finding in reading.findings:
            findings[finding.location.path].append(finding)
        for failure in reading.failures:
            failures[failure.path].append(failure)
        with self._lock:
            for file in files:
                if any(failure.kind in PASSING for failure in failures[file.path]):
                    continue
                said = Reading(tuple(findings[file.path]), tuple(failures[file.path]))
                self._readings[_key(question, file)] = said
            while len(self._readings) > self._max_files:
                self._readings.popitem(last=False)


class Turns:
    """So many may work at the same time; the others wait, unless they are called off."""

    def __init__(self, number: int) -> None:
        self._free = threading.BoundedSemaphore(number)

    @contextmanager
    def turn(self, cancel: threading.Event) -> Iterator[None]:
        """Raises Cancelled."""
        while not self._free.acquire(timeout=POLL_S):
            if cancel.is_set():
                raise Cancelled("The call was cancelled.")
        try:
            yield
        finally:
            self._free.release()


@dataclass(frozen=True, slots=True)
class Desk:
    """Where questions about files are answered: from memory, else when it is one's turn.

    Calls that ask the same at the same time wait for one answer.
    """

    turns: Turns
    memory: Memory = field(default_factory=Memory)

    def answer(
        self,
        question: Hashable,
        files: Sequence[StagedFile],
        ask: Callable[[Sequence[StagedFile]], Reading],
        cancel: threading.Event,
    ) -> Reading:
        """What is known of the files, and what `ask` says about the others. Raises Cancelled."""
        known, unknown = self.memory.recalled(question, files)
        if not unknown:
            return known
        with self.turns.turn(cancel):
            meanwhile, unknown = self.memory.recalled(question, unknown)
            fresh = ask(unknown) if unknown else Reading()
            self.memory.keep(question, unknown, fresh)
        return together([known, meanwhile, fresh])


def _key(question: Hashable, file: StagedFile) -> Hashable:
    return question, file.path, file.digest
