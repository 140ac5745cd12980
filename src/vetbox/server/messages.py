"""Messages: is what a client sent one, and the JSON-RPC error for what is not."""

import json
from collections.abc import Mapping
from typing import TypeGuard

import mcp_types as types
from pydantic import ValidationError

MAX_MESSAGE_BYTES = 4_000_000
PARSE_ERROR, INVALID_REQUEST = -32700, -32600


def wrong(data: bytes) -> dict[str, object] | None:
    """The JSON-RPC answer to what is no message, or None.

    Of such, the SDK would drop a line without a word, and take a body for a notification.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        return protocol_error(INVALID_REQUEST, f"Message larger than {MAX_MESSAGE_BYTES:,} bytes")
    try:
        # Of bytes it would guess another encoding.
        message = json.loads(data.decode("utf-8"), parse_constant=no_number)
    except (ValueError, RecursionError):
        return protocol_error(PARSE_ERROR, "Parse error")
    if not isinstance(message, dict):
        return protocol_error(INVALID_REQUEST, "Invalid Request: one object at a time, no batches")
    if "method" in message and not is_id(message.get("id", 0)):
        return protocol_error(INVALID_REQUEST, "Invalid Request: an id is a string or an integer")
    try:
        types.jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValidationError as error:
        return refusal(error, message)
    return None


def request_id(data: bytes) -> str | int | None:
    """The id of a request, which may be looked for before it is known to be one."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        return None
    number = message.get("id") if isinstance(message, dict) and "method" in message else None
    return number if is_id(number) else None


def no_number(word: str) -> None:
    """NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(word)


def refusal(error: ValidationError, message: Mapping[str, object]) -> dict[str, object]:
    """Why an object is no message, to the request that waits for an answer if it is one."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    number = message.get("id")
    asked = is_id(number) and not {"result", "error"} & message.keys()
    if first["type"] == "json_invalid":  # half a surrogate pair, or more levels than are read
        return protocol_error(
            PARSE_ERROR, f"Parse error: {first['msg']}", number if asked else None
        )
    field = ".".join(str(part) for part in first["loc"][1:])
    sentence = f"Invalid Request: {field}: {first['msg']}"
    return protocol_error(INVALID_REQUEST, sentence, number if asked else None)


def is_id(value: object) -> TypeGuard[str | int]:
    """May a request be called so?"""
    return isinstance(value, str | int) and not isinstance(value, bool)


def protocol_error(code: int, message: str, number: object = None) -> dict[str, object]:
    """An error in JSON-RPC's form; `number` is the id of the request it answers."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
