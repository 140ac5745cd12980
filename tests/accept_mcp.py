"""Acceptance of the MCP service with the public clients: `python tests/accept_mcp.py`.

Needs npm and its registry once, for Node 22 and the packages below, which it keeps in
`$VETBOX_ACCEPT_DIR` (default: a folder in the system's temporary one). Exit code 0: all passed.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent / "server" / "conformance"
NODE = "node@22"
PACKAGES = (
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/sdk@1.32.2",
)
REVISIONS = ("2025-11-25", "2026-07-28")
ERAS = ("legacy", "modern")
VETBOX = str(Path(sys.executable).with_name("vetbox"))
CALL = ("--method", "tools/call", "--tool-name", "run_static_analysis")
ARGUMENTS = ("--tool-args-json", '{"target_paths": ["a.py"]}')
LOAD = ("--load", "--load-requests", "100", "--load-concurrency", "10")
STEP_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class Bench:
    """Where the clients live, the project they ask about, and their environment."""

    home: Path
    project: Path
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Urls:
    """The service itself, and the proxy for clients that cannot send a token."""

    service: str
    proxy: str


def install(home: Path) -> None:
    """Node first: with an older one npm would silently take an older inspector."""
    if (home / "node_modules/.bin/mcp-inspector").exists():
        return
    home.mkdir(parents=True, exist_ok=True)
    (home / "package.json").write_text("{}\n")
    npm = ["npm", "install", "--no-audit", "--no-fund", "--silent"]
    subprocess.run([*npm, NODE], cwd=home, check=True)
    subprocess.run([*npm, *PACKAGES], cwd=home, check=True, env=with_node(home))


def with_node(home: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{home}/node_modules/.bin:{os.environ['PATH']}"}


@asynccontextmanager
async def serving(bench: Bench) -> AsyncIterator[Urls]:
    """The service with the suite's tools, and a proxy before it that adds the token."""
    sys.path.insert(0, str(HERE))
    import proxy

    front = await proxy.start()
    command = [sys.executable, str(HERE / "service.py"), str(bench.project), str(front.port)]
    process = await asyncio.create_subprocess_exec(
        *command, env=dict(bench.environment), stderr=asyncio.subprocess.PIPE
    )
    try:
        front.upstream = int((await process.stderr.readline()).split()[1])
        front.token = token(bench)
        yield Urls(*(f"http://127.0.0.1:{port}/mcp" for port in (front.upstream, front.port)))
    finally:
        process.terminate()
        await process.communicate()
        front.close()


def token(bench: Bench) -> str:
    return (Path(bench.environment["VETBOX_CONFIG_DIR"]) / "token").read_text().strip()


def steps(urls: Urls) -> dict[str, list[str]]:
    """Every check by its name: a command that answers 0 when it holds."""
    stdio = [VETBOX, "serve"]
    found: dict[str, list[str]] = {}
    for revision in REVISIONS:
        baseline = str(HERE / f"baseline.{revision}.yml")
        suite = ["conformance", "server", "--url", urls.proxy, "--requirements", revision]
        found[f"conformance {revision}"] = [*suite, "--expected-failures", baseline]
    for era in ERAS:
        inspect = ["mcp-inspector", "--cli", "--protocol-era", era, "-q"]
        http = [*inspect, urls.proxy, "--transport", "http"]
        strict = ["--method", "tools/list", "--strict"]
        found[f"inspector stdio list {era}"] = [*inspect, *stdio, *strict]
        found[f"inspector stdio call {era}"] = [*inspect, *stdio, *CALL, *ARGUMENTS]
        found[f"inspector http call {era}"] = [*http, *CALL, *ARGUMENTS]
    found["inspector load"] = ["mcp-inspector", "--cli", urls.proxy, "--transport", "http", "-q"]
    found["inspector load"] += [*CALL, *ARGUMENTS, *LOAD]
    for version in ("v1", "v2"):
        node = ["node", "client.mjs", version]
        found[f"typescript {version} stdio"] = [*node, "stdio", VETBOX]
        found[f"typescript {version} http"] = [*node, urls.service]
    for name, target in (("stdio", "stdio"), ("http", urls.service)):
        found[f"python {name}"] = [sys.executable, str(HERE / "client.py"), target]
    return found


async def passed(name: str, command: list[str], bench: Bench) -> bool:
    # The TypeScript client finds its packages only beside itself.
    in_home = command[:2] == ["node", "client.mjs"]
    script = [str(bench.home / "client.mjs")] if in_home else command[1:2]
    process = await asyncio.create_subprocess_exec(
        command[0],
        *script,
        *command[2:],
        cwd=bench.project,
        env=dict(bench.environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(process.communicate(), STEP_TIMEOUT_S)
    print(f"{'ok  ' if process.returncode == 0 else 'FAIL'} {name}", flush=True)
    if process.returncode != 0:
        print(output.decode(errors="replace")[-4_000:])
    return process.returncode == 0


async def accept(bench: Bench) -> bool:
    (bench.home / "client.mjs").write_text((HERE / "client.mjs").read_text())
    async with serving(bench) as urls:
        known = Bench(bench.home, bench.project, {**bench.environment, "TOKEN": token(bench)})
        results = [await passed(name, command, known) for name, command in steps(urls).items()]
    print(f"{sum(results)} of {len(results)} passed")
    return all(results)


def main() -> int:
    default = Path(tempfile.gettempdir()) / "vetbox-accept"
    home = Path(os.environ.get("VETBOX_ACCEPT_DIR", default))
    install(home)
    with tempfile.TemporaryDirectory() as folder:
        project, user = Path(folder, "project"), Path(folder, "user")
        project.mkdir()
        user.mkdir()
        (project / "a.py").write_text("import os\neval(os.environ['CODE'])\n")
        environment = {**with_node(home), "VETBOX_CONFIG_DIR": str(user)}
        return 0 if asyncio.run(accept(Bench(home, project, environment))) else 1


if __name__ == "__main__":
    sys.exit(main())
