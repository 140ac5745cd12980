"""A small MCP server over stdio or HTTP, for tests of the proxy: python notes_server.py [PORT]."""

import json
import os
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("notes")


@server.tool()
def note(text: str, importance: int = 1) -> dict[str, object]:
    """Make a note of a text."""
    return {"text": text, "importance": importance}


@server.tool()
def total(numbers: list[int]) -> int:
    """The sum of some numbers."""
    return sum(numbers)


@server.tool()
def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


@server.tool()
def refuse(why: str) -> str:
    """Always fails."""
    raise ValueError(why)


@server.tool()
def pid() -> int:
    """The server's process."""
    return os.getpid()


@server.tool()
def secrets() -> list[str]:
    """The names of all environment variables."""
    return sorted(os.environ)


@server.tool()
def flood(size: int) -> str:
    """Much text."""
    return "x" * size


@server.tool()
def sleep(seconds: float) -> str:
    """Answers late."""
    import time

    time.sleep(seconds)
    return "awake"


# What a test wants the server to offer beside, or instead: {"name": "description"}.
MORE = Path(__file__).with_name("more.json") if len(sys.argv) < 3 else Path(sys.argv[2])
if MORE.exists():
    for name, description in json.loads(MORE.read_text()).items():
        server.add_tool(pid, name=name, description=description)

if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] != "stdio":
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
