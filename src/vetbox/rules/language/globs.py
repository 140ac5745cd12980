"""Path globs: `*` within a folder, `**` across folders."""

import re
from functools import cache


def path_matches(path: str, glob: str) -> bool:
    """Does a path with `/` match? `**/tests/**` matches below any folder called tests."""
    return _pattern(glob).match(path.removeprefix("./").lstrip("/")) is not None


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile("".join(map(_as_regex, re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", glob))) + r"\Z")


def _as_regex(part: str) -> str:
    return _WILDCARDS.get(part) or re.escape(part)


_WILDCARDS = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
