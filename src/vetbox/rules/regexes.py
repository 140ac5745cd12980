"""Regexes: those of rules, compiled by RE2 once; in linear time no rule can hang a scan."""

from functools import lru_cache
from typing import Any

MAX_REGEXES = 4_000
"""The shipped rules have a third of that."""


@lru_cache(maxsize=MAX_REGEXES)
def re2_compiled(regex: str | bytes) -> Any:
    """A pattern that searches bytes; of a text RE2 would count the characters as well."""
    import re2  # start-up budget: many scans ask no regex

    options = re2.Options()
    options.log_errors = False  # of a long text it says that it goes on more slowly
    return re2.compile(regex, options)
