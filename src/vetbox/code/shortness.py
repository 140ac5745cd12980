"""Shortness: code with so few words and signs that it cannot be nested deeply."""

import string

_FEW_LEVELS = 10
"""Some take neither: the module, a statement, the parameters of a function."""
_SHORT_BYTES = 4_000
_WORDS = (string.ascii_letters + string.digits + string.whitespace + "_").encode()
_SIGNS = bytes(byte for byte in range(256) if byte not in _WORDS)
_APART = bytes.maketrans(_SIGNS, b" " * len(_SIGNS))
_ALONE = b"-+~:*"
_ALONE_TOO = (b"*", b"not", b"await")
"""What a level is written with alone, `*` even two: `-x`, and the tuple in `x[a:,]`, `x[*a]`."""
_NOT_ALONE = bytes(set(range(256)).difference(_ALONE))


def is_short(data: bytes, levels: int) -> bool:
    """Has it surely fewer levels? Each takes two words or signs to write."""
    if len(data) > _SHORT_BYTES:
        return False
    most = 2 * (levels - _FEW_LEVELS)
    signs = len(data) - len(data.translate(None, _SIGNS))
    written = signs + len(data.translate(_APART).split())
    if written >= most:
        return False
    alone = len(data.translate(None, _NOT_ALONE)) + sum(map(data.count, _ALONE_TOO))
    return written + alone < most
