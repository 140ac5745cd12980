"""What clients are told about each tool: flat schemas, honest annotations."""

import json
from pathlib import Path
from typing import Literal

import jsonschema
import pytest
from pydantic import BaseModel, Field

from vetbox.app import App
from vetbox.boundary import Params
from vetbox.server.protocol import as_tool
from vetbox.server.schemas import flat_schema


class Inner(BaseModel):
    """A model within a model."""

    title: str
    depth: int = Field(ge=0, description="how deep")


class Outer(Params):
    """A model that names others, and has a field called like a keyword of schemas."""

    title: str
    choice: Literal["a", "b"] = "a"
    inner: Inner
    many: list[Inner] = Field(default_factory=list)


@pytest.fixture
def app(tmp_path: Path) -> App:
    return App.open(tmp_path, trust_folder=tmp_path / "user")


def test_models_within_models_are_written_in_place() -> None:
    schema = flat_schema(Outer, "validation")
    assert "$ref" not in json.dumps(schema)
    assert "$defs" not in schema
    assert schema["properties"]["many"]["items"]["properties"]["depth"]["description"] == "how deep"


def test_a_field_called_title_stays() -> None:
    schema = flat_schema(Outer, "validation")
    assert list(schema["properties"]) == ["title", "choice", "inner", "many"]
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["additionalProperties"] is False


def test_a_flat_schema_accepts_what_the_model_accepts() -> None:
    validator = jsonschema.Draft202012Validator(flat_schema(Outer, "validation"))
    good = {"title": "t", "inner": {"title": "i", "depth": 1}, "many": [{"title": "m", "depth": 0}]}
    assert validator.is_valid(good)
    assert not validator.is_valid({**good, "other": 1})
    assert not validator.is_valid({**good, "inner": {"title": "i", "depth": -1}})


def test_every_endpoint_is_described(app: App) -> None:
    for endpoint in app.endpoints.values():
        tool = as_tool(endpoint)
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert "$ref" not in json.dumps(schema)
        assert tool.input_schema["additionalProperties"] is False
        assert tool.description.endswith(".")
        assert all("description" in field for field in tool.input_schema["properties"].values())


def test_only_what_changes_nothing_is_said_to_be_read_only(app: App) -> None:
    reading = {name for name, one in app.endpoints.items() if one.hints.read_only}
    assert reading == {"validate_python_code"}


def test_static_analysis_adds_report_files_and_breaks_nothing(app: App) -> None:
    hints = as_tool(app.endpoints["run_static_analysis"]).annotations
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (
        False,
        False,
        True,
    )
