"""Arguments of a tool: abbreviated names made whole, and one wording of what does not fit."""

import inspect
from collections.abc import Iterable, Mapping

from vetbox.errors import VetboxError

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def full_names(
    signature: inspect.Signature, args: tuple[object, ...], kwargs: Mapping[str, object]
) -> dict[str, object]:
    """`kwargs` under the full parameter names: an exact name, else the first that it begins.

    Parameters that already have a value are skipped; a name that fits nothing stays as it is.
    """
    parameters = signature.parameters.values()
    bound = {p.name for p in [p for p in parameters if p.kind in _POSITIONAL][: len(args)]}
    free = [p.name for p in parameters if p.kind in _NAMED and p.name not in bound]
    return matched(free, kwargs)


def matched(parameters: Iterable[str], kwargs: Mapping[str, object]) -> dict[str, object]:
    """`kwargs` with every abbreviated name replaced by the first free parameter it begins."""
    free = [name for name in parameters if name not in kwargs]
    full: dict[str, object] = {}
    for name, value in kwargs.items():
        whole = None if name in parameters else _first_beginning(name, free)
        if whole is not None:
            free.remove(whole)
        full[whole or name] = value
    return full


def bound(
    name: str,
    signature: inspect.Signature,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
) -> inspect.BoundArguments:
    """The arguments bound as Python would; TypeError says what the tool expects.

    A name that it does not know is told before a value that is missing: it is mostly the same one.
    """
    named = full_names(signature, args, kwargs)
    try:
        _refuse_unknown(signature, named)
        return signature.bind(*args, **named)
    except TypeError as error:
        raise misfit(name, signature, str(error)) from None


def wrong_type(name: str, bound: inspect.BoundArguments, error: Exception) -> TypeError | None:
    """What to say where a tool failed on a value that is not of its parameter's annotated type."""
    for own, value in bound.arguments.items():
        wanted = bound.signature.parameters[own].annotation
        if not isinstance(value, wanted):
            said = f"'{own}' must be {inspect.formatannotation(wanted)}"
            # Of other errors the text is about the inside of the tool.
            more = f": {error}" if isinstance(error, VetboxError) else ""
            return misfit(name, bound.signature, f"{said}, not {type(value).__name__}{more}")
    return None


def misfit(name: str, signature: inspect.Signature, why: str) -> TypeError:
    """The error of a tool that is called with wrong arguments, and how it is called."""
    short = name.rpartition(".")[2]
    said = f"{short}() {why.removesuffix('.')}. Expected: {name}{signature}"
    return TypeError(said.replace("pathlib._local.", "pathlib."))  # where Python 3.13 keeps it


def _refuse_unknown(signature: inspect.Signature, named: Iterable[str]) -> None:
    parameters = signature.parameters
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    unknown = [] if takes_any else [name for name in named if name not in parameters]
    if unknown:
        raise TypeError(f"got an unexpected keyword argument '{unknown[0]}'")


def _first_beginning(prefix: str, names: list[str]) -> str | None:
    return next((name for name in names if prefix and name.startswith(prefix)), None)
