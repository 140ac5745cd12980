"""Parameter validation, scenarios P-1 to P-26."""

import importlib
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from pydantic import BaseModel, ValidationError

from tests.server.services import over_stdio
from vetbox.app import App
from vetbox.boundary import Params, pydantic_error_to_jsonrpc
from vetbox.pytest_tools import DiscoverTestsParams, ExecuteTestsParams, execute_tests
from vetbox.static_analysis import StaticAnalysisParams
from vetbox.trust import TrustStore

MODELS = (ExecuteTestsParams, DiscoverTestsParams, StaticAnalysisParams)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "test_a.py").write_text("def test_ok(): pass\n")
    return root


def problems(model: type[BaseModel], project: Path, **given: object) -> list[tuple[str, str]]:
    """(field, message) of every problem with the parameters."""
    try:
        model.model_validate(given, context={"project": project})
    except ValidationError as error:
        data = pydantic_error_to_jsonrpc(error)["data"]
        return [(each["field"], each["message"]) for each in data["validation_errors"]]
    return []


def test_p1_every_tool_of_the_service_has_a_model(project: Path) -> None:
    endpoints = App.open(project, trust_folder=project).endpoints
    assert set(endpoints) == {
        *("run_static_analysis", "validate_python_code", "discover_tests", "execute_tests", "run"),
    }
    for endpoint in endpoints.values():
        assert issubclass(endpoint.params, Params)
        assert endpoint.params.model_config["extra"] == "forbid"
        assert endpoint.params.model_config["frozen"] is True


def test_p2_constraints_are_the_validators_business(project: Path) -> None:
    given = {"path": "../x", "markers": "a or", "pattern": "-p", "maxfail": 0}
    fields = [field for field, _ in problems(ExecuteTestsParams, project, **given)]
    assert fields == ["path", "pattern", "markers", "maxfail"]


def test_p3_nothing_starts_before_the_parameters_are_right(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert problems(ExecuteTestsParams, project, path="-p evil")
    assert problems(StaticAnalysisParams, project, target_paths=["../x"])
    with pytest.raises(
        AssertionError, match="a process was started"
    ):  # or the above proves nothing
        execute_tests(ExecuteTestsParams(), project)


def test_p4_an_error_says_which_field_is_wrong(project: Path) -> None:
    assert problems(ExecuteTestsParams, project, markers="a b") == [
        ("markers", "Invalid marker expression syntax")
    ]


@pytest.mark.parametrize("markers", ["unknown_marker", "slow(reason='x')"])
def test_p5_what_a_marker_means_is_left_to_pytest(project: Path, markers: str) -> None:
    assert problems(ExecuteTestsParams, project, markers=markers) == []


def test_p6_p7_the_error_object_is_exactly_the_specified_one(project: Path) -> None:
    with pytest.raises(ValidationError) as refused:
        ExecuteTestsParams.model_validate({"markers": "a or"}, context={"project": project})
    assert pydantic_error_to_jsonrpc(refused.value) == {
        "code": -32602,
        "message": "Invalid parameters",
        "data": {
            "validation_errors": [
                {
                    "field": "markers",
                    "message": "Invalid marker expression syntax",
                    "type": "value_error",
                }
            ]
        },
    }


def test_p7_the_prefix_of_pydantic_is_stripped() -> None:
    class Model(BaseModel):
        x: int

    from pydantic import field_validator

    class Raising(Model):
        @field_validator("x")
        @classmethod
        def refuse(cls, x: int) -> int:
            raise ValueError("x is never right")

    with pytest.raises(ValidationError) as refused:
        Raising(x=1)
    (problem,) = pydantic_error_to_jsonrpc(refused.value)["data"]["validation_errors"]
    assert problem == {"field": "x", "message": "x is never right", "type": "value_error"}


@pytest.mark.parametrize("path", ["..", "a/../b", "../../etc/passwd", "tests/../../x"])
def test_p8_traversal_is_refused(project: Path, path: str) -> None:
    assert problems(DiscoverTestsParams, project, path=path) == [
        ("path", "Path traversal not allowed")
    ]


def test_p9_what_is_outside_is_refused_links_included(project: Path) -> None:
    (project / "link").symlink_to("/")
    for path in ("/etc", "link", "link/etc"):
        assert problems(DiscoverTestsParams, project, path=path) == [
            ("path", "Path must be within project directory")
        ]


@pytest.mark.parametrize("markers", ["a or", "(a", "and b", "a;b", 'm(x=__import__("os"))'])
def test_p10_a_bad_marker_expression_is_refused(project: Path, markers: str) -> None:
    assert problems(ExecuteTestsParams, project, markers=markers) == [
        ("markers", "Invalid marker expression syntax")
    ]


def test_p11_the_fields_and_their_defaults() -> None:
    params = ExecuteTestsParams()
    names = ("node_ids", "path", "pattern", "markers", "keywords")
    assert [getattr(params, name) for name in names] == [None] * 5
    assert (params.verbosity, params.failfast) == (0, False)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verbosity", True),
        ("verbosity", "1"),
        ("verbosity", 1.5),
        ("failfast", "yes"),
        ("failfast", 1),
        ("path", 1),
        ("markers", ["a"]),
        ("node_ids", "tests/test_a.py"),
        ("node_ids", [None]),
        ("node_ids", {"a": 1}),
    ],
)
def test_p12_types_are_strict(project: Path, field: str, value: object) -> None:
    ((where, _),) = problems(ExecuteTestsParams, project, **{field: value})
    assert where.partition(".")[0] == field


