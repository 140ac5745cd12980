"""Carriers: calls whose result may stand for an argument; the result of others does not."""

import re
from collections.abc import Set

from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.targets import KEYWORDS, imported

# Superset of what the resolver looks through and the folder computes (a test compares).
CARRIERS = KEYWORDS | frozenset(
    b"__getattribute__ __getitem__ __import__ attrgetter b16decode b32decode b64decode b85decode"
    b" bool bytearray bytes cache capitalize casefold cast chr classmethod closing copy cycle"
    b" decode deepcopy deque dict encode escape filter float format format_map fromhex frozenset"
    b" get getattr getattr_static getitem getmembers getmodule hex import_module int iter"
    b" itemgetter _importer join len list load_module locate lower lru_cache lstrip map max"
    b" methodcaller min next nullcontext ord partial partialmethod pop property range reload"
    b" removeprefix removesuffix replace resolve_name reversed rstrip safeimport set setdefault"
    b" sorted split staticmethod str strip swapcase title tuple unhexlify union update upper"
    b" urlsafe_b64decode vars zip _gcd_import globals locals".split()
)
_COMPUTING = frozenset(
    b"b16decode b32decode b64decode b85decode bool bytearray bytes capitalize casefold chr decode"
    b" encode escape float format format_map fromhex hex int join len lower lstrip max min ord"
    b" range removeprefix removesuffix replace rstrip split str strip swapcase title unhexlify"
    b" upper urlsafe_b64decode".split()
)
"""They give texts and numbers, never a function or a module that they were given."""
HANDING = (CARRIERS - KEYWORDS - _COMPUTING) | {b"reduce"}
_INNERMOST = re.compile(rb"(\w*)([ \t]*)\(([^()\[\]{}]*)\)|[\[{]([^()\[\]{}]*)[\]}]")
_CALLEE = re.compile(rb"(?:\w+|[)\]])[ \t]*\Z")


def carriers_in(layout: Layout) -> frozenset[bytes]:
    """The carriers by the names they have in this file."""
    return _as_named_in(layout, CARRIERS)


def handing_in(layout: Layout) -> frozenset[bytes]:
    """Those of the carriers that give back what they are given, not something computed of it."""
    return _as_named_in(layout, HANDING)


def _as_named_in(layout: Layout, calls: frozenset[bytes]) -> frozenset[bytes]:
    renamed = {
        name
        for code in (layout.codes[line] for line in layout.import_words)
        if b" as " in code
        for name, path in imported(code)
        if path[-1] in calls
    }
    return calls | renamed if renamed else calls


def carried(code: bytes, carriers: Set[bytes]) -> bytes:
    """The code of a line without the arguments that its calls hide."""

    def opened(match: "re.Match[bytes]") -> bytes:
        callee, gap, arguments, items = match.groups()
        if arguments is None:
            return b" " + items + b" "
        if callee and callee not in carriers:
            return callee + gap
        return callee + b" " + arguments + b" "

    before = b""
    while before != code:
        before, code = code, _INNERMOST.sub(opened, code)
    return code


def passed_on(code: bytes, at: int, carriers: Set[bytes]) -> bool:
    """Whether what stands at an offset is an argument of a call that hides it."""
    depth = 0
    for index in range(at - 1, -1, -1):
        byte = code[index : index + 1]
        if byte in (b")", b"]", b"}"):
            depth += 1
        elif byte in (b"(", b"[", b"{"):
            callee = _CALLEE.search(code[:index]) if byte == b"(" and not depth else None
            if callee and callee[0].strip() not in carriers:
                return True
            depth = max(depth - 1, 0)
    return False
