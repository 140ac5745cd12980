"""Resemblance: a name that nobody knows, a slip or an ornament away from a well-known one."""

from functools import lru_cache

from vetbox.code.stdlib import STDLIB

MIN_LENGTH = 6
"""Shorter names resemble each other by chance."""
MIN_ORNAMENTS = 2
"""One is what people call their own modules: `redis_utils`."""
ORNAMENTS = frozenset(
    {"api", "cli", "client", "core", "easy", "ext", "extra", "extras", "fast", "helper", "helpers"}
    | {"lib", "new", "official", "plus", "pro", "py", "python", "sdk", "simple", "tool", "toolkit"}
    | {"tools", "util", "utils", "v2", "wrapper"}
)


@lru_cache(maxsize=4_096)
def resembled(name: str, known: frozenset[str]) -> str | None:
    """The known name that this one looks like without being it, or one of the standard library."""
    if name in known or name in STDLIB:
        return None
    return _without_ornaments(name, known) or _without_slip(name, known)


def _without_ornaments(name: str, known: frozenset[str]) -> str | None:
    """`requests_helper_pro` for `requests`."""
    words = name.split("_")
    for end in range(len(words) - 1, 0, -1):
        if words[end] not in ORNAMENTS:
            return None
        bare = "_".join(words[:end])
        if bare in known and len(words) - end >= MIN_ORNAMENTS:
            return bare
    return None


def _without_slip(name: str, known: frozenset[str]) -> str | None:
    """`reqeusts` for `requests`; versions at the end are no slip."""
    if len(name) < MIN_LENGTH:
        return None
    return min((one for one in known if _one_slip(name, one)), default=None)


def _one_slip(name: str, known: str) -> bool:
    """Do they differ by one letter too many, missing or wrong, or by two that changed places?"""
    if abs(len(name) - len(known)) > 1 or name.rstrip("0123456789") == known.rstrip("0123456789"):
        return False
    same = next((at for at, (a, b) in enumerate(zip(name, known, strict=False)) if a != b), None)
    if same is None:
        return True
    ours, theirs = name[same:], known[same:]
    swapped = ours[1:2] + ours[:1] + ours[2:]
    return theirs in (swapped, ours[1:]) or theirs[1:] in (ours, ours[1:])
