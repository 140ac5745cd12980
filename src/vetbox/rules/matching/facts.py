"""The resolver as the pattern matcher sees it."""

from collections.abc import Collection, Sequence

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.formula import Resolve
from vetbox.rules.patterns.vocabulary import UNKNOWN
from vetbox.rules.resolve.names import Resolver

_INSTANCE = "()"


@dataclass(frozen=True, slots=True)
class ResolverFacts:
    """What is known of a module's expressions when names are followed to a level."""

    resolver: Resolver
    level: Resolve = Resolve.ALIASES
    assigned: bool = True
    defaults: bool = True

    def names(self, node: cst.CSTNode) -> Collection[str]:
        """The canonical names, without those that begin with something unknown."""
        found = self.resolver.names(node, self.level)
        return frozenset(name for name in found if not name.startswith("?"))

    def constant(self, node: cst.CSTNode) -> object:
        """The value if there is exactly one."""
        values = self._values(node)
        return values[0] if values is not None and len(values) == 1 else UNKNOWN

    def _values(self, node: cst.CSTNode) -> Sequence[object] | None:
        folder = self.resolver.folder
        return folder.values(node) if self.defaults or folder.is_constant(node) else None

    def is_text(self, node: cst.CSTNode) -> bool:
        """Is every value that it may have a text or bytes, whoever calls?"""
        folder = self.resolver.folder
        values = folder.values(node) if folder.is_constant(node) else None
        return bool(values) and all(isinstance(value, str | bytes) for value in values or ())

    def types(self, node: cst.CSTNode) -> Collection[str]:
        """The classes of which it may be an instance."""
        found = self.resolver.names(node, self.level)
        return frozenset(name.removesuffix(_INSTANCE) for name in found if name.endswith(_INSTANCE))

    def kinds(self, node: cst.CSTNode) -> Collection[str]:
        """The same, and the types of the constants that it may be."""
        constants = self._values(node) or ()
        return {*self.types(node), *(type(value).__name__ for value in constants)}

    def behind(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """The one expression that a variable was assigned, if there is one."""
        if not self.assigned or not isinstance(node, cst.Name) or self.level < Resolve.ALIASES:
            return None
        known = self.resolver.known_behind
        if node not in known:
            values = list(self.resolver.assigned(node))
            known[node] = values[0] if len(values) == 1 and values[0] is not node else None
        return known[node]

    def held(self, node: cst.Attribute) -> Sequence[cst.BaseExpression]:
        """All that the classes of the module put into an attribute of `self` or of a class."""
        return self.resolver.members.values_of(node)

    def functions(self, func: cst.CSTNode) -> Sequence[cst.FunctionDef]:
        """The functions of the module that a call of it may mean."""
        return self.resolver.owners.functions(func)
