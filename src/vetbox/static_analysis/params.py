"""The parameters of run_static_analysis."""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from vetbox.analyzers.bandit import BanditOptions
from vetbox.analyzers.base import Options
from vetbox.analyzers.configuration import ConfigurationError, read_configuration
from vetbox.analyzers.flake8 import Flake8Options
from vetbox.analyzers.lizard import LizardOptions
from vetbox.analyzers.pylint import PylintOptions
from vetbox.analyzers.radon import RadonOptions
from vetbox.analyzers.ruff import RuffOptions
from vetbox.analyzers.rule_engine import RulesOptions
from vetbox.boundary import (
    Items,
    ListFromJson,
    ObjectFromJson,
    ObjectOrNullFromJson,
    Params,
    ProjectPath,
    invalid,
    project_of,
)
from vetbox.documents import DocumentError

MAX_TARGETS = 1_000
MAX_TOOLS = 20
ToolName = Literal["rules", "ruff", "bandit", "pylint", "flake8", "radon", "lizard"]


class ToolOptions(Params):
    """Options by tool; a tool or key that is not listed is refused."""

    rules: Annotated[RulesOptions | None, ObjectOrNullFromJson] = None
    ruff: Annotated[RuffOptions | None, ObjectOrNullFromJson] = None
    bandit: Annotated[BanditOptions | None, ObjectOrNullFromJson] = None
    pylint: Annotated[PylintOptions | None, ObjectOrNullFromJson] = None
    flake8: Annotated[Flake8Options | None, ObjectOrNullFromJson] = None
    radon: Annotated[RadonOptions | None, ObjectOrNullFromJson] = None
    lizard: Annotated[LizardOptions | None, ObjectOrNullFromJson] = None

    def given(self, tool: str) -> Options | None:
        found: Options | None = getattr(self, tool)
        return found

    @property
    def named(self) -> tuple[str, ...]:
        """The tools that something is said to."""
        return tuple(name for name in type(self).model_fields if self.given(name) is not None)


class StaticAnalysisParams(Params):
    """Which files, which tools, and what to tell the tools."""

    target_paths: Annotated[
        tuple[ProjectPath, ...],
        Items(1, MAX_TARGETS),
        ListFromJson,
        Field(
            description="Files or folders to analyse, relative to the project root.",
            examples=[["src/my_module/", "tests/test_file.py"]],
        ),
    ]
    tools: Annotated[
        tuple[ToolName, ...],
        Items(1, MAX_TOOLS),
        ListFromJson,
        Field(
            description="Tools to run. Default: rules, ruff and bandit. "
            "The others need the extra `linters`.",
        ),
    ] = ("rules", "ruff", "bandit")
    language: Annotated[
        Literal["python"], Field(description="The language of the targets; python is the only one.")
    ] = "python"
    config_file: Annotated[
        ProjectPath | None,
        Field(
            description="A configuration file of the project (TOML, INI or YAML). It is read and "
            "checked key by key: it may choose checks and set limits, nothing else."
        ),
    ] = None
    options: Annotated[
        ToolOptions,
        ObjectFromJson,
        Field(description='Options by tool, such as {"pylint": {"disable": "C0114"}}.'),
    ] = ToolOptions()

    @property
    def chosen(self) -> tuple[ToolName, ...]:
        """The tools, each once, in the order of the request."""
        return tuple(dict.fromkeys(self.tools))

    @field_validator("config_file")
    @classmethod
    def acceptable(cls, path: str | None, info: ValidationInfo) -> str | None:
        """Its content is part of the parameters: checked before any tool starts."""
        if path is not None and "tools" in info.data:
            try:
                read_configuration(project_of(info), path, info.data["tools"])
            except (ConfigurationError, DocumentError) as error:
                raise invalid(str(error)) from None
        return path
