"""Limits: what the operating system lets a process of ours use, as far as it may still say so."""

import resource


def lower(kind: int, most: int) -> None:
    """Let this process use no more than `most` of a kind, for good.

    Where somebody has set a lower limit already, that stays: raising it is refused to most users.
    """
    _, hard = resource.getrlimit(kind)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (least, least))
