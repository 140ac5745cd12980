"""The parameters of execute_tests and discover_tests; every one of them takes effect."""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from vetbox.boundary import (
    FilePattern,
    Items,
    KeywordExpression,
    ListOrNullFromJson,
    MarkerExpression,
    NodeId,
    Params,
    ProjectPath,
    invalid,
)

MAX_NODE_IDS = 500
MAX_TIMEOUT_S = 3_600
DEFAULT_TIMEOUT_S = 300
Path = Annotated[
    ProjectPath | None,
    Field(description="A test file or folder of the project; the whole project by default."),
]
Pattern = Annotated[
    FilePattern | None, Field(description="Names of test files, such as test_*.py.")
]


class DiscoverTestsParams(Params):
    """Where to look for tests."""

    path: Path = None
    pattern: Pattern = None


class ExecuteTestsParams(Params):
    """Which tests to run, and how."""

    node_ids: Annotated[
        Annotated[tuple[NodeId, ...], Items(1, MAX_NODE_IDS)] | None,
        ListOrNullFromJson,
        Field(description="Tests by node id, such as tests/test_file.py::test_name."),
    ] = None
    path: Path = None
    pattern: Pattern = None
    markers: Annotated[
        MarkerExpression | None, Field(description="Marker expression, such as `not slow`.")
    ] = None
    keywords: Annotated[
        KeywordExpression | None,
        Field(description="Keyword expression, such as `http`."),
    ] = None
    verbosity: Annotated[
        int, Field(ge=0, le=3, description="How much text_output says, 0 to 3.")
    ] = 0
    failfast: Annotated[bool, Field(description="Stop at the first failure.")] = False
    maxfail: Annotated[
        int | None, Field(ge=1, le=10_000, description="Stop after so many failures.")
    ] = None
    timeout: Annotated[
        int,
        Field(ge=1, le=MAX_TIMEOUT_S, description="Seconds after which everything is killed."),
    ] = DEFAULT_TIMEOUT_S
    show_capture: Annotated[
        Literal["no", "stdout", "stderr", "log", "all"],
        Field(description="What a failed test's captured output shows in text_output."),
    ] = "all"

    @field_validator("maxfail")
    @classmethod
    def agrees_with_failfast(cls, maxfail: int | None, info: ValidationInfo) -> int | None:
        if maxfail is not None and maxfail > 1 and info.data.get("failfast"):
            raise invalid("maxfail above 1 conflicts with failfast; give one of the two")
        return maxfail
