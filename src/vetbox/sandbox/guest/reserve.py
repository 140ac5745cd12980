"""Memory that is kept back, so that a program which fills all of it can still be told so.

`KEPT.clear()` gives it back: a call without a frame of its own, for which there may be no room.
"""

SIZE = 1_000_000  # bytes, all zero: until it is given back it costs the host nothing
KEPT = bytearray()


def keep() -> None:
    """Keep it back from now on."""
    bytearray.__init__(KEPT, SIZE)  # in place: whoever imports it has this very object


def is_unsaid(error: BaseException) -> bool:
    """Did the interpreter fail without a word? It does where no memory is left to make one."""
    return type(error) is SystemError and error.args == ("error return without exception set",)
