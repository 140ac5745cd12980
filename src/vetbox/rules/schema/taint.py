"""The schema of taint rules, of the models they share, and of fixes."""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from vetbox.rules.language.requirement import Requirement
from vetbox.rules.schema.base import KIND, CallPart, Closed, EquivalentModel, NameList, one_or_more
from vetbox.rules.schema.formula import FormulaField, Metavariable
from vetbox.rules.schema.regex import Regex, Subpatterns, with_subpatterns


def _label(name: str) -> str:
    if Requirement.of(name) != Requirement(name):
        raise ValueError(f"'{name}' is not a label; write one word, as in INPUT")
    return name


def _requirement(text: str) -> str:
    Requirement.of(text)
    return text


Label: TypeAlias = Annotated[str, AfterValidator(_label)]
LabelsAsked: TypeAlias = Annotated[str, AfterValidator(_requirement)]
_ASKED = "labels joined by and, or, not, as in `INPUT and not CHECKED`"


class PlaceModel(Closed):
    """A source, sink or sanitizer: a shared kind of `rules/models`, or a formula."""

    kind: str | None = Field(None, pattern=KIND)
    match: FormulaField | None = None
    at: CallPart = Field(
        "match",
        pattern=r"^(match|args|parameters|receiver|handed|(arg|handed|methods)\.[\w|]+)$",
        description="the part of what matches that is meant: all of it, a call's arguments, one of "
        "them by position or name (arg.0|name), what a method is called on, a def's parameters, or "
        "those of functions that are handed over as an argument (handed.0|name) or are what "
        "matches (handed), or of the public methods of an object that is (methods.0|name)",
    )
    by: Literal["result", "side-effect", "guard", "refusal"] = Field(
        "result",
        description="how a sanitizer works: its result is clean; by side-effect its arguments are, "
        "afterwards; as a guard where the test it stands in holds; by refusal where it does not",
    )
    except_type: NameList = Field(
        [], description="parameters of such types, or with such defaults, are not meant"
    )
    except_name: NameList = Field([], description="parameters of these names are not meant")

    _check_given = one_or_more("kind", "match")

    @model_validator(mode="after")
    def _says_itself(self) -> Self:
        """The places of a kind say themselves which part is meant, and of which parameters."""
        said = self.model_fields_set & {"match", "at", "by", "except_type", "except_name"}
        if self.kind is not None and said:
            names = ", ".join(sorted(name.replace("_", "-") for name in said))
            raise ValueError(f"{names}: not read beside `kind`; write a place with `match` for it")
        return self


class SourceModel(PlaceModel):
    """Where data enters, or where what has entered becomes something else as well."""

    label: Label | None = Field(None, description="what the data is, for what `requires` it")
    requires: LabelsAsked | None = Field(
        None, description=f"what the data must be here before it is this too: {_ASKED}"
    )
    doubtful: bool = Field(
        False, description="there may be a good reason for such data: of less confidence"
    )


class SinkModel(PlaceModel):
    """Where data must not arrive."""

    requires: LabelsAsked | None = Field(None, description=f"what is refused here: {_ASKED}")


class PropagatorModel(Closed):
    """Code after which one metavariable holds what another one does."""

    match: FormulaField
    from_: Metavariable = Field(alias="from")
    to: Metavariable
    label: Label | None = Field(None, description="what the data is there, and nothing else")
    replaces: NameList = Field([], description="the labels that `label` takes the place of; all")
    requires: LabelsAsked | None = Field(None, description=f"what is handed on: {_ASKED}")


class TaintModel(Closed):
    """Data that must not get from a source to a sink."""

    sources: list[SourceModel] = Field(min_length=1)
    sinks: list[SinkModel] = Field(min_length=1)
    sanitizers: list[PlaceModel] = []
    propagators: list[PropagatorModel] = []


class SharedModel(Closed):
    """A file of `rules/models`: the places of one kind, for every rule."""

    kind: str = Field(pattern=KIND)
    role: Literal["source", "sink", "sanitizer", "matcher"]
    why: str = Field(min_length=10)
    subpatterns: Subpatterns = {}
    places: list[PlaceModel] = Field(min_length=1)
    equivalent: list[EquivalentModel] = []

    @model_validator(mode="before")
    @classmethod
    def _named_parts(cls, data: Any) -> Any:
        return with_subpatterns(data)

    @model_validator(mode="after")
    def _matches_whole(self) -> Self:
        said = {name for place in self.places for name in place.model_fields_set}
        if self.role == "matcher" and not said <= {"kind", "match"}:
            raise ValueError("the places of a matcher say `match` or `kind`, and nothing else")
        return self


class SubstituteModel(Closed):
    """Other text for what a regex finds in the code of the match."""

    regex: Regex
    by: str = Field(description="may name groups of the regex, as in \\1")
    count: int = Field(0, ge=0, description="how often, from the start; 0: wherever it matches")


class FixModel(Closed):
    """What to write instead: a template, other keyword arguments for the call, or other text."""

    replace: str | None = None
    set_arg: dict[str, str] = {}
    add_arg: dict[str, str] = {}
    remove_arg: NameList = []
    substitute: SubstituteModel | None = None
    imports: NameList = []
    safety: Literal["safe", "unsafe"]
    when: FormulaField | None = None

    @model_validator(mode="after")
    def _writes_something(self) -> Self:
        """`replace: ""` does: it leaves the code out."""
        others = (self.set_arg, self.add_arg, self.remove_arg, self.substitute)
        if self.replace is None and not any(others):
            raise ValueError("needs replace or set-arg or add-arg or remove-arg or substitute")
        return self
