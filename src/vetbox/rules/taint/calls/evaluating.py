"""Evaluating: what higher-order calls ask of the function body that they stand in."""

from typing import Protocol

import libcst as cst

from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.scope import Scope


class Values(Protocol):
    """Evaluates expressions where they stand."""

    @property
    def module(self) -> Module:
        """The analysis of the module."""

    @property
    def scope(self) -> Scope:
        """The function body they stand in."""

    def value(self, node: cst.BaseExpression) -> Value:
        """What the expression may hold."""
