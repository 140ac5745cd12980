"""The guest's end of the bridge: one descriptor that only the host's own functions answer.

A message is one operation byte and a text; real sockets do not exist in the box, so no other use of
`send` and `recv` is taken away.
"""

import _socket
import builtins

from vetbox.sandbox.guest import wire
from vetbox.sandbox.guest.protocol import CALL, CHANNEL, CHUNK

TAGS = dict(wire.STANDARD)


class ToolError(Exception):
    """A host function failed: `type` is the name of what it raised, `message` its text."""

    def __init__(self, message: str = "", type: str = "ToolError") -> None:  # noqa: A002
        super().__init__(message)
        self.type = type
        self.message = message


class Channel:
    """The descriptor, opened once when the snapshot is made and valid in every run."""

    def __init__(self) -> None:
        self._socket = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM, 0, CHANNEL)

    def tell(self, operation: bytes, text: str = "") -> None:
        """Send a message that has no answer."""
        self._socket.sendall(operation + text.encode("ascii"))

    def ask(self, operation: bytes, text: str = "") -> bytes:
        """Send a message and take the answer."""
        self.tell(operation, text)
        answer = self._socket.recv(CHUNK)
        if len(answer) < CHUNK:
            return answer
        return answer + b"".join(iter(self._chunk, b""))

    def _chunk(self) -> bytes:
        return self._socket.recv(CHUNK)


class _Link:
    channel: Channel | None = None


def connect() -> Channel:
    """The channel to the host."""
    if _Link.channel is None:
        _Link.channel = Channel()
    return _Link.channel


def call(name: str, args: list[object], kwargs: dict[str, object]) -> object:
    """What the host's function of that name returns; what it raises is raised here."""
    message = wire.dumps([name, list(args), dict(kwargs)], TAGS)
    answer = wire.loads(connect().ask(CALL, message).decode("ascii"), TAGS)
    match answer:
        case ["ok", value]:
            return value
        case ["error", str(kind), str(text)]:
            raise error(kind, text)
    raise ToolError(f"{name} was answered in a way the bridge does not know")


def error(kind: str, message: str) -> BaseException:
    """An exception of the host's type: the builtin of that name, else a ToolError so named."""
    known = getattr(builtins, kind, None)
    if isinstance(known, type) and issubclass(known, Exception):
        try:
            return known(message)
        except TypeError:  # UnicodeDecodeError and its like want more than a text
            pass
    named: type[ToolError] = type(kind, (ToolError,), {"__module__": "builtins"})
    return named(message, kind)
