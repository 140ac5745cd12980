"""Counts as words of a sentence."""


def counted(number: int, noun: str) -> str:
    """`1 file`, `2,000 files`; `info` has no plural."""
    return f"{number:,} {noun}{'' if number == 1 or noun == 'info' else 's'}"
