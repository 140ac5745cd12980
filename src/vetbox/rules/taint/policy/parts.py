"""Parts: the nodes of a match that a place of a taint rule means, by its `at`.

All of it, one or all arguments of a call, what a method is called on, the parameters of a function,
of one that is handed over, or of the methods of an object that is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.language.callbacks import BEGINNING
from vetbox.rules.language.taint import Place
from vetbox.rules.matching.match import Match
from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.resolve.annotations import is_of
from vetbox.rules.resolve.arguments import NO_ARGUMENTS, read_arguments
from vetbox.rules.resolve.context import Definition
from vetbox.rules.resolve.converters import converted
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.taint.policy.routes import given_by_nobody
from vetbox.rules.walk import children_of, identifier, last_word, written_name

_INSTANCES = frozenset({"self", "cls"})
"""Parameters that hold an object of the program's own, whatever a function is handed."""
_LISTING = frozenset({"get", "get_json", "getall", "getlist", "json", "loads", "split"})
"""Methods and functions that give lists of what somebody else has written."""
_TOLD = frozenset(
    {"int", "float", "bool", "complex", "decimal.Decimal", "uuid.UUID"}
    | {"datetime.date", "datetime.datetime", "datetime.timedelta"}
    | {"typing.Literal", "enum.Enum", "enum.StrEnum", "enum.IntEnum"}
)
"""Types of which an object is no text, or one of those that are written in the program."""


def parts_meant(place: Place, found: Match, facts: Resolver) -> Iterator[cst.CSTNode]:
    """The nodes a place means: the match, its focus, its arguments, parameters of functions."""
    return _PARTS[place.at.partition(".")[0]](place, found, facts)


def _match(_: Place, found: Match, facts: Resolver) -> Iterator[cst.CSTNode]:
    return _expressions(_parameter_of(found.focus or found.node, facts))


def _arguments(_: Place, found: Match, __: Resolver) -> Iterator[cst.CSTNode]:
    node = found.focus or found.node
    if isinstance(node, cst.Call):
        yield from (arg.value for arg in node.args)


def _argument(place: Place, found: Match, facts: Resolver) -> Iterator[cst.BaseExpression]:
    """`arg.0`, `arg.name`"""
    given = found.arguments
    if given is NO_ARGUMENTS:
        given = read_arguments(found.focus or found.node, facts)
    wanted = f.argument_of(place.at.partition(".")[2])
    argument = given.find(wanted)
    if argument is not None:
        yield argument.value
    elif given.unknown and wanted.position is not None:
        yield from _unpacked(found.focus or found.node, wanted.position, facts)


def _unpacked(node: cst.CSTNode, position: int, facts: Resolver) -> Iterator[cst.BaseExpression]:
    """`*x["key"]` where it fills a position, and anything may be its first element.

    A variable or a function may hold a statement and its values: `execute(*args)`.
    """
    positional = [arg for arg in node.args if not arg.keyword] if isinstance(node, cst.Call) else []
    first = next((arg for arg in positional[: position + 1] if arg.star == "*"), None)
    match first:
        case cst.Arg(value=cst.Attribute(value=cst.Name(value="self" | "cls"))):
            return
        case cst.Arg(value=cst.Call(func=func)):
            names = (*facts.names(func), written_name(func) or "")
            if not any(name.rpartition(".")[2] in _LISTING for name in names):
                return
        case cst.Arg(value=cst.Subscript() | cst.Attribute()):
            pass
        case _:
            return
    yield first.value


def _handed(place: Place, found: Match, facts: Resolver) -> Iterator[cst.CSTNode]:
    """`handed.0`, `handed.name`: a function or class by its name, a lambda, or a list of them

    `handed` alone means the place itself, which holds what an attribute is given.
    """
    of_call = "." in place.at
    for argument in _argument(place, found, facts) if of_call else _match(place, found, facts):
        for written in _each(argument) if isinstance(argument, cst.BaseExpression) else ():
            if isinstance(written, cst.Lambda):
                names = parameter_list(written.params)
                yield from (p for p in names if _may_mean(place, identifier(p.name)))
                continue
            func, begun = _begun(written)
            for definition in facts.members.definitions(func):
                if _is_called(definition, func):
                    for function in facts.members.run_by(definition):
                        filled = _filled(function, begun)
                        given = _of_function(place, function, facts)
                        yield from (p for p in given if identifier(p.name) not in filled)