def test_p12_a_list_is_called_a_list(project: Path) -> None:
    assert problems(ExecuteTestsParams, project, node_ids="tests/test_a.py") == [
        ("node_ids", "Input should be a valid list")
    ]


@pytest.mark.parametrize("value", [None, {"a": 1}, 5])
def test_p12_a_list_of_codes_is_called_a_list(project: Path, value: object) -> None:
    given = {"target_paths": ["."], "options": {"ruff": {"select": value}}}
    said = ("options.ruff.select", "Input should be a valid list")
    assert problems(StaticAnalysisParams, project, **given) == [said]


@pytest.mark.parametrize("value", [None, {"a": 1}, 5])
def test_p12_a_list_that_is_required_is_called_one(project: Path, value: object) -> None:
    said = ("target_paths", "Input should be a valid list")
    assert problems(StaticAnalysisParams, project, target_paths=value) == [said]


@pytest.mark.parametrize("value", [5, "x", [], True])
def test_p12_an_object_is_called_by_no_class_of_ours(project: Path, value: object) -> None:
    said = "Input should be a valid dictionary"
    given = {"target_paths": ["."], "options": value}
    assert problems(StaticAnalysisParams, project, **given) == [("options", said)]
    given = {"target_paths": ["."], "options": {"ruff": value}}
    assert problems(StaticAnalysisParams, project, **given) == [("options.ruff", said)]


def test_p12_lists_written_as_json_text_are_lists(project: Path) -> None:
    """Some clients send every list and object so."""
    given = {"target_paths": '["tests"]', "options": '{"ruff": {"select": "S,E"}}'}
    params = StaticAnalysisParams.model_validate(given, context={"project": project})
    assert params.target_paths == ("tests",)
    assert params.options.ruff is not None
    assert params.options.ruff.select == ("S", "E")


def test_p13_what_is_required_must_be_given(project: Path) -> None:
    assert problems(StaticAnalysisParams, project) == [("target_paths", "Field required")]
    assert problems(DiscoverTestsParams, project) == []


def test_p14_closed_vocabularies_are_closed(project: Path) -> None:
    given = {"target_paths": ["."], "tools": ["rm"], "language": "javascript"}
    fields = [field for field, _ in problems(StaticAnalysisParams, project, **given)]
    assert fields == ["tools.0", "language"]
    ((field, message),) = problems(ExecuteTestsParams, project, show_capture="everything")
    assert (field, "'no'" in message) == ("show_capture", True)


@pytest.mark.parametrize(
    ("field", "value", "limit"),
    [
        ("verbosity", 4, "less than or equal to 3"),
        ("verbosity", -1, "greater than or equal to 0"),
        ("maxfail", 0, "greater than or equal to 1"),
        ("timeout", 0, "greater than or equal to 1"),
        ("timeout", 3601, "less than or equal to 3600"),
        ("keywords", "a" * 1001, "at most 1000 characters"),
        ("markers", "(" * 500 + "a" + ")" * 500, "at most"),
        ("node_ids", ["tests/test_a.py::t"] * 501, "at most 500 items"),
        ("node_ids", ["tests/test_a.py::" + "t" * 2000], "at most"),
        ("path", "a/" * 3000, "longer than 4,096 characters"),
        ("pattern", "a" * 256, "at most 255 characters"),
    ],
)
def test_p15_lengths_and_ranges_are_limited(
    project: Path, field: str, value: object, limit: str
) -> None:
    ((where, message),) = problems(ExecuteTestsParams, project, **{field: value})
    assert (where.partition(".")[0], limit in message) == (field, True), message


