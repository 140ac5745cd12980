"""Arguments and parameters as lists: what is positional, what goes by keyword."""

import libcst as cst

from vetbox.late_dataclasses import dataclass

Keyword = tuple[cst.Name, cst.BaseExpression]


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call's arguments; `**{"k": v}` counts as the keywords it spells.

    What `*` or `**` hold has its place among those without a keyword.
    """

    positional: tuple[cst.Arg, ...]
    keywords: tuple[Keyword, ...]


@dataclass(frozen=True, slots=True)
class CallPattern:
    """A pattern's arguments; `is_open` when a `...` lets others pass."""

    positional: tuple[cst.Arg, ...]
    keywords: tuple[Keyword, ...]
    is_open: bool

    @classmethod
    def of(cls, call: cst.Call) -> "CallPattern":
        read = read_arguments(call)
        is_open = any(isinstance(arg.value, cst.Ellipsis) for arg in read.positional)
        return cls(read.positional, read.keywords, is_open)


def read_arguments(call: cst.Call) -> Arguments:
    """The arguments of a call, keywords apart."""
    keywords = [(arg.keyword, arg.value) for arg in call.args if arg.keyword is not None]
    positional = []
    for arg in call.args:
        if arg.star == "**" and isinstance(arg.value, cst.Dict):
            keywords.extend(_spelled_keywords(arg.value))
        elif arg.keyword is None:
            positional.append(arg)
    return Arguments(tuple(positional), tuple(keywords))


def _spelled_keywords(literal: cst.Dict) -> list[Keyword]:
    return [
        (cst.Name(name), element.value)
        for element in literal.elements
        if isinstance(element, cst.DictElement)
        and isinstance(element.key, cst.SimpleString)
        and isinstance(name := element.key.evaluated_value, str)
        and name.isidentifier()
    ]


def parameter_list(parameters: cst.Parameters) -> tuple[cst.Param, ...]:
    """Every parameter in the order of the signature; a bare `*` is left out."""
    star = (parameters.star_arg,) if isinstance(parameters.star_arg, cst.Param) else ()
    rest = (parameters.star_kwarg,) if parameters.star_kwarg is not None else ()
    return (
        *parameters.posonly_params,
        *parameters.params,
        *star,
        *parameters.kwonly_params,
        *rest,
    )
