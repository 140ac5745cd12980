"""Options that hold functions: `parser.set_defaults(func=f)`, which `args.func(args)` calls."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import libcst as cst

from vetbox.rules.language.callbacks import OPTIONS, SETTING
from vetbox.rules.patterns.tree import block_of, preorder
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.functions import FunctionIndex
from vetbox.rules.walk import identifier


class Options:
    """The functions that a module keeps in the options of its commands."""

    def __init__(self, module: cst.Module, index: FunctionIndex) -> None:
        self._module, self._index = module, index

    def called(self, func: cst.BaseExpression) -> Sequence[Function]:
        """The functions that a call of an attribute may mean by an option of that name."""
        if not isinstance(func, cst.Attribute) or func.attr.value not in OPTIONS:
            return ()
        return self._kept.get(func.attr.value, ())

    @cached_property
    def _kept(self) -> Mapping[str, Sequence[Function]]:
        found: dict[str, list[Function]] = defaultdict(list)
        for name, value in _set_in(self._module):
            function = self._index.called(value, None)
            if function is not None and function.owner is None and function not in found[name]:
                found[name].append(function)
        return found


def _set_in(module: cst.Module) -> Iterator[tuple[str, cst.BaseExpression]]:
    for statement in preorder(block_of(module), nested=True):
        match statement:
            case cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name(word)), args=args)) if (
                word == SETTING
            ):
                yield from ((identifier(arg.keyword), arg.value) for arg in args if arg.keyword)
