"""The functions of a module, and which one a call means."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from vetbox.rules.patterns.arguments import parameter_list, read_arguments
from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.environment import path_of
from vetbox.rules.walk import identifier


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A definition, the class it stands in, and its parameters in order."""

    node: cst.FunctionDef
    owner: str | None

    @property
    def parameters(self) -> tuple[cst.Param, ...]:
        """Every parameter; a method's `self` or `cls` is the first."""
        return parameter_list(self.node.params)

    @property
    def takes_instance(self) -> bool:
        """Is the first parameter given by the call's receiver?"""
        static = any(
            path_of(decorator.decorator) == "staticmethod" for decorator in self.node.decorators
        )
        return self.owner is not None and not static


class FunctionIndex:
    """Finds the definition a call means: by name, by `self.name`, by a method of one class only."""

    def __init__(self, module: cst.Module) -> None:
        self.functions = tuple(_definitions(module, None))
        self._named: dict[str, list[Function]] = defaultdict(list)
        for function in self.functions:
            self._named[identifier(function.node.name)].append(function)

    def called(self, call: cst.Call, owner: str | None) -> Function | None:
        """The definition, where exactly one fits."""
        match call.func:
            case cst.Name() as name:
                named = self._named.get(identifier(name), ())
                return _only(f for f in named if f.owner is None)
            case cst.Attribute(value=receiver, attr=cst.Name() as name):
                return self._method(receiver, identifier(name), owner)
        return None

    def _method(
        self, receiver: cst.BaseExpression, name: str, owner: str | None
    ) -> Function | None:
        methods = [f for f in self._named.get(name, ()) if f.owner is not None]
        if isinstance(receiver, cst.Name) and receiver.value in ("self", "cls"):
            own = _only(f for f in methods if f.owner == owner)
            return own or _only(methods)
        return _only(methods)


def bind_arguments(
    function: Function, call: cst.Call
) -> Iterator[tuple[cst.Param, cst.BaseExpression]]:
    """Each argument with the parameter it fills, without those of `*args` and unknown names."""
    given = read_arguments(call)
    parameters: Sequence[cst.Param] = function.parameters
    if function.takes_instance and isinstance(call.func, cst.Attribute) and parameters:
        yield parameters[0], call.func.value
        parameters = parameters[1:]
    positional = iter(parameters)
    for argument in given.positional:
        parameter = next(positional, None)
        if parameter is None or argument.star:
            break
        yield parameter, argument.value
    by_name = {identifier(parameter.name): parameter for parameter in parameters}
    for keyword, value in given.keywords:
        if identifier(keyword) in by_name:
            yield by_name[identifier(keyword)], value


def _definitions(node: cst.CSTNode, owner: str | None) -> Iterator[Function]:
    for child in children(node):
        if isinstance(child, cst.FunctionDef):
            yield Function(child, owner)
            yield from _definitions(child, None)
        elif isinstance(child, cst.ClassDef):
            yield from _definitions(child, child.name.value)
        elif isinstance(
            child, (cst.BaseSuite, cst.BaseStatement, cst.BaseSmallStatement)
        ) or _is_clause(child):
            yield from _definitions(child, owner)


def _is_clause(node: cst.CSTNode) -> bool:
    return isinstance(
        node, (cst.Else, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase)
    )


def _only(functions: Iterator[Function] | Sequence[Function]) -> Function | None:
    found = list(functions)
    return found[0] if len(found) == 1 else None
