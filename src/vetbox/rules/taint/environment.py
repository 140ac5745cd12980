"""The variables of one function while it is read: paths like `x` and `self.x`, and their values."""

from dataclasses import dataclass, field

import libcst as cst

from vetbox.rules.taint.values import Value, join
from vetbox.rules.walk import identifier, written_name


@dataclass(slots=True)
class Environment:
    """Values by path; `dead` once control cannot get here."""

    values: dict[str, Value] = field(default_factory=dict)
    dead: bool = False

    def copy(self) -> "Environment":
        return Environment(dict(self.values), self.dead)

    def get(self, path: str) -> Value | None:
        """The value assigned to a path, or None."""
        return self.values.get(path)

    def assign(self, path: str, value: Value) -> None:
        """Bind a path; what was known of its attributes is forgotten."""
        prefix = f"{path}."
        for name in [name for name in self.values if name.startswith(prefix)]:
            del self.values[name]
        self.values[path] = value

    def become(self, other: "Environment") -> None:
        """Take over another environment's state."""
        self.values, self.dead = other.values, other.dead


def join_environments(left: Environment, right: Environment) -> Environment:
    """What holds after either way; a way that ends in `return` or `raise` adds nothing."""
    if left.dead:
        return right.copy()
    if right.dead:
        return left.copy()
    values = dict(left.values)
    for path, value in right.values.items():
        known = values.get(path)
        values[path] = value if known is None else join(known, value)
    return Environment(values)


def path_of(node: cst.CSTNode) -> str | None:
    """`x` or `x.y` of a chain of names."""
    return written_name(node)


def root_of(node: cst.CSTNode) -> str | None:
    """The variable at the start of `x.y[0].z()`."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return identifier(node) if isinstance(node, cst.Name) else None