@pytest.mark.parametrize("field", ["node_ids", "target_paths", "tools"])
def test_p15_a_list_is_counted_before_its_items_are_looked_at(project: Path, field: str) -> None:
    model = ExecuteTestsParams if field == "node_ids" else StaticAnalysisParams
    given = {"target_paths": ["."], field: ["../x"] * 100_000}
    if field == "node_ids":
        del given["target_paths"]
    [(where, why)] = problems(model, project, **given)
    assert (where, "100000" in why) == (field, True)


@pytest.mark.parametrize(
    ("tool", "key", "codes"),
    [
        ("ruff", "select", ["S"] * 100_000),
        ("ruff", "ignore", ",".join(["S101"] * 1_001)),
        ("bandit", "skips", ["B101"] * 1_001),
        ("pylint", "disable", ["a" * 200_000]),
        ("rules", "select", ["a" * 200_000]),
    ],
)
def test_p15_no_list_of_codes_is_too_long_for_a_command(
    project: Path, tool: str, key: str, codes: object
) -> None:
    given = {"target_paths": ["."], "options": {tool: {key: codes}}}
    [(where, _)] = problems(StaticAnalysisParams, project, **given)
    assert where == f"options.{tool}.{key}"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"addopts": "-p evil"}, "addopts"),
        ({"path": "--collect-only"}, "path"),
        ({"path": "@arguments"}, "path"),
        ({"node_ids": ["-p"]}, "node_ids.0"),
        ({"node_ids": ["@x"]}, "node_ids.0"),
        ({"keywords": "-x"}, "keywords"),
        ({"keywords": "@x"}, "keywords"),
        ({"markers": "--fixtures"}, "markers"),
        ({"pattern": "-p"}, "pattern"),
    ],
)
def test_p16_nothing_becomes_an_option(project: Path, given: dict[str, object], field: str) -> None:
    for name in ("--collect-only", "@arguments", "-p", "@x"):
        (project / name).write_text("def test_it(): pass\n")  # that it exists excuses nothing
    assert [where for where, _ in problems(ExecuteTestsParams, project, **given)] == [field]


def test_p17_parameters_that_contradict_each_other_are_refused(project: Path) -> None:
    ((field, message),) = problems(ExecuteTestsParams, project, failfast=True, maxfail=3)
    assert (field, message) == (
        "maxfail",
        "maxfail above 1 conflicts with failfast; give one of the two",
    )
    assert problems(ExecuteTestsParams, project, failfast=True, maxfail=1) == []


def test_p18_the_endpoint_is_asked_with_a_model_only(project: Path) -> None:
    endpoints = App.open(project, trust_folder=project).endpoints
    assert endpoints["execute_tests"].params is ExecuteTestsParams
    assert endpoints["discover_tests"].params is DiscoverTestsParams
    assert endpoints["run_static_analysis"].params is StaticAnalysisParams


def test_p18_no_test_runs_before_the_parameters_are_right(project: Path, tmp_path: Path) -> None:
    (project / "tests" / "test_a.py").write_text("open('ran', 'w')\ndef test_ok(): pass\n")
    (tmp_path / "user").mkdir()
    TrustStore(tmp_path / "user").trust(project)
    with over_stdio(project, tmp_path / "user") as client:
        client.start()
        refused = client.call(1, "execute_tests", markers="a or")
        assert (refused["error"]["code"], (project / "ran").exists()) == (-32602, False)
        client.call(2, "execute_tests")
        assert (project / "ran").exists()  # or the above proves nothing


def test_p19_validation_needs_no_pytest() -> None:
    code = "import sys, vetbox.pytest_tools.params; assert '_pytest' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("model", MODELS)
def test_p20_the_schema_says_what_the_model_does(model: type[Params]) -> None:
    schema = model.model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(model.model_fields)


@pytest.mark.parametrize("model", MODELS)
def test_p20_the_schema_has_no_keyword_without_effect(model: type[Params]) -> None:
    """JSON Schema counts the items of a list and bounds a number by words of its own."""
    for node in subschemas(model.model_json_schema()):
        assert node.keys().isdisjoint({"ge", "le", "gt", "lt"}), node
        assert node.get("type") == "string" or node.keys().isdisjoint({"minLength", "maxLength"})


def subschemas(node: object) -> Iterator[dict[str, object]]:
    match node:
        case dict():
            yield node
            for value in node.values():
                yield from subschemas(value)
        case list():
            for value in node:
                yield from subschemas(value)


