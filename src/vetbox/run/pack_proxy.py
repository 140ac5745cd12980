"""The packs as a program sees them: objects whose attributes are the tools.

This file also runs inside the box, as `toolkit` does: the standard library is all they need.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from vetbox.toolkit import ProjectPath

# Calls the tool of that full name: (name, positional arguments, keyword arguments) -> value.
Caller: TypeAlias = Callable[[str, tuple[object, ...], dict[str, object]], object]
MAX_NAME = 100  # characters of a name that are compared or shown
DESCRIBE = "describe"  # what the host answers for help(): not a tool's name, which has a dot


class ToolProxy:
    """One tool; calling it calls the tool on the host."""

    def __init__(self, name: str, call: Caller) -> None:
        self.__name__ = name.rpartition(".")[2]
        self.__qualname__ = name
        self._call = call

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._call(self.__qualname__, args, kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.__qualname__}>"


class PackProxy:
    """One pack: `pack.tool(...)`. Without `tools` the host alone knows them, and is asked."""

    def __init__(self, name: str, tools: Iterable[str] | None, call: Caller) -> None:
        self.__name__ = name
        self.__tools = tools
        self.__call = call

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or (self.__tools is not None and name not in self.__tools):
            raise AttributeError(self._unknown(name), name=name, obj=None)
        tool = self.__dict__[name] = ToolProxy(f"{self.__name__}.{name}", self.__call)
        return tool

    def __call__(self, *args: object, **kwargs: object) -> object:
        functions = ", ".join(sorted(self.__tools or ()))
        raise TypeError(
            f"'{self.__name__}' is a pack, not a function. Available functions: {functions}"
        )

    def __dir__(self) -> list[str]:
        return sorted(self.__tools or ())

    def __repr__(self) -> str:
        return f"<pack {self.__name__}: {', '.join(dir(self))}>"

    def _unknown(self, name: str) -> str:
        functions = closest_first(name, self.__tools or ())
        return (
            f"pack '{self.__name__}' has no function '{name}'. "
            f"Available functions: {', '.join(functions)}"
        )


class ProjectPack(PackProxy):
    """The `proj` pack, where every configured project is an attribute, too; tools win."""

    def __init__(
        self, name: str, tools: Iterable[str] | None, call: Caller, projects: Mapping[str, str]
    ) -> None:
        super().__init__(name, tools, call)
        self.__projects = projects

    def __getattr__(self, name: str) -> object:
        if name in self.__projects and name not in super().__dir__():
            return ProjectPath(self.__projects[name])
        return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.__projects]

    def _unknown(self, name: str) -> str:
        projects = closest_first(name, self.__projects)
        return f"{super()._unknown(name)}. Available projects: {', '.join(projects) or 'none'}"


def closest_first(name: str, known: Iterable[str]) -> list[str]:
    """The known names, those that look like `name` at the head."""
    close = difflib.get_close_matches(name[:MAX_NAME], list(known), n=5)
    return close + sorted(set(known) - set(close))
