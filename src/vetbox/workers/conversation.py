"""A conversation: one request to a child, the questions that the child asks, and its answer.

Whoever answers a question also hears what the child says next. Handing every question to another
thread would have two more threads woken for it, which takes as long as the question itself.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from vetbox.workers.channel import JSON, Channel

LOOK_S = 0.05  # how soon a question is given up that must not be waited for any longer


class Listener(Protocol):
    """Who answers a child's questions, which may take for ever."""

    def answer(self, question: JSON) -> JSON:
        """The answer; runs in a thread of its own and may be left alone there."""

    def over(self) -> bool:
        """Whether no answer is waited for any more."""

    def instead(self, question: JSON) -> JSON:
        """What the child is answered then."""


@dataclass(frozen=True, slots=True)
class Line:
    """A channel with when and by whom waiting on it ends."""

    channel: Channel
    deadline: float
    cancel: threading.Event | None

    def send(self, kind: str, payload: JSON) -> None:
        self.channel.send(kind, payload, deadline=self.deadline, cancel=self.cancel)

    def receive(self) -> tuple[str, JSON]:
        return self.channel.receive(deadline=self.deadline, cancel=self.cancel)

    def last(self, answer: Callable[[JSON], JSON], said: tuple[str, JSON]) -> tuple[str, JSON]:
        """The child's last message, done or failed, its questions answered until then."""
        while said[0] == "emit":
            self.send("reply", answer(said[1]))
            said = self.receive()
        return said


class Patience:
    """Lets a listener take its time, as long as the listener itself says."""

    def __init__(self, line: Line, listener: Listener) -> None:
        self._line, self._listener = line, listener
        self._ended = threading.Event()
        self._turn = threading.Lock()
        self._answering = self._left = False
        self._question: JSON = None
        self._last: tuple[str, JSON] | BaseException = ("failed", "nobody listened")

    def last(self, said: tuple[str, JSON]) -> tuple[str, JSON]:
        """As `Line.last`; raises what the listener's thread did."""
        if said[0] != "emit":
            return said
        threading.Thread(target=self._go_on, args=(said,), name="vetbox-tools", daemon=True).start()
        while not self._ended.wait(LOOK_S):
            if self._listener.over() and self._leave():
                return self._line.last(self._listener.instead, ("emit", self._question))
        if isinstance(self._last, BaseException):
            raise self._last
        return self._last

    def _go_on(self, said: tuple[str, JSON]) -> None:
        try:
            self._last = self._line.last(self._answer, said)
        except _Left:
            return
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is awaited
            self._last = error
        self._ended.set()

    def _answer(self, question: JSON) -> JSON:
        with self._turn:
            self._answering, self._question = True, question
        answer = self._listener.answer(question)
        with self._turn:
            self._answering = False
            if self._left:
                raise _Left
        return answer

    def _leave(self) -> bool:
        """Take the conversation over from a listener that is still busy; whether it is."""
        with self._turn:
            self._left = self._answering
            return self._left


class _Left(Exception):
    """The conversation went on without this listener."""
