"""What a worker process does: load the interpreter once, then run job after job in it."""

import dataclasses
import resource
from contextlib import suppress
from pathlib import Path
from typing import cast

from vetbox.sandbox.channel import Answer
from vetbox.sandbox.errors import SandboxError
from vetbox.sandbox.host import Host, Instance
from vetbox.sandbox.image import Image
from vetbox.sandbox.job import Ending, Job
from vetbox.workers import JSON
from vetbox.workers.child import Answered, Emit, Handler

PIECE = 1_000_000  # characters of output in one message, whose size is limited


def start(config: JSON) -> Handler:
    """The handler for jobs; `config` is the folder of an image and the image as JSON."""
    folder, image = cast(tuple[str, dict[str, JSON]], config)
    stand_in = StandIn(Host(Image.from_json(Path(folder), image)))
    stand_in.renew()

    def run(request: JSON, emit: Emit) -> "JSON | Answered":
        job = Job.from_json(cast(dict[str, JSON], request))
        _limit_file_size(job.file_size)
        ending = stand_in.run(job, lambda message: str(emit(message)))
        if len(ending.stdout) + len(ending.stderr) > PIECE:
            ending = _printed_in_pieces(ending, emit)
        return Answered(ending.to_json(), stand_in.renew)

    return run


class StandIn:
    """The instance for the next run, rehearsed while nobody waits for it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._ready: Instance | None = None
        self._used: Instance | None = None

    def run(self, job: Job, answer: Answer) -> Ending:
        """As `Host.run`, in an instance that no other run gets."""
        self._let_go()
        self._used, self._ready = self._ready or self._host.instance(), None
        return self._used.run(job, answer)

    def renew(self) -> None:
        """Give back the memory of the last run and make the next one's instance."""
        self._let_go()
        with suppress(SandboxError):  # the next run makes one, and says why if it cannot
            self._ready = self._rehearsed()

    def _rehearsed(self) -> Instance:
        instance = self._host.instance()
        try:
            instance.rehearse()
        except SandboxError:
            instance.close()
            raise
        return instance

    def _let_go(self) -> None:
        if self._used is not None:
            self._used.close()


def _printed_in_pieces(ending: Ending, emit: Emit) -> Ending:
    """Send the output ahead; what is left of the ending fits into one message."""
    for stream, text in (("stdout", ending.stdout), ("stderr", ending.stderr)):
        for start in range(0, len(text), PIECE):
            emit([stream, text[start : start + PIECE]])
    return dataclasses.replace(ending, stdout="", stderr="")


def _limit_file_size(size: int) -> None:
    """No file grows beyond this, not even as a hole; Python turns the signal into an OSError."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, hard))
