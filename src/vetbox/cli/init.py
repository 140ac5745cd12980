"""`vetbox init`: write a configuration that says what it can say."""

from pathlib import Path

import click

from vetbox.cli.places import Place
from vetbox.errors import VetboxError

FOLDER = Place(exists=True, file_okay=False, path_type=Path)
# Every value below is the default, so that an unchanged file changes nothing; a test reads it
# both as it is and with the comment marks taken away.
TEMPLATE = """\
# vetbox's configuration of this project. It takes effect once you run `vetbox trust`, and again
# after every change. An unknown key is an error; `vetbox init --schema` prints the JSON Schema.

# Short names for tools: `ws(query="x")` calls brave.web_search.
# alias:
#   ws: brave.web_search

# Templates: `$search q=AI` renders the body (Jinja2), which is then validated like any code.
# snippets:
#   search:
#     description: Search the web
#     params:
#       q: {required: true, description: what to look for}
#       count: {default: 5}
#     body: "brave.web_search(query={{ q | tojson }}, count={{ count }})"

# Other MCP servers whose tools programs may call. Secrets come from the environment.
# servers:
#   files: {type: stdio, command: npx, args: [-y, "@modelcontextprotocol/server-everything"]}
#   search:
#     type: http
#     url: https://mcp.example.com/mcp
#     headers: {Authorization: "Bearer ${env:SEARCH_TOKEN}"}
#     timeout: 30

# Folders that programs may name: `proj.docs / "index.md"`.
# projects:
#   docs: ~/projects/docs

# Folders or files with rules of your own, beside the shipped ones.
# rules: [team-rules]

output:
  max_inline_size: 50000        # bytes; a larger result is stored and summarised
  preview_lines: 10
  result_ttl: 3600              # seconds
  result_store_dir: tmp         # inside .onetool/
  quota_bytes: 100000000

security:
  isolation: sandbox            # or host: in the server's own process, for code you trust
  sanitize: false               # mark external content in every result
  writable: []                  # globs that the fs pack may write, such as "notes/**"
  test_folders: []              # where the tests may write beside the project, such as /tmp
  triggers: []                  # further words to redact from external content

sandbox: {}                     # timeout_seconds, memory_bytes, fuel_budget, max_files, ...

tools:
  disabled: []                  # packs or tools, such as fs.write
  timeout: 30                   # seconds for one call

server:
  validation_errors: protocol   # or tool: answer invalid arguments as the tool's own result
  max_calls: 16                 # at the same time
  max_sessions: 200             # HTTP
  allowed_hosts: []             # further Host headers, exactly, such as "box.example:8765"
  allowed_origins: []
"""


@click.command()
@click.argument("path", type=FOLDER, default=Path())
@click.option("--schema", is_flag=True, help="Print the configuration's JSON Schema, and stop.")
def init(path: Path, schema: bool) -> None:
    """Write .onetool/onetool.yaml for the project at PATH, with every key and its meaning."""
    if schema:
        print_schema()
        return
    from vetbox.trust import command

    target = write(path)
    click.echo(f"Wrote {target}. Change what you like, then run {command(path)}.")


def write(path: Path) -> Path:
    from vetbox.config.loader import FILE, FOLDER
    from vetbox.files.folders import Folder as Own

    with Own.open(path, FOLDER, create=True) as folder:
        if FILE in folder.names():
            raise VetboxError(f"{path / FOLDER / FILE} is there already: change it, or move it.")
        folder.replace(FILE, TEMPLATE.encode())
    return path / FOLDER / FILE


def print_schema() -> None:
    import json

    from vetbox.config.schema import published_schema

    click.echo(json.dumps(published_schema(), indent=1))
