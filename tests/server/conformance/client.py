"""The Python SDK's client against a real service: `python client.py URL|stdio`, token in TOKEN."""

import os
import sys
from pathlib import Path

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

VETBOX = Path(sys.executable).with_name("vetbox")


async def checked(session: Client) -> None:
    names = [tool.name for tool in (await session.list_tools()).tools]
    assert "run_static_analysis" in names, names
    answer = await session.call_tool("run_static_analysis", {"target_paths": ["a.py"]})
    assert answer.structured_content["status"] == "completed_with_issues", answer
    refused = None
    try:
        await session.call_tool("run_static_analysis", {"target_paths": ["../a.py"]})
    except MCPError as error:
        refused = error
    assert refused is not None, "a path outside the project was accepted"
    assert refused.data["validation_errors"][0]["field"] == "target_paths.0", refused.data
    rules = await session.read_resource("vetbox://rules")
    assert "exec-call" in rules.contents[0].text


async def main(target: str) -> None:
    for era in ("legacy", "auto"):
        if target == "stdio":
            command = StdioServerParameters(
                command=str(VETBOX), args=["serve"], env=dict(os.environ)
            )
            async with Client(stdio_client(command), mode=era) as session:
                await checked(session)
            continue
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(target, http_client=http), mode=era) as session,
        ):
            await checked(session)


anyio.run(main, sys.argv[1])
