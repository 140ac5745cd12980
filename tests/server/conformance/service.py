"""The production server with the tools the conformance suite calls by name.

`python service.py PROJECT HOST-PORT-OF-THE-PROXY`: prints its own port to stderr.
"""

import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import PromptsListChanged, ToolsListChanged

from vetbox.app import App
from vetbox.server import http
from vetbox.server.calls import Context
from vetbox.server.door import Address, door_for
from vetbox.server.protocol import HINT

Answer = Callable[[Context], Awaitable[types.CallToolResult]]

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
PROGRESS = (0, 50, 100)
MISSING_CAPABILITY = -32021
changes = InMemorySubscriptionBus()


def said(text: str, *, failed: bool = False) -> types.CallToolResult:
    return shown(types.TextContent(type="text", text=text), failed=failed)


def shown(*content: types.ContentBlock, failed: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=list(content), is_error=failed)


def embedded(uri: str, mime_type: str, text: str) -> types.EmbeddedResource:
    page = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return types.EmbeddedResource(type="resource", resource=page)


async def simple(ctx: Context) -> types.CallToolResult:
    return said("This is a simple text response for testing.")


async def image(ctx: Context) -> types.CallToolResult:
    return shown(types.ImageContent(type="image", data=PIXEL, mime_type="image/png"))


async def audio(ctx: Context) -> types.CallToolResult:
    return shown(types.AudioContent(type="audio", data=SILENCE, mime_type="audio/wav"))


async def resource(ctx: Context) -> types.CallToolResult:
    text = "This is an embedded resource content."
    return shown(embedded("test://embedded-resource", "text/plain", text))


async def mixed(ctx: Context) -> types.CallToolResult:
    return shown(
        types.TextContent(type="text", text="Multiple content types test:"),
        types.ImageContent(type="image", data=PIXEL, mime_type="image/png"),
        embedded(
            "test://mixed-content-resource", "application/json", '{"test":"data","value":123}'
        ),
    )


async def failing(ctx: Context) -> types.CallToolResult:
    return said("This tool intentionally returns an error for testing", failed=True)


async def progressing(ctx: Context) -> types.CallToolResult:
    for step in PROGRESS:
        await ctx.session.report_progress(step, PROGRESS[-1], f"Completed step {step} of 100")
        await anyio.sleep(0.05)
    return said("done")


async def needing_sampling(ctx: Context) -> types.CallToolResult:
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        needed = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_CAPABILITY, "needs sampling", needed)
    return said("ok")


async def streaming(ctx: Context) -> types.CallToolResult:
    await ctx.session.report_progress(1, 2)
    return said("no requests of its own")


async def tools_changing(ctx: Context) -> types.CallToolResult:
    await changes.publish(ToolsListChanged())
    return said("changed")


async def prompts_changing(ctx: Context) -> types.CallToolResult:
    await changes.publish(PromptsListChanged())
    return said("changed")


TOOLS: dict[str, Answer] = {
    "test_simple_text": simple,
    "test_image_content": image,
    "test_audio_content": audio,
    "test_embedded_resource": resource,
    "test_multiple_content_types": mixed,
    "test_error_handling": failing,
    "test_tool_with_progress": progressing,
    "test_missing_capability": needing_sampling,
    "test_streaming_elicitation": streaming,
    "test_logging_tool": simple,
    "test_trigger_tool_change": tools_changing,
    "test_trigger_prompt_change": prompts_changing,
}
DIALECT = types.Tool(
    name="json_schema_2020_12_tool",
    description="A schema with every keyword of its dialect that clients must be shown",
    input_schema={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
)
PAGES = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text",
        mime_type="text/plain",
        text="This is the content of the static text resource.",
    ),
    "test://static-binary": types.BlobResourceContents(
        uri="test://static-binary", mime_type="image/png", blob=PIXEL
    ),
}
TEMPLATE = "test://template/{id}/data"


