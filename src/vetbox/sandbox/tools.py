"""Host functions that a program may call: asked for by name, answered in JSON, timed."""

import contextlib
import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from vetbox.sandbox.guest import wire
from vetbox.sandbox.watch import Watch

LOOK_S = 0.05  # how soon a cancelled run stops waiting for a tool

Tool = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The functions of a sandbox by name, and the types that may cross beside the standard ones."""

    tools: Mapping[str, Tool] = field(default_factory=dict)
    tags: Mapping[str, wire.Tag] = field(default_factory=lambda: wire.STANDARD)

    def answer(self, message: str) -> str:
        """The answer to a call as text of the wire; a failure is an answer, too."""
        try:
            name, args, kwargs = _call(wire.loads(message, self.tags))
            tool = self._tool(name)
            return wire.dumps(["ok", tool(*args, **kwargs)], self.tags)
        except wire.WireError as error:
            return failure(ValueError(str(error)))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - crosses to the guest, raised there
            return failure(error)

    def _tool(self, name: str) -> Tool:
        if name not in self.tools:
            raise LookupError(f"there is no tool named {name!r}")
        return self.tools[name]


def failure(error: BaseException) -> str:
    """The answer that raises an exception of the same type and text in the guest."""
    text = error.args[0] if isinstance(error, KeyError) and len(error.args) == 1 else error
    return wire.dumps(["error", type(error).__name__, str(text)])  # str(KeyError) adds quotes


def _call(message: object) -> tuple[str, list[object], dict[str, object]]:
    match message:
        case [str(name), list(args), dict(kwargs)]:
            return name, args, kwargs
    raise ValueError("a call is a name, a list of arguments and their names")


class TimedToolbox:
    """Answers the calls of one run, each for as long as the run may still last.

    The functions run in a thread of their own, so that one which hangs ends the run and not the
    caller; such a thread is left behind and ends when its function does.
    """

    def __init__(self, toolbox: Toolbox, watch: Watch, message_max: int) -> None:
        self._toolbox = toolbox
        self._watch = watch
        self._message_max = message_max
        self._questions: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.cut = watch.reason  # why a function was not waited for any longer; none so far

    def answer_here(self, message: str) -> str:
        """The answer to a call, however long the function takes."""
        try:
            answer = self._toolbox.answer(message)
        except BaseException as error:  # noqa: BLE001 - nobody else would answer
            return failure(error)
        if len(answer) > self._message_max:
            return failure(ValueError(f"the tool's answer has {len(answer):,} bytes, too many"))
        return answer

    def over(self) -> bool:
        """Whether the run's time is over, or nobody wants it any more."""
        return self._watch.over()

    def cut_off(self) -> str:
        """The answer to a call when the run is over."""
        self.cut = self._watch.reason
        return failure(TimeoutError("the run was over before the tool answered"))

    def __enter__(self) -> "TimedToolbox":
        return self

    def __exit__(self, *_: object) -> None:
        self._questions.put(None)

    def answer(self, message: str) -> str:
        """The answer to a call, or a TimeoutError as the answer when the run's time is over."""
        if self._watch.over():
            return self.cut_off()
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="vetbox-tools", daemon=True)
            self._thread.start()
        self._questions.put(message)
        answer = self._awaited()
        if answer is None:
            self._questions.put(None)  # its thread ends when the function does
            self._thread, self._questions, self._answers = None, *_queues()
            return self.cut_off()
        return answer

    def _awaited(self) -> str | None:
        """The answer, or nothing when the run has to end first."""
        while not self._watch.over():
            with contextlib.suppress(queue.Empty):
                return self._answers.get(timeout=min(LOOK_S, max(0.0, self._watch.remaining())))
        return None

    def _serve(self) -> None:
        questions, answers = self._questions, self._answers
        while (message := questions.get()) is not None:
            answers.put(self.answer_here(message))


def _queues() -> tuple[queue.SimpleQueue[str | None], queue.SimpleQueue[str]]:
    return queue.SimpleQueue(), queue.SimpleQueue()
