"""Other MCP servers as packs: connected when first used, checked against what was approved."""

import inspect
import keyword
import os
import re
import threading
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from vetbox.config import StdioServer, Upstream
from vetbox.errors import VetboxError
from vetbox.run.approvals import Approvals, digest
from vetbox.run.extension import Written
from vetbox.run.packs import Invoke, Tool
from vetbox.run.sanitize import redacted
from vetbox.toolkit import ToolContext, ToolError
from vetbox.workers import JSON, WorkerError, WorkerPool

MEMORY_BYTES = 600_000_000
LISTING_TIMEOUT_S = 40.0  # connecting, which may download the server, and listing its tools
GRACE_S = 10.0  # beside a call's own time limit: a ping, or a quick new connection
MAX_DESCRIPTION = 2_000  # characters that are shown
_TYPES = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}
_NOT_IN_NAMES = re.compile(r"\W")


@dataclass(slots=True)
class ProxyPack:
    """The tools of one server; its process is started by the first who wants to know them."""

    name: str
    server: Upstream
    root: Path
    approvals: Approvals
    origin: str = "mcp"
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _pool: WorkerPool | None = None
    _tools: Mapping[str, Tool] | None = None

    @property
    def doc(self) -> str:
        return f"The tools of the MCP server '{self.name}'."

    @property
    def names(self) -> tuple[str, ...] | None:
        return None if self._tools is None else tuple(self._tools)

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The approved tools; ToolError when the server cannot be reached or has changed."""
        with self._lock:
            if self._tools is None:
                self._tools = self._listed()
            return self._tools

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()

    def _listed(self) -> Mapping[str, Tool]:
        listing = cast(list[dict[str, Any]], self._ask({"list": True}, LISTING_TIMEOUT_S))
        self.approvals.check(self.name, {str(one["name"]): digest(one) for one in listing})
        tools: dict[str, Tool] = {}
        for one in listing:
            own = in_python(one["name"])
            if not own.startswith("_") and own not in tools:
                tools[own] = self._tool(own, one, cast(JSON, listing))
        return tools

    def _tool(self, own: str, offered: Mapping[str, Any], listing: JSON) -> Tool:
        keys = parameter_names(offered["schema"])
        signature = schema_signature(offered["schema"], keys)
        invoke = self._invoke(str(offered["name"]), keys, listing)
        return Tool(f"{self.name}.{own}", signature, shown(offered["description"]), invoke)

    def _invoke(self, tool: str, keys: Mapping[str, str], listing: JSON) -> Invoke:
        def invoke(context: ToolContext, arguments: inspect.BoundArguments) -> object:
            given = {keys[name]: value for name, value in arguments.arguments.items()}
            request = cast(JSON, {"call": tool, "arguments": given, "listing": listing})
            match self._ask(request, self.server.timeout + GRACE_S, context.cancel):
                case {"value": value}:
                    return value
                case {"error": str(text)}:
                    raise ToolError(text or f"{self.name}.{tool} failed.")
            self._tools = None  # what it offers has changed: listed and checked again
            return self.tools[in_python(tool)].invoke(context, arguments)

        return invoke

    def _ask(self, request: JSON, timeout_s: float, cancel: threading.Event | None = None) -> JSON:
        try:
            pool = self._pool = self._pool or self._opened()
            return pool.call(request, timeout_s=timeout_s, cancel=cancel)
        except WorkerError as error:
            raise ToolError(f"The MCP server '{self.name}' failed: {error}") from None
        except VetboxError as error:
            raise ToolError(f"The MCP server '{self.name}' cannot be used: {error}") from None

    def _opened(self) -> WorkerPool:
        server = self.server.resolved(os.environ)
        config = server.model_dump(mode="json")
        if isinstance(server, StdioServer):
            config["cwd"] = str(self.root)
        # One process: a server may keep state between calls.
        return WorkerPool(
            "vetbox.run.mcp_session:serve", size=1, memory_bytes=MEMORY_BYTES, config=config
        )


def parameter_names(schema: Mapping[str, Any]) -> dict[str, str]:
    """The schema's properties by the names a program gives them, required ones first."""
    properties = schema.get("properties") or {}
    required = [key for key in schema.get("required") or () if key in properties]
    ordered = [*required, *(key for key in properties if key not in required)]
    return {in_python(key): key for key in ordered}


def in_python(key: str) -> str:
    """A name of the server's as a program may write it: `from` is `from_`, `2fa` is `_2fa`."""
    name = _NOT_IN_NAMES.sub("_", key)
    if keyword.iskeyword(name):
        return f"{name}_"
    return name if name.isidentifier() else f"_{name}"


def schema_signature(schema: Mapping[str, Any], keys: Mapping[str, str]) -> inspect.Signature:
    """The signature that a JSON Schema stands for."""
    required = set(schema.get("required") or ())
    details = schema.get("properties") or {}
    return inspect.Signature(
        [_parameter(name, details[key], key in required) for name, key in keys.items()]
    )


def _parameter(name: str, schema: object, required: bool) -> inspect.Parameter:
    details = schema if isinstance(schema, Mapping) else {}
    kind = _TYPES.get(str(details.get("type")))
    default = Written(repr(details.get("default"))[:100])
    return inspect.Parameter(
        name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=inspect.Parameter.empty if required else default,
        annotation=inspect.Parameter.empty if kind is None else kind,
    )


def shown(description: object) -> str:
    """A server's own words, made harmless: no control or invisible characters, no boundary tags."""
    text = str(description)[:MAX_DESCRIPTION]
    visible = (c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")
    return redacted("".join(visible))
