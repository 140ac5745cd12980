"""The rule file's schema: a closed world, so that a misspelt key is an error with its place."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from vetbox.rules.schema.base import CallPart, Closed, EquivalentModel, NameList, PathGlob
from vetbox.rules.schema.formula import ConditionField, FormulaField, Metavariable
from vetbox.rules.schema.regex import Subpatterns, with_subpatterns
from vetbox.rules.schema.taint import FixModel, SharedModel, TaintModel

Level = Literal["error", "warning", "info", "off"]


class ReportModel(Closed):
    """Where the finding points: `call` (the whole match), `callee`, `arg.0` or `arg.name`.

    Of a flow: the whole of its sink, or what that puts in `focus`.
    """

    at: CallPart = Field(pattern=r"^(call|callee|focus|arg\.[\w|]+)$")


class ProfileModel(Closed):
    """A level with a message of its own for the profile."""

    severity: Level
    message: str = Field(min_length=1)


class ProfilesModel(Closed):
    agent: Level | ProfileModel | None = None
    repo: Level | ProfileModel | None = None


class PathsModel(Closed):
    """Globs of paths, with `**` for any number of folders."""

    include: list[PathGlob] = []
    exclude: list[PathGlob] = []


class SkipModel(Closed):
    """A rewriting of the fixtures that does not apply to this rule."""

    transform: str
    why: str = Field(min_length=10)


ID = r"^[A-Za-z][A-Za-z0-9]*([-_.][A-Za-z0-9]+)*$"


def _spelt_as_id(value: object) -> object:
    if isinstance(value, str) and not re.match(ID, value):
        raise ValueError(f"'{value}' is no id: write words and numbers, as in no-pickle")
    return value


def _number_of_weakness(value: object) -> object:
    if isinstance(value, str):
        raise ValueError(f"'{value}' is no number of a CWE; write it as in [78]")
    return value


class RuleModel(Closed):
    """One rule file."""

    id: Annotated[str, BeforeValidator(_spelt_as_id)] = Field(pattern=ID, max_length=200)
    message: str = Field(min_length=1)
    severity: Literal["error", "warning", "info"]
    confidence: Literal["high", "medium", "low"] = Field(
        "high", description="a step lower in tests and other code beside a code base's program"
    )
    cwe: list[Annotated[int, Field(ge=1), BeforeValidator(_number_of_weakness)]] = []
    profiles: ProfilesModel = ProfilesModel()
    subpatterns: Subpatterns = {}
    match: FormulaField | None = None
    taint: TaintModel | None = None
    where: list[ConditionField] = []
    unless: list[FormulaField] = []
    doubtful: list[FormulaField] = Field(
        [],
        description="where one holds, of a flow at its sink, there may be a good reason: of less "
        "confidence, medium instead of high or low instead of medium",
    )
    excused_by: NameList = Field(
        [],
        description="rules on flows that see the same place: nothing is found in a code base "
        "where they have followed all that comes there to what is known, or sanitized",
    )
    told_by: NameList = Field(
        [],
        description="rules that say more of the same place: nothing is found in a code base "
        "where one of them finds something",
    )
    focus: Metavariable | None = None
    fix: FixModel | None = None
    report: ReportModel = ReportModel(at="call")
    paths: PathsModel = PathsModel()
    why: str = ""
    instead: str = ""
    references: list[str] = []
    tags: list[str] = []
    equivalent: list[EquivalentModel] = []
    skip: list[SkipModel] = []

    @model_validator(mode="before")
    @classmethod
    def _named_parts(cls, data: Any) -> Any:
        return with_subpatterns(data)

    @model_validator(mode="after")
    def _looks_for_one_thing(self) -> Self:
        if (self.match is None) == (self.taint is None):
            raise ValueError("a rule has either `match` or `taint`")
        if self.doubtful and self.confidence == "low":
            raise ValueError("`doubtful` lowers the confidence, and that of this rule is low")
        if self.taint is not None and _ABOUT_MATCHES & self.model_fields_set:
            given = ", ".join(sorted(_ABOUT_MATCHES & self.model_fields_set))
            raise ValueError(f"{given}: not read beside `taint`; write it in a source or sink")
        if self.taint is not None and self.fix is not None and self.fix.when is not None:
            raise ValueError("fix: when is not read beside `taint`; write it in a sink")
        if (self.report.at == "focus") and self.taint is None:
            raise ValueError("report: at focus is where a match is found anyway; leave it out")
        if self.report.at not in ("call", "focus") and self.taint is not None:
            raise ValueError("report: not read beside `taint`, but for `at: focus`")
        return self


_ABOUT_MATCHES = frozenset({"where", "unless", "focus"})
"""Keys that say more about `match`; the places of a flow say it themselves."""


def _not_empty(rules: list[RuleModel]) -> list[RuleModel]:
    if not rules:
        raise ValueError("the file holds no rules; write one or delete it")
    return rules


class RulesModel(Closed):
    """A user's own file of several rules."""

    schema_: Literal[1] = Field(alias="schema")
    rules: Annotated[list[RuleModel], AfterValidator(_not_empty)]


def rule_schema() -> dict[str, Any]:
    """The JSON Schema of a rule file, for editors."""
    return _published("A vetbox rule", RuleModel)


def model_schema() -> dict[str, Any]:
    """The JSON Schema of a file of `rules/models`."""
    return _published("Places of one kind, shared by vetbox's taint rules", SharedModel)


def _published(title: str, model: type[Closed]) -> dict[str, Any]:
    schema = model.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": title}
