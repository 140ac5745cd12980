"""An invalid parameter: how a validator says it, and how the client is told."""

from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

INVALID_PARAMS = -32602


def invalid(message: str) -> PydanticCustomError:
    """An error to raise in a validator; its text reaches the client as it is."""
    return PydanticCustomError("value_error", "{text}", {"text": message})


def pydantic_error_to_jsonrpc(exc: ValidationError) -> dict[str, Any]:
    """The JSON-RPC error object that names every wrong field."""
    problems = [
        {
            "field": ".".join(str(step) for step in error["loc"]),
            "message": error["msg"].removeprefix("Value error, "),
            "type": error["type"],
        }
        for error in exc.errors(include_url=False, include_input=False)
    ]
    return {
        "code": INVALID_PARAMS,
        "message": "Invalid parameters",
        "data": {"validation_errors": problems},
    }
