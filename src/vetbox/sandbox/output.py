"""What a program prints, up to a cap."""

from typing import Protocol

from vetbox.sandbox.limits import Limit

# A program that prints this many times its cap, and at least so many bytes, is stopped: what is
# thrown away still costs the host time.
FLOOD_FACTOR, FLOOD_MINIMUM = 16, 16_000_000


class Stoppable(Protocol):
    """Who hears that a program prints without end."""

    def stop(self, limit: Limit) -> None: ...


class CappedOutput:
    """Keeps the first `cap` bytes and counts the rest."""

    def __init__(self, cap: int, watch: Stoppable) -> None:
        self._kept = bytearray()
        self._cap = cap
        self._total = 0
        self._watch = watch

    @property
    def room(self) -> int:
        """How many bytes will still be kept."""
        return self._cap - len(self._kept)

    def take(self, data: bytes, size: int) -> None:
        """Keep what still fits of a print of `size` bytes that begins with `data`."""
        self._total += size
        self._kept += data[: self.room]
        if self._total > max(FLOOD_MINIMUM, FLOOD_FACTOR * self._cap):
            self._watch.stop(Limit.OUTPUT)

    @property
    def truncated(self) -> bool:
        """Whether anything was thrown away."""
        return self._total > len(self._kept)

    def text(self) -> str:
        """The kept bytes as text of at most `cap` bytes of UTF-8, cut between characters."""
        text = self._kept.decode("utf-8", "replace")
        if self.truncated:
            text = _without_half(self._kept).decode("utf-8", "replace")
        return text.encode()[: self._cap].decode("utf-8", "ignore")


def _without_half(data: bytes | bytearray) -> bytes:
    """The data without the first bytes of a character whose rest is missing."""
    for back in range(1, min(4, len(data)) + 1):
        lead = data[-back]
        if lead >= 0xC0:  # noqa: PLR2004 - the first byte of a character of several
            length = 2 + (lead >= 0xE0) + (lead >= 0xF0)  # noqa: PLR2004
            return bytes(data[:-back] if back < length else data)
        if lead < 0x80:  # noqa: PLR2004 - a character of one byte
            break
    return bytes(data)
