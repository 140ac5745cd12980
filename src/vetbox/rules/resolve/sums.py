"""Augmented assignments as the additions that they stand for."""

import libcst as cst


class Sums:
    """Each is made once, as answers go by the identity of a node."""

    def __init__(self) -> None:
        self._made: dict[int, cst.BinaryOperation] = {}

    def of(self, statement: cst.AugAssign) -> cst.BaseExpression:
        """`x += v` as `x + v`."""
        known = self._made.get(id(statement))
        if known is None:
            known = cst.BinaryOperation(statement.target, cst.Add(), statement.value)
            self._made[id(statement)] = known
        return known
