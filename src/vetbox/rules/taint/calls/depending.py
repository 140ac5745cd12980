"""Dependency injection: parameters that a type fills, as `Annotated[dict, Depends(f)]`."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.calls.callbacks import handed_call
from vetbox.rules.taint.reading.environment import path_of


def filling(parameter: cst.Param, facts: Facts) -> Iterator[cst.Call]:
    """The calls in a parameter's type, by its name or written out, that make its value."""
    if parameter.annotation is None:
        return
    written = parameter.annotation.annotation
    behind = facts.behind(written) if isinstance(written, cst.Name) else written
    match behind:
        case cst.Subscript(value=generic, slice=[_, *rest]):
            if (path_of(generic) or "").rpartition(".")[2] != "Annotated":
                return
            for one in rest:
                made = one.slice.value if isinstance(one.slice, cst.Index) else None
                if isinstance(made, cst.Call) and handed_call(made) is not None:
                    yield made
