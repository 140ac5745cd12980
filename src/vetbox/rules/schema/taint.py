"""The schema of taint rules, of the models they share, and of fixes."""

from typing import Literal

from pydantic import Field

from vetbox.rules.schema.base import KIND, Closed, EquivalentModel, NameList, one_or_more
from vetbox.rules.schema.formula import FormulaField, Metavariable


class PlaceModel(Closed):
    """A source, sink or sanitizer: a shared kind of `rules/models`, or a formula."""

    kind: str | None = Field(None, pattern=KIND)
    match: FormulaField | None = None
    at: str = Field(
        "match",
        pattern=r"^(match|args|parameters|receiver|arg\.[\w|]+)$",
        description="the part of what matches that is meant: all of it, a call's arguments, one of "
        "them by position or name (arg.0|name), what a method is called on, a def's parameters",
    )
    by: Literal["result", "side-effect", "guard", "refusal"] = Field(
        "result",
        description="how a sanitizer works: its result is clean; by side-effect its arguments are, "
        "afterwards; as a guard where the test it stands in holds; by refusal where it does not",
    )
    except_type: NameList = Field(
        [], description="parameters of such types, or with such defaults, are not meant"
    )

    _check_given = one_or_more("kind", "match")


class PropagatorModel(Closed):
    """Code after which one metavariable holds what another one does."""

    match: FormulaField
    from_: Metavariable = Field(alias="from")
    to: Metavariable


class TaintModel(Closed):
    """Data that must not get from a source to a sink."""

    sources: list[PlaceModel] = Field(min_length=1)
    sinks: list[PlaceModel] = Field(min_length=1)
    sanitizers: list[PlaceModel] = []
    propagators: list[PropagatorModel] = []


class SharedModel(Closed):
    """A file of `rules/models`: the places of one kind, for every taint rule."""

    kind: str = Field(pattern=KIND)
    role: Literal["source", "sink", "sanitizer"]
    why: str = Field(min_length=10)
    places: list[PlaceModel] = Field(min_length=1)
    equivalent: list[EquivalentModel] = []


class FixModel(Closed):
    """What to write instead: a template, or other keyword arguments for the call."""

    replace: str | None = None
    set_arg: dict[str, str] = {}
    add_arg: dict[str, str] = {}
    remove_arg: NameList = []
    imports: NameList = []
    safety: Literal["safe", "unsafe"]
    when: FormulaField | None = None

    _check_given = one_or_more("replace", "set-arg", "add-arg", "remove-arg")
