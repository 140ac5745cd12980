"""One question the service answers: its parameters, its result and the function between them."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from vetbox.progress import Progress, no_progress

P = TypeVar("P", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Call:
    """The caller of an answer in progress.

    `cancel` is set when the caller no longer wants it; `progress(done, total, message)` may be
    called from any thread, never blocks and never raises.
    """

    cancel: threading.Event = field(default_factory=threading.Event)
    progress: Progress = no_progress


@dataclass(frozen=True, slots=True)
class Hints:
    """What a client may assume of an endpoint before it asks."""

    read_only: bool = True
    destructive: bool = False
    idempotent: bool = True
    open_world: bool = False


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[P, R]):
    """A named question. `answer` is a plain function that may block; it runs in a thread.

    `text` says the result in words, for readers that do not take structured content;
    `failed` says whether the result is an execution error.
    """

    name: str
    title: str
    description: str
    params: type[P]
    result: type[R]
    answer: Callable[[P, Call], R]
    text: Callable[[R], str]
    failed: Callable[[R], bool] = lambda result: False
    hints: Hints = Hints()


# A table of them holds endpoints of every kind; each keeps its own two models together.
AnyEndpoint = Endpoint[Any, Any]
