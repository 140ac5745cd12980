"""The one family of errors a user may see: each is a sentence that says what to do next."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class VetboxError(Exception):
    """Base of every error vetbox raises on purpose; `str()` is shown to the user as it is."""

    def __reduce__(self) -> tuple[object, ...]:
        """It comes back from another process as it is, whatever its `__init__` asks for."""
        return _again, (type(self), self.args, vars(self))


def _again(kind: type[VetboxError], args: tuple[object, ...], state: dict[str, object]) -> object:
    error = kind.__new__(kind, *args)
    vars(error).update(state)
    return error


def cause(error: Exception) -> str:
    """Why, in the words of the system; its number and the path are left out of an OSError."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


@contextmanager
def about(path: object) -> Iterator[None]:
    """An OSError within speaks of this file, where the system does not say of which."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


class RuleError(VetboxError):
    """Rule files that cannot be used; `problems` has a sentence with its place for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class UnknownName(RuleError):
    """A name, chosen by somebody, that is the name of no rule."""

    def __init__(self, name: str, hint: str) -> None:
        self.name = name
        super().__init__([f"'{name}' names no rule or pack; {hint}"])
