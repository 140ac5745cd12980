"""Problems: what the author of a rule is told, and where in the file."""

from typing import TypeAlias

Keys: TypeAlias = tuple[str | int, ...]
"""The way from the top of the file to what is wrong."""
Problem: TypeAlias = tuple[Keys, str]
"""Where it is, and the sentence."""
