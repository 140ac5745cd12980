"""The MCP server behind every transport: tools from the endpoints, resources from the rules."""

import json
from functools import cached_property, partial

import mcp_types as types
from mcp import MCPError
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server
from pydantic import BaseModel, JsonValue, ValidationError

from vetbox import __version__
from vetbox.app import AnyEndpoint, App, Call
from vetbox.server import failures, resources
from vetbox.server.calls import Answer, Calls, Context
from vetbox.server.schemas import flat_schema

INSTRUCTIONS = (
    "vetbox judges Python by its rules, analyses a project's files, runs its tests and runs code "
    "in a sandbox. Paths are relative to the project's root. Invalid arguments are answered with "
    "every wrong field; a project's own tests and tools run only after its user trusted them."
)
# Revisions whose clients know no structured content, and so need the JSON as text.
TEXT_ONLY = frozenset({"2024-11-05", "2025-03-26"})
# All that the SDK says to a client that calls before it has greeted.
WORDLESS = "Invalid request parameters"
# The catalogue changes with the installed version only.
HINT = CacheHint(ttl_ms=60_000, scope="private")
CACHED: tuple[CacheableMethod, ...] = (
    "tools/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
)


def build_server(app: App, calls: Calls) -> Server[None]:
    """One server for every client and every protocol revision."""
    tools = Tools(app, calls)
    catalogue = resources.Catalogue(app)
    server = Server[None](
        "vetbox",
        version=__version__,
        title="vetbox",
        instructions=INSTRUCTIONS,
        cache_hints=dict.fromkeys(CACHED, HINT),
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_list_resources=catalogue.list,
        on_list_resource_templates=catalogue.templates,
        on_read_resource=catalogue.read,
    )
    server.middleware.append(explained)
    return server


async def explained(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Says what is wrong with a request, of which the SDK says only that something is."""
    try:
        return await call_next(ctx)
    except ValidationError as error:
        raise failures.invalid_request(error) or error from None
    except MCPError as error:
        early = error.error.message == WORDLESS and ctx.method != "initialize"
        raise (failures.too_early(ctx.method) if early else error) from None


class Tools:
    """Lists the endpoints as tools and calls them."""

    def __init__(self, app: App, calls: Calls) -> None:
        self._app, self._calls = app, calls

    async def list(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return self._listed

    async def call(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        endpoints = self._app.endpoints
        if params.name not in endpoints:
            raise failures.unknown_tool(params.name, sorted(endpoints))
        endpoint, arguments = endpoints[params.name], params.arguments or {}
        answer = await self._calls.run(partial(answered, self._app, endpoint, arguments), ctx)
        if isinstance(answer, MCPError):
            raise answer
        return with_json(answer) if ctx.protocol_version in TEXT_ONLY else answer

    @cached_property
    def _listed(self) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[as_tool(one) for one in self._app.endpoints.values()])


def as_tool(endpoint: AnyEndpoint) -> types.Tool:
    hints = endpoint.hints
    return types.Tool(
        name=endpoint.name,
        title=endpoint.title,
        description=endpoint.description,
        input_schema=flat_schema(endpoint.params, "validation"),
        output_schema=flat_schema(endpoint.result, "serialization"),
        annotations=types.ToolAnnotations(
            title=endpoint.title,
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
    )


def answered(app: App, endpoint: AnyEndpoint, arguments: object, call: Call) -> Answer:
    """The endpoint's answer in the protocol's words, whatever happens in it."""
    try:
        return answer_of(app, endpoint, arguments, call)
    except Exception as error:  # noqa: BLE001 - the one border: masked, logged with its traceback
        return failures.execution_error(error, endpoint.name)


def answer_of(app: App, endpoint: AnyEndpoint, arguments: object, call: Call) -> Answer:
    # Arguments may name files that have to be read, so they are not checked in the event loop.
    try:
        params = endpoint.params.model_validate(arguments, context={"project": app.root})
    except ValidationError as error:
        return failures.invalid_arguments(error, app.config.server.validation_errors)
    result: BaseModel = endpoint.answer(params, call)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=endpoint.text(result))],
        structured_content=result.model_dump(mode="json"),
        is_error=endpoint.failed(result),
    )


def with_json(answer: types.CallToolResult) -> types.CallToolResult:
    structure: dict[str, JsonValue] | None = answer.structured_content
    if structure is None:
        return answer
    block = types.TextContent(type="text", text=json.dumps(structure, ensure_ascii=False))
    return answer.model_copy(update={"content": [*answer.content, block]})
