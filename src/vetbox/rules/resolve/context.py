"""The context: what the parts of the resolver may ask of it and of each other.

`names.Resolver` is one. What an expression stands for depends on what its parts do, so the parts of
the resolver ask each other in circles; none of them has to know who answers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias

import libcst as cst

from vetbox.rules.budget import Budget
from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.canonical import Names
from vetbox.rules.resolve.gathering import Gathering
from vetbox.rules.resolve.reaching import Reached
from vetbox.rules.resolve.scopes import Binding, Scope, Scopes
from vetbox.rules.walk import Tree

Definition: TypeAlias = cst.FunctionDef | cst.ClassDef | cst.Lambda
Values: TypeAlias = tuple[object, ...]


class Constants(Protocol):
    """The values that expressions may have; `folding.Folder` tells them."""

    def values(self, node: cst.CSTNode) -> Values | None:
        """All values the expression may have; None when that is not known."""

    def value(self, node: cst.CSTNode, default: object = None) -> object:
        """The one value, or the default."""

    def is_guessed(self, node: cst.CSTNode) -> bool:
        """May code about to run have other values there?"""
        ...


class Definitions(Protocol):
    """The functions and classes of the module; `members.Members` knows them."""

    def definitions(self, node: cst.CSTNode) -> Sequence[Definition]:
        """Those that an expression may be (an instance of)."""
        ...

    def owner_of_self(self, param: cst.Param) -> Iterator[Definition]:
        """The class around a method, for the method's first parameter."""
        ...

    def held_by_classes(self, node: cst.Attribute) -> list[Binding]:
        """What the classes give to an attribute that nothing else is put into."""
        ...

    def held_anywhere(self, name: str) -> list[Binding]:
        """What any class gives to an attribute."""
        ...

    def fields(self, owner: cst.ClassDef, attr: str) -> Sequence[cst.BaseExpression]:
        """What is put into an attribute of this name within a class."""
        ...

    def yielded(self, call: cst.Call) -> list[cst.BaseExpression]:
        """What the generators that are called here give, one after the other."""
        ...


class Escaped(Protocol):
    """The modules that got out of sight; `escaped_modules.EscapedModules` looks for them."""

    def of(self, name: str) -> Names:
        """The names that an attribute of an escaped module may have."""
        ...

    def under(self, name: str) -> Names:
        """The modules that were stored as an attribute of this name."""
        ...

    def attribute(self, bases: Names, name: str) -> Names:
        """The further names of an attribute of `bases`, by both."""
        ...

    def readers(self) -> Names:
        """The builtins that read attributes, as far as they may be called by any name."""
        ...

    def builtin(self, name: str) -> Names:
        """The builtin that a key or attribute may be, where the builtins escape as a whole."""
        ...


class Context(Protocol):
    """One module and the answers about it."""

    tree: Tree
    budget: Budget
    gathering: Gathering
    made: list[cst.CSTNode]
    """The nodes that were made here: kept, as answers go by identity."""
    known_elements: dict[tuple[int, str], list[cst.BaseExpression] | None]
    known_begun: dict[Reached, Names]
    table_depth: int

    @property
    def scopes(self) -> Scopes: ...
    @property
    def folder(self) -> Constants: ...
    @property
    def members(self) -> Definitions: ...
    @property
    def escaped(self) -> Escaped: ...

    def without_escapes(self) -> "Context":
        """Another for the same module, which assumes that nothing escapes."""
        ...

    def names(self, node: cst.CSTNode, level: Resolve = ...) -> Names:
        """Everything the expression may be, as far as the level follows it."""
        ...

    def union(self, nodes: Iterable[cst.CSTNode], level: Resolve) -> Names:
        """What any of the expressions may be."""
        ...

    def of_any(self, kept: Sequence[cst.CSTNode], level: Resolve) -> Names:
        """The union for a list that is kept, in which many may look something up."""
        ...

    def lookup(self, name: str, use: cst.CSTNode, level: Resolve) -> Names:
        """What a name means where it is used."""
        ...

    def visible(self, name: str, use: cst.CSTNode) -> Iterator[tuple[Scope, Reached]]:
        """The scopes whose bindings a use sees, inside out."""
        ...

    def given(self, binding: Binding, level: Resolve) -> Names:
        """What a binding gives its name."""
        ...

    def assigned(self, name: cst.Name) -> Iterator[cst.BaseExpression]:
        """The whole values that a variable may hold."""
        ...

    def whole(self, reached: Reached) -> Iterator[cst.BaseExpression]:
        """The whole values among what bindings give."""
        ...
