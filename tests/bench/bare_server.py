"""The smallest server the SDK can make: what ours is measured against."""

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def list_tools(ctx, params) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[])


async def main() -> None:
    server = Server("bare", on_list_tools=list_tools)
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())


anyio.run(main)
