"""The host's end of the bridge: what the guest says, checked, and what it is answered.

Everything that comes in is the guest's claim. It can ask for functions on the list and report its
own result, nothing else; a message that is neither is refused with an error number.
"""

from collections.abc import Callable

from vetbox.sandbox.guest.protocol import CALL, PROGRAM, RESULT, START
from vetbox.sandbox.limits import Limit
from vetbox.sandbox.watch import Watch

Answer = Callable[[str], str]
EXIT_CODES = frozenset(map(str, range(256)))


class MessageRefused(Exception):
    """A message that the bridge does not know; the guest sees an OSError."""


class Channel:
    """The conversation of one run."""

    def __init__(
        self,
        program: str,
        answer: Answer,
        begin: Callable[[], None],
        calls_max: int,
        watch: Watch,
    ) -> None:
        self._program = program.encode()
        self._answer = answer
        self._begin = begin
        self._calls_max = calls_max
        self._watch = watch
        self._pending = b""
        self.calls = 0
        self.started = False
        self.result: tuple[int, str] | None = None
        self._operations: dict[bytes, Callable[[bytes], None]] = {
            PROGRAM: self._give_program,
            START: self._start,
            CALL: self._call,
            RESULT: self._end,
        }

    def take(self, message: bytes) -> None:
        """Hear one message of the guest."""
        operation = self._operations.get(message[:1])
        if operation is None:
            raise MessageRefused
        operation(message[1:])

    def give(self, size: int) -> bytes:
        """The next bytes of the answer; empty at its end."""
        chunk, self._pending = self._pending[:size], self._pending[size:]
        return chunk

    def _give_program(self, _: bytes) -> None:
        self._pending = self._program

    def _start(self, _: bytes) -> None:
        if not self.started:  # a second start would be a second budget
            self.started = True
            self._begin()

    def _call(self, body: bytes) -> None:
        self.calls += 1
        if self.calls > self._calls_max:
            self._watch.stop(Limit.TOOL_CALLS)
            raise MessageRefused
        self._pending = self._answer(_text(body)).encode("ascii")
        self._watch.over()

    def _end(self, body: bytes) -> None:
        code, space, value = _text(body).partition(" ")
        if not space or code not in EXIT_CODES:
            raise MessageRefused
        self.result = (int(code), value)


def _text(body: bytes) -> str:
    try:
        return body.decode("ascii")
    except UnicodeDecodeError:
        raise MessageRefused from None
