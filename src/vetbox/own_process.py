"""Process ownership: in one that vetbox started it may patch libraries, in others it may not."""

_owned = False


def own() -> None:
    """Said by a command or a worker, before it imports anything heavy."""
    global _owned  # noqa: PLW0603 - it is said once, and is true of the process
    _owned = True


def is_owned() -> bool:
    """Whether nobody else's code runs here."""
    return _owned
