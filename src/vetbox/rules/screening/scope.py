"""Scopes, as far as they hide a module's names behind local variables."""


class Scope:
    """A module, class, comprehension, or a function with the names bound in it."""

    __slots__ = ("function", "names", "outer")

    def __init__(self, outer: "Scope | None", *, function: bool = False) -> None:
        self.outer = outer
        self.function = function
        self.names: set[str] = set()

    def hides(self, name: str) -> bool:
        """Is it a local variable here or of a function around?"""
        scope: Scope | None = self
        while scope is not None:
            if scope.function and name in scope.names:
                return True
            scope = scope.outer
        return False
