"""Loops: the variables after a pass, also where `break` and `continue` end it."""

from collections.abc import Iterator

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.reading.environment import Environment, join_environments, path_of
from vetbox.rules.taint.sanitizing.branch_flags import truth_of
from vetbox.rules.taint.sanitizing.guards import EVERY
from vetbox.rules.taint.sanitizing.quantifiers import uncut
from vetbox.rules.walk import identifier

PASSES = 2
"""The second pass sees what the first one assigned."""
MORE_PASSES = 3
"""Those that follow while data moves on: `a = b; b = c; c = source()`."""
MAX_DEPTH = 3
"""Deeper loops are read once: passes multiply with depth."""


@dataclass(slots=True)
class Exits:
    """The environments at the `break` and `continue` statements of one loop."""

    is_entered: bool = False
    """Does it surely take a pass?"""
    is_endless: bool = False
    """Does it end by `break` alone?"""
    broken: Environment | None = None
    continued: Environment | None = None
    over: Environment | None = None
    """Where the last pass has ended."""

    def leave(self, env: Environment) -> None:
        """`break` stands here."""
        self.broken = _joined(self.broken, env)

    def go_on(self, env: Environment) -> None:
        """`continue` stands here."""
        self.continued = _joined(self.continued, env)

    def pass_over(self, env: Environment) -> Environment:
        """What holds after a pass, the one that ended at `continue` included."""
        cut, self.continued = self.continued, None
        self.over = env if cut is None else join_environments(env, cut)
        return self.over

    def ended(self, env: Environment) -> Environment:
        """What holds behind the loop and its `else`."""
        return env if self.broken is None else join_environments(env, self.broken)


def passes(depth: int, env: Environment) -> Iterator[None]:
    """How often a loop in others is read: until data moves on no further, and not too often."""
    wanted = PASSES if depth <= MAX_DEPTH else 1
    most = wanted + MORE_PASSES if depth < MAX_DEPTH else wanted
    for over in range(1, most + 1):
        known = _data_in(env) if over >= wanted else {}
        yield
        if over >= wanted and _data_in(env) == known:
            return


def _data_in(env: Environment) -> dict[str, object]:
    """Of each variable with data what it is, and in which of its parts."""
    return {path: _shape(value) for path, value in env.values.items() if value.all_taints}


def _shape(value: Value) -> object:
    parts = {key: _shape(item) for key, item in (value.items or {}).items()}
    return frozenset(value.taints), parts


def checked_in(node: cst.For, element: Value, exits: Exits) -> tuple[str, frozenset[str]] | None:
    """The variable looped over, if the loop checks each element before it ends normally."""
    path = path_of(uncut(node.iter))
    if path is None or exits.broken is not None or exits.over is None or exits.over.dead:
        return None
    if not isinstance(node.target, cst.Name) or not element.all_taints:
        return None
    left = exits.over.get(name := identifier(node.target))
    taints = [] if left is None else [*left.all_taints.values()]
    passed = frozenset.intersection(*(one.cleaned for one in taints)) if taints else EVERY
    if left is None or not passed or name in set(_bound_in(node.body)):
        return None
    return path, passed


def _bound_in(node: cst.CSTNode) -> Iterator[str]:
    """The variables that may be given something in a block."""
    match node:
        case cst.AssignTarget(target=target) | cst.AnnAssign(target=target):
            yield from variables_in(target)
        case cst.AugAssign(target=target) | cst.NamedExpr(target=target) | cst.For(target=target):
            yield from variables_in(target)
        case cst.CompFor(target=target) | cst.Del(target=target) | cst.AsName(name=target):
            yield from variables_in(target)
        case cst.MatchAs(name=cst.Name() as name) | cst.MatchStar(name=cst.Name() as name):
            yield identifier(name)
    for child in children(node):
        yield from _bound_in(child)


def variables_in(target: cst.CSTNode) -> Iterator[str]:
    """The variables that a target gives something, without attributes and elements."""
    if isinstance(target, cst.Name):
        yield identifier(target)
    elif not isinstance(target, cst.Attribute | cst.Subscript):
        for child in children(target):
            yield from variables_in(child)


def is_entered(items: Value) -> bool:
    """Has what is looped over an element, for sure?"""
    return truth_of(items, {}) is True


def is_endless(test: cst.BaseExpression) -> bool:
    """Is it written so that it always holds?"""
    match test:
        case cst.Name(value="True"):
            return True
        case cst.Integer():
            return test.evaluated_value != 0
    return False


def _joined(known: Environment | None, env: Environment) -> Environment:
    return env.copy() if known is None else join_environments(known, env)
