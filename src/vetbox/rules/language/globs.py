"""Path globs: `*` within a folder, `**` across folders."""

import re
from functools import cache


def path_matches(path: str, globs: tuple[str, ...]) -> bool:
    """Does a path with `/` match any? `**/tests/**` matches below any folder called tests."""
    return bool(globs) and _pattern(globs).match(path.removeprefix("./").lstrip("/")) is not None


@cache
def _pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    parts = (re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", glob) for glob in globs)
    return re.compile(rf"(?:{'|'.join(''.join(map(_as_regex, some)) for some in parts)})\Z")


def _as_regex(part: str) -> str:
    return _WILDCARDS.get(part) or re.escape(part)


_WILDCARDS = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
