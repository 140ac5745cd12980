"""The one family of errors a user may see: each is a sentence that says what to do next."""

from collections.abc import Iterable


class VetboxError(Exception):
    """Base of every error vetbox raises on purpose; `str()` is shown to the user as it is."""


class RuleError(VetboxError):
    """Rule files that cannot be used; `problems` has a sentence with its place for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))
