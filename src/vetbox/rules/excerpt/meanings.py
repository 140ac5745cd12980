"""Meanings: what a word may stand for at a place, and the aliases with their extent."""

from vetbox.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word may stand for at a place."""

    is_site: bool  # a rule may fire here
    leads: bool  # an attribute of it may be a site
    made: bool = False  # the result of a call: calling it again makes nothing
    gives: bool = False  # what a call of it returns may be anything


@dataclass(frozen=True, slots=True)
class Alias:
    """A name with a meaning between two offsets of the file; `dotted`: as an attribute too."""

    name: bytes
    meaning: Meaning
    first: int
    last: int
    dotted: bool


NOTHING = Meaning(is_site=False, leads=False)
