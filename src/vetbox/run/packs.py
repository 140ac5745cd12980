"""Tools from wherever: one shape, one way to call them, one wording of what is missing."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from vetbox.run.pack_proxy import MAX_NAME, closest_first
from vetbox.run.parameters import bound
from vetbox.toolkit import PackCard, ToolCard, ToolContext, ToolError

# (context, bound arguments) -> value; the call may take as long as the tool's time limit.
Invoke: TypeAlias = Callable[[ToolContext, inspect.BoundArguments], object]

MAX_LISTED = 50  # tools named in one error


@dataclass(frozen=True, slots=True)
class Tool:
    """One function that a program can call as `pack.tool(...)`; `name` is that full name."""

    name: str
    signature: inspect.Signature
    doc: str
    invoke: Invoke = field(repr=False)

    def __call__(
        self, context: ToolContext, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> object:
        """The tool's value; TypeError with the expected signature when the arguments do not fit."""
        return self.invoke(context, bound(self.name, self.signature, args, kwargs))

    @property
    def card(self) -> ToolCard:
        return ToolCard(self.name, f"{self.name}{self.signature}", self.doc)


class Pack(Protocol):
    """Tools under one name. `origin` is internal, extension or mcp."""

    @property
    def name(self) -> str: ...

    @property
    def origin(self) -> str: ...

    @property
    def doc(self) -> str: ...

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by their own names; raises ToolError when they cannot be had now."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """The tools' names, or None while they are not known without asking another process."""

    def close(self) -> None:
        """End whatever the pack has started."""


@dataclass(frozen=True, slots=True)
class ToolPack:
    """A pack whose tools are all known."""

    name: str
    origin: str
    doc: str
    tools: Mapping[str, Tool]
    end: Callable[[], None] = field(default=lambda: None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.tools)

    def close(self) -> None:
        self.end()


INTERNAL = "internal"


def unguarded(_: str) -> None:
    """For packs that nobody can change."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All packs of a project by name; `problems` says what was refused, where and why.

    `disabled` are packs and `pack.tool`s that the configuration takes away. `guard` is told the
    name of each pack of the project's own before it is used; it raises ToolError for one that has
    changed.
    """

    loaded: Mapping[str, Pack]
    problems: tuple[str, ...] = ()
    disabled: frozenset[str] = frozenset()
    guard: Callable[[str], None] = field(default=unguarded, repr=False)

    @property
    def packs(self) -> Mapping[str, Pack]:
        return {name: pack for name, pack in self.loaded.items() if name not in self.disabled}

    @property
    def names(self) -> dict[str, list[str] | None]:
        """The tools' own names by pack; None where only another process knows them."""
        return {name: self._enabled(pack) for name, pack in self.packs.items()}

    @property
    def cards(self) -> tuple[PackCard, ...]:
        """Every pack as a reader sees it."""
        return tuple(self._card(pack) for pack in self.packs.values())

    def tool(self, name: str) -> Tool:
        """The tool of that full name; the error lists what there is, what looks alike first."""
        pack, _, own = name[:MAX_NAME].partition(".")
        tools = self.pack(pack).tools
        if own not in tools or name in self.disabled:
            functions = ", ".join(closest_first(own, self.names[pack] or ()))
            raise AttributeError(
                f"pack '{pack}' has no function '{own}'. Available functions: {functions}"
            )
        return tools[own]

    def pack(self, name: str) -> Pack:
        """The pack of that name; the error lists all there are."""
        name = name[:MAX_NAME]
        if name not in self.packs:
            raise NameError(f"name '{name}' is not defined. {self.available(name)}", name=name)
        return self._guarded(self.packs[name])

    def available(self, name: str) -> str:
        """The packs and tools there are, those like `name` first."""
        known = [f"{pack}.{own}" for pack, tools in self.names.items() for own in tools or ()]
        tools = closest_first(name, known)
        rest = len(tools) - MAX_LISTED
        more = f" and {rest} more, which ot.tools() lists" if rest > 0 else ""
        packs = ", ".join(closest_first(name, self.packs))
        return f"Available packs: {packs}. Available tools: {', '.join(tools[:MAX_LISTED])}{more}"

    def describe(self, name: str | None) -> str:
        """What help() says of a pack or a tool, or of all of them."""
        if name is None:
            return self.available("")
        if "." in name:
            tool = self.tool(name).card
            return f"{tool.signature}\n\n{tool.doc}".rstrip()
        pack = self._card(self.pack(name))
        lines = [f"  {one.signature}  {one.summary}".rstrip() for one in pack.tools]
        return "\n".join([f"{pack.name}: {pack.doc}".rstrip(), *lines])

    def close(self) -> None:
        """End whatever the packs have started."""
        for pack in self.loaded.values():
            pack.close()

    def _guarded(self, pack: Pack) -> Pack:
        if pack.origin != INTERNAL:
            self.guard(pack.name)
        return pack

    def _enabled(self, pack: Pack) -> list[str] | None:
        names = pack.names
        return (
            None
            if names is None
            else [own for own in names if f"{pack.name}.{own}" not in self.disabled]
        )

    def _card(self, pack: Pack) -> PackCard:
        """A pack that cannot be reached says so in its `doc`."""
        try:
            tools = self._guarded(pack).tools
            cards = tuple(t.card for t in tools.values() if t.name not in self.disabled)
        except ToolError as error:
            return PackCard(pack.name, pack.origin, f"unavailable: {error}", ())
        return PackCard(pack.name, pack.origin, pack.doc, cards)
