"""Hints: what a binding tells at a glance, without its value being followed."""

import libcst as cst

from vetbox.rules.resolve.scopes import Binding, Entered, Imported, Parameter, Value


def may_stand_for_another(binding: Binding) -> bool:
    """May the name stand for something that has another name?"""
    match binding.given:
        case Imported() | Entered():
            return True
        case Value(value=value, path=path):
            return bool(path) or not isinstance(value, _PLAIN_VALUES)
        case Parameter(param=param):
            return param.default is not None or param.annotation is not None
    return False


_PLAIN_VALUES = (cst.BaseString, cst.BaseNumber, cst.BinaryOperation, cst.UnaryOperation,
                 cst.Comparison, cst.Lambda, cst.Dict, cst.List, cst.Tuple, cst.Set)  # fmt: skip