def _offered(place: Place, found: Match, facts: Resolver) -> Iterator[cst.CSTNode]:
    """`methods.0`, `methods.name`: the public methods of an object, its class or a list of them"""
    for argument in _argument(place, found, facts):
        for written in _each(argument):
            for definition in facts.members.definitions(written):
                if isinstance(definition, cst.ClassDef):
                    for method in facts.members.public_methods(definition):
                        yield from _of_function(place, method, facts)


def _begun(written: cst.BaseExpression) -> tuple[cst.BaseExpression, Sequence[cst.Arg]]:
    """The function of `partial(f, a, b=c)`, and what it has been given of its arguments."""
    match written:
        case cst.Call(func=func, args=[cst.Arg(inner, keyword=None, star=""), *begun]):
            return (inner, begun) if last_word(func) in BEGINNING else (written, ())
    return written, ()


def _filled(function: cst.FunctionDef, begun: Sequence[cst.Arg]) -> Set[str]:
    """The parameters that arguments fill which come before all others, or by name."""
    plain = [arg for arg in begun if arg.keyword is None]
    names = [identifier(one.name) for one in parameter_list(function.params)]
    first = [name for name in names if name not in _INSTANCES][: len(plain)]
    return {*first, *(identifier(arg.keyword) for arg in begun if arg.keyword is not None)}


def _receiver(_: Place, found: Match, __: Resolver) -> Iterator[cst.CSTNode]:
    match found.focus or found.node:
        case cst.Call(func=cst.Attribute(value=receiver)):
            yield receiver


def _parameters(place: Place, found: Match, facts: Resolver) -> Iterator[cst.CSTNode]:
    node = found.focus or found.node
    if isinstance(node, cst.FunctionDef):
        yield from _of_function(place, node, facts)


def _of_function(place: Place, node: cst.FunctionDef, facts: Resolver) -> Iterator[cst.Param]:
    others = converted(node) | given_by_nobody(node, facts)
    names = (p for p in parameter_list(node.params) if identifier(p.name) not in others)
    given = (p for p in names if _may_mean(place, identifier(p.name)))
    yield from (p for p in given if not is_of(place.except_types, p, facts))


def told_parameters(facts: Resolver) -> Iterator[cst.Param]:
    """The parameters that the program says hold no text but its own."""
    for node in facts.tree.by_type.get(cst.FunctionDef, ()):
        if isinstance(node, cst.FunctionDef):
            numbers = converted(node)
            for one in parameter_list(node.params):
                if identifier(one.name) in numbers or is_of(_TOLD, one, facts):
                    yield one


_PARTS: Mapping[str, Callable[[Place, Match, Resolver], Iterator[cst.CSTNode]]] = {
    "match": _match,
    "args": _arguments,
    "arg": _argument,
    "handed": _handed,
    "methods": _offered,
    "receiver": _receiver,
    "parameters": _parameters,
}


def _each(written: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(written, (cst.List, cst.Tuple)):
        yield from (element.value for element in written.elements)
    else:
        yield written


def _is_called(definition: Definition, written: cst.BaseExpression) -> bool:
    """Does an expression say a definition's own name, and none that it was given elsewhere?"""
    if isinstance(definition, cst.Lambda):
        return False
    return last_word(written) == identifier(definition.name)


def _parameter_of(node: cst.CSTNode, facts: Resolver) -> cst.CSTNode:
    """The parameter that a name is of, which is where its data enters; else the node itself."""
    above = next(iter(facts.tree.ancestors(node)), None) if isinstance(node, cst.Name) else None
    return above if isinstance(above, cst.Param) and above.name is node else node


def _may_mean(place: Place, name: str) -> bool:
    """May a place mean a parameter of this name?"""
    return name not in place.except_names and name not in _INSTANCES


def _expressions(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The node where it is an expression or parameter, else the expressions it computes."""
    if isinstance(node, (cst.BaseExpression, cst.Param)):
        yield node
    elif isinstance(node, cst.Arg):
        yield node.value
    elif isinstance(node, cst.BaseSmallStatement):
        yield from (child for child in children_of(node) if isinstance(child, cst.BaseExpression))
