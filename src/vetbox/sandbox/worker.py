"""What a worker process does: load the interpreter once, then run job after job in it."""

import dataclasses
import resource
from pathlib import Path
from typing import cast

from vetbox.sandbox.host import Host
from vetbox.sandbox.image import Image
from vetbox.sandbox.job import Ending, Job
from vetbox.workers import JSON
from vetbox.workers.child import Emit, Handler

PIECE = 1_000_000  # characters of output in one message, whose size is limited


def start(config: JSON) -> Handler:
    """The handler for jobs; `config` is the folder of an image and the image as JSON."""
    folder, image = cast(tuple[str, dict[str, JSON]], config)
    host = Host(Image.from_json(Path(folder), image))

    def run(request: JSON, emit: Emit) -> JSON:
        job = Job.from_json(cast(dict[str, JSON], request))
        _limit_file_size(job.file_size)
        ending = host.run(job, lambda message: str(emit(message)))
        if len(ending.stdout) + len(ending.stderr) > PIECE:
            ending = _printed_in_pieces(ending, emit)
        return ending.to_json()

    return run


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
