"""Places that a command names."""

from typing import Any, NoReturn

import click


class Place(click.Path):
    """A path. An empty word is none: it is a variable of the shell that nobody has set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("an empty name is no place", param, ctx)
        return super().convert(value, param, ctx)

    def fail(
        self,
        message: str,
        param: click.Parameter | None = None,
        ctx: click.Context | None = None,
    ) -> NoReturn:
        """The sentence names a wrong path itself; only an option has a name that says more."""
        if isinstance(param, click.Argument):
            raise click.UsageError(message, ctx)
        super().fail(message, param, ctx)
