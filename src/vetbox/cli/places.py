"""Places that a command names."""

from typing import Any

import click


class Place(click.Path):
    """A path. An empty word is none: it is a variable of the shell that nobody has set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("an empty name is no place", param, ctx)
        return super().convert(value, param, ctx)
