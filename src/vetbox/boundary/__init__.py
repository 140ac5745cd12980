"""What comes in from a client: the base of parameter models, their field types and errors."""

from vetbox.boundary.errors import INVALID_PARAMS, invalid, pydantic_error_to_jsonrpc
from vetbox.boundary.expressions import KeywordExpression, MarkerExpression
from vetbox.boundary.params import (
    Items,
    ListFromJson,
    ListOrNullFromJson,
    ObjectFromJson,
    ObjectOrNullFromJson,
    Params,
    WholeNumber,
)
from vetbox.boundary.paths import FilePattern, NodeId, ProjectPath, project_of

__all__ = [
    "INVALID_PARAMS",
    "FilePattern",
    "Items",
    "KeywordExpression",
    "ListFromJson",
    "ListOrNullFromJson",
    "MarkerExpression",
    "NodeId",
    "ObjectFromJson",
    "ObjectOrNullFromJson",
    "Params",
    "ProjectPath",
    "WholeNumber",
    "invalid",
    "project_of",
    "pydantic_error_to_jsonrpc",
]
