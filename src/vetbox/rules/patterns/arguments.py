"""Arguments and parameters as lists: what is positional, what goes by keyword."""

from collections.abc import Container
from typing import TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.vocabulary import gap_name, is_gap

Keyword: TypeAlias = tuple[cst.Name, cst.BaseExpression]


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call's arguments; `**{"k": v}` counts as the keywords it spells.

    What else `*` or `**` hold has its place among those without a keyword: `**{"k": v, name: w}`
    has both. `written` are all of them.
    """

    positional: tuple[cst.Arg, ...]
    keywords: tuple[Keyword, ...]
    written: tuple[cst.Arg, ...]

    def left_by(self, positional: int, keywords: Container[str]) -> tuple[cst.Arg, ...]:
        """Those behind the first that have no keyword, and without the keywords that are taken."""
        taken = self.positional[:positional]
        return tuple(
            arg
            for arg in self.written
            if arg not in taken and (arg.keyword is None or arg.keyword.value not in keywords)
        )


@dataclass(frozen=True, slots=True)
class CallPattern:
    """A pattern's arguments; `is_open` when a gap lets others pass.

    `rest` is the name of the only gap, a `$...REST` behind all that goes by its place.
    """

    positional: tuple[cst.Arg, ...]
    keywords: tuple[Keyword, ...]
    is_open: bool
    rest: str | None = None

    @classmethod
    def of(cls, call: cst.Call) -> "CallPattern":
        read = read_arguments(call)
        gaps = [arg for arg in read.positional if is_gap(arg) or gap_name(arg)]
        rest = gap_name(gaps[0]) if len(gaps) == 1 and gaps[0] is read.positional[-1] else None
        is_open = rest is not None or any(map(is_gap, gaps))
        return cls(read.positional, read.keywords, is_open, rest)


def read_arguments(call: cst.Call) -> Arguments:
    """The arguments of a call, keywords apart."""
    keywords = [(arg.keyword, arg.value) for arg in call.args if arg.keyword is not None]
    positional = []
    for arg in call.args:
        is_told = arg.keyword is not None
        if arg.star == "**" and isinstance(arg.value, cst.Dict):
            spelled = _spelled_keywords(arg.value)
            keywords.extend(spelled)
            is_told = len(spelled) == len(arg.value.elements)
        if not is_told:
            positional.append(arg)
    return Arguments(tuple(positional), tuple(keywords), tuple(call.args))


def _spelled_keywords(literal: cst.Dict) -> list[Keyword]:
    return [
        (cst.Name(name), element.value)
        for element in literal.elements
        if isinstance(element, cst.DictElement)
        and isinstance(element.key, (cst.SimpleString, cst.ConcatenatedString))
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