def with_fixtures(server: Server[None]) -> Server[None]:
    """The same handlers, which also know the suite's names."""
    tools = server.get_request_handler("tools/list").handler
    call = server.get_request_handler("tools/call").handler
    templates = server.get_request_handler("resources/templates/list").handler
    listed = server.get_request_handler("resources/list").handler
    read = server.get_request_handler("resources/read").handler
    paged, listen = types.PaginatedRequestParams, types.SubscriptionsListenRequestParams
    server.add_request_handler("tools/list", paged, partial(list_tools, tools))
    server.add_request_handler("tools/call", types.CallToolRequestParams, partial(call_tool, call))
    server.add_request_handler("resources/list", paged, partial(list_resources, listed))
    server.add_request_handler(
        "resources/templates/list", paged, partial(list_templates, templates)
    )
    server.add_request_handler(
        "resources/read", types.ReadResourceRequestParams, partial(read_resource, read)
    )
    server.add_request_handler("subscriptions/listen", listen, ListenHandler(changes))
    # vetbox has no prompts; the suite's caching scenario asks every list there could be.
    server.add_request_handler("prompts/list", paged, list_prompts)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, get_prompt)
    server.cache_hints["prompts/list"] = HINT
    return server


async def list_prompts(ctx: Context, params) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[types.Prompt(name="test_simple_prompt", description="a fixture")]
    )


async def get_prompt(ctx: Context, params) -> types.GetPromptResult:
    text = types.TextContent(type="text", text="This is a simple prompt for testing.")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


async def list_tools(production, ctx: Context, params) -> types.ListToolsResult:
    # The suite calls the first tool without arguments and wants it to succeed.
    fixtures = [types.Tool(name=name, description=name, input_schema=NOTHING) for name in TOOLS]
    own = (await production(ctx, params)).tools
    return types.ListToolsResult(tools=[*fixtures, *own, DIALECT])


async def call_tool(production, ctx: Context, params) -> types.CallToolResult:
    answer = TOOLS.get(params.name)
    return await (answer(ctx) if answer else production(ctx, params))


async def list_resources(production, ctx: Context, params) -> types.ListResourcesResult:
    fixtures = [
        types.Resource(uri=uri, name=uri, mime_type=page.mime_type) for uri, page in PAGES.items()
    ]
    return types.ListResourcesResult(
        resources=[*(await production(ctx, params)).resources, *fixtures]
    )


async def list_templates(production, ctx: Context, params) -> types.ListResourceTemplatesResult:
    fixture = types.ResourceTemplate(uri_template=TEMPLATE, name="t", mime_type="application/json")
    own = (await production(ctx, params)).resource_templates
    return types.ListResourceTemplatesResult(resource_templates=[*own, fixture])


async def read_resource(production, ctx: Context, params) -> types.ReadResourceResult:
    uri = str(params.uri)
    if uri in PAGES:
        return types.ReadResourceResult(contents=[PAGES[uri]])
    if not uri.startswith("test://template/"):
        return await production(ctx, params)
    name = uri.split("/")[3]
    text = f'{{"id":"{name}","templateTest":true,"data":"Data for ID: {name}"}}'
    page = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
    return types.ReadResourceResult(contents=[page])


def main() -> None:
    project, proxy = Path(sys.argv[1]), sys.argv[2]
    listener = http.listen(Address("127.0.0.1", 0))
    bound = Address("127.0.0.1", listener.getsockname()[1])
    hosts = (f"127.0.0.1:{proxy}", f"localhost:{proxy}")
    door = door_for(bound, None, hosts=hosts, origins=tuple(f"http://{host}" for host in hosts))
    production = http.build_server
    http.build_server = lambda app, calls: with_fixtures(production(app, calls))
    print(f"port {bound.port}", file=sys.stderr, flush=True)
    http.serve_http(App.open(project), listener, door)


if __name__ == "__main__":
    main()
