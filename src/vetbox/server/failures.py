"""What a client learns when a call fails: a sentence meant for it, no exception's inside."""

import errno
import logging
import os
import secrets
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError
from pydantic import JsonValue, ValidationError

from vetbox.boundary import pydantic_error_to_jsonrpc
from vetbox.config import ValidationErrors
from vetbox.errors import VetboxError
from vetbox.telling import tell
from vetbox.workers import WorkerFailed

logger = logging.getLogger(__name__)

# JSON-RPC leaves -32000 to -32099 to servers.
BUSY = -32000
MAX_MESSAGE = 500  # characters; all of it is in the data
PARAMS = "params"
# What a machine runs out of: it is nobody's fault, and nothing of the inside to say so.
SCARCE = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
SCARCE |= {errno.ENOMEM, errno.EAGAIN}


def invalid_arguments(
    error: ValidationError, style: ValidationErrors
) -> types.CallToolResult | MCPError:
    """A -32602 error with every wrong field, or the same object as the tool's own answer."""
    answer = pydantic_error_to_jsonrpc(error)
    if style is ValidationErrors.TOOL:
        return failed(sentence(answer), answer)
    return MCPError(answer["code"], sentence(answer), answer["data"])


def invalid_request(error: ValidationError) -> MCPError | None:
    """The same for the parameters of a method; None when something else did not validate."""
    answer = pydantic_error_to_jsonrpc(error)
    for one in answer["data"]["validation_errors"]:
        if one["field"].partition(".")[0] != PARAMS:
            return None
        one["field"] = one["field"].removeprefix(f"{PARAMS}.")
    return MCPError(answer["code"], sentence(answer), answer["data"])


def too_early(method: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"Send initialize before {method[:100]}.")


def sentence(answer: Mapping[str, Any]) -> str:
    """The message with every wrong field behind it."""
    problems: list[dict[str, str]] = answer["data"]["validation_errors"]
    tail = "; ".join(f"{one['field']}: {one['message']}" for one in problems)
    return f"{answer['message']}: {tail}"[:MAX_MESSAGE]


def unknown_tool(name: str, known: list[str]) -> MCPError:
    listed = ", ".join(known)
    return MCPError(
        types.INVALID_PARAMS,
        f"Unknown tool: {name[:100]}; there are {listed}",
        {"available": known},
    )


def busy(waiting: int) -> MCPError:
    return MCPError(BUSY, f"Server busy: {waiting} calls are waiting; try again in a second.")


def execution_error(error: Exception, tool: str) -> types.CallToolResult:
    """An error meant for the user as it is; any other only as the number of a line in our log."""
    # What a worker's own code raised is as little meant for a client as what ours does.
    meant = isinstance(error, VetboxError) and not isinstance(error, WorkerFailed)
    return failed(str(error) if meant else masked(error, tool))


def internal_error(error: Exception, place: str) -> MCPError:
    """The same for a method that is no tool and has no result to say it in."""
    return MCPError(types.INTERNAL_ERROR, masked(error, place))


def masked(error: Exception, place: str) -> str:
    number = secrets.token_hex(4)
    tell(logger.error, "error %s in %s", number, place, exc_info=error)
    if isinstance(error, OSError) and error.errno in SCARCE:
        why = f"{os.strerror(error.errno)}; try again later"
        return f"The server has not enough for {place}: {why} (error {number} in its log)."
    return f"Internal error {number} in {place}: the server's log says more."


def failed(text: str, structure: dict[str, JsonValue] | None = None) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=structure,
        is_error=True,
    )