@pytest.mark.parametrize(
    ("model", "given", "field"),
    [
        (ExecuteTestsParams, {"node_ids": []}, "node_ids"),
        (ExecuteTestsParams, {"node_ids": ["t.py"] * 501}, "node_ids"),
        (StaticAnalysisParams, {"target_paths": []}, "target_paths"),
        (StaticAnalysisParams, {"target_paths": ["."] * 1_001}, "target_paths"),
        (StaticAnalysisParams, {"target_paths": ["."], "tools": []}, "tools"),
        (
            StaticAnalysisParams,
            {"target_paths": ["."], "options": {"ruff": {"select": []}}},
            "options.ruff.select",
        ),
        (
            StaticAnalysisParams,
            {"target_paths": ["."], "options": {"pylint": {"jobs": 5}}},
            "options.pylint.jobs",
        ),
    ],
)
def test_p20_what_the_model_refuses_by_its_size_the_schema_refuses(
    project: Path, model: type[Params], given: dict[str, object], field: str
) -> None:
    assert [where for where, _ in problems(model, project, **given)] == [field]
    assert not jsonschema.Draft202012Validator(model.model_json_schema()).is_valid(given)


@pytest.mark.parametrize(
    "options", [{}, {"pylint": {"disable": "C0114"}}, {"pylint": {"jobs": "2"}}]
)
def test_p20_the_schema_allows_the_examples_of_the_specification(
    options: dict[str, object],
) -> None:
    given = {"target_paths": ["src/my_module/"], "tools": ["pylint"], "options": options}
    jsonschema.validate(given, StaticAnalysisParams.model_json_schema())


def test_p20_every_field_has_a_description() -> None:
    for model in MODELS:
        for name, field in model.model_json_schema()["properties"].items():
            assert field.get("description"), f"{model.__name__}.{name}"


@pytest.mark.parametrize("module", ["boundary", "pytest_tools.params", "static_analysis.params"])
def test_p21_the_package_is_typed(module: str) -> None:
    """`mypy --strict` over the package is a step of every build; this is its precondition."""
    import vetbox

    root = Path(__file__).parents[2]
    assert "step mypy\n" in (root / "bin/check").read_text()
    assert tomllib.loads((root / "pyproject.toml").read_text())["tool"]["mypy"]["strict"] is True
    assert (Path(vetbox.__file__).parent / "py.typed").exists()
    assert importlib.import_module(f"vetbox.{module}").__doc__


def test_p22_what_pytest_finds_wrong_is_a_result(project: Path) -> None:
    given = {"node_ids": ["tests/test_a.py::test_missing"]}
    params = ExecuteTestsParams.model_validate(given, context={"project": project})
    result = execute_tests(params, project)
    assert result.exit_code == 4
    assert result.error_message is not None
    assert "test_missing" in result.error_message


def test_p23_the_contract_is_this() -> None:
    """A change here is a change of the product's interface."""
    assert list(ExecuteTestsParams.model_fields) == [
        *("node_ids", "path", "pattern", "markers", "keywords"),
        *("verbosity", "failfast", "maxfail", "timeout", "show_capture"),
    ]
    assert list(DiscoverTestsParams.model_fields) == ["path", "pattern"]
    assert list(StaticAnalysisParams.model_fields) == [
        *("target_paths", "tools", "language", "config_file", "options"),
    ]


def test_p24_nested_places_are_dotted(project: Path) -> None:
    given = {"node_ids": ["tests/test_a.py", "../x.py"]}
    assert problems(ExecuteTestsParams, project, **given) == [
        ("node_ids.1", "Path traversal not allowed")
    ]


def test_p25_each_request_stands_alone(project: Path) -> None:
    before = problems(ExecuteTestsParams, project, path="new")
    (project / "new").mkdir()
    assert before == [("path", "Path 'new' does not exist in the project")]
    assert problems(ExecuteTestsParams, project, path="new") == []


def test_p26_messages_say_what_to_do(project: Path) -> None:
    ((_, option),) = problems(DiscoverTestsParams, project, path="-x.py")
    ((_, empty),) = problems(DiscoverTestsParams, project, path="")
    assert option.endswith("write ./ before a file that is really called so")
    assert empty == "Path must not be empty; name a file or folder, or . for the whole project"


def test_p26_what_a_message_says_to_do_is_accepted(project: Path) -> None:
    (project / "-x.py").write_text("")
    ((_, path),) = problems(DiscoverTestsParams, project, path="-x.py")
    ((_, pattern),) = problems(DiscoverTestsParams, project, pattern="-*.py")
    assert "write ./ before" in path
    assert pattern == "Pattern must not begin with '-' or '@'; write ? in its place"
    assert problems(DiscoverTestsParams, project, path="./-x.py", pattern="?*.py") == []
