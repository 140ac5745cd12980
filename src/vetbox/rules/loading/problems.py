"""Problems in rule files, each with its place and the sentence for the author."""

from typing import TypeAlias

Keys: TypeAlias = tuple[str | int, ...]
"""The way from the top of the file to what is wrong."""
Problem: TypeAlias = tuple[Keys, str]
"""Where it is, and the sentence."""
