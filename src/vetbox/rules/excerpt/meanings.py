"""Meanings: what a word may be at a place, and the names that were given one."""

from vetbox.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word at a place may be: a site, on the way to one, made by a call of such."""

    is_site: bool
    leads: bool
    made: bool = False  # calling it again makes nothing
    gives: bool = False  # what a call of it returns may be anything


@dataclass(frozen=True, slots=True)
class Alias:
    """A name with a meaning between two offsets of the file; `dotted`: behind a dot too."""

    name: bytes
    meaning: Meaning
    first: int
    last: int
    dotted: bool


NOTHING = Meaning(is_site=False, leads=False)
