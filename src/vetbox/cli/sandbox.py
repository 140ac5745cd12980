"""`vetbox sandbox`: run a bare program in the box."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vetbox.cli.ending import tidy
from vetbox.cli.places import Place
from vetbox.cli.programs import printable, program_text, show

if TYPE_CHECKING:
    from vetbox.sandbox import ExecutionPolicy, SandboxResult

FAILED = 1
LISTED = 5  # names of files; the rest is counted


@click.command()
@click.argument("file", type=Place(exists=True, dir_okay=False, allow_dash=True))
@click.option("--policy", "policy_file", type=Place(exists=True, path_type=Path),
              help="Limits from a TOML or YAML file; options override it.")  # fmt: skip
@click.option("--timeout", "timeout_seconds", type=float, metavar="SECONDS", help="Wall time.")
@click.option("--fuel", "fuel_budget", type=int, metavar="N", help="WebAssembly instructions.")
@click.option("--memory", "memory_bytes", type=int, metavar="BYTES", help="Memory.")
@click.option("--disk", "max_disk_bytes", type=int, metavar="BYTES", help="What it may write.")
@click.option(
    "--files", "max_files", type=int, metavar="N", help="Files and folders it may create."
)
@click.option("--workspace", type=Place(file_okay=False, path_type=Path),
              help="A folder to be /app; without it a private one that is removed.")  # fmt: skip
@click.option("--mount", "mounts", multiple=True, metavar="HOST:GUEST",
              help="Show a folder read-only at an absolute path; up to 4.")  # fmt: skip
@click.option(
    "--env",
    "env",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an environment variable; repeatable.",
)
@click.option("--no-setup", is_flag=True, help="Leave sys.path as the interpreter has it.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
@click.pass_context
def sandbox(
    ctx: click.Context,
    /,
    file: str,
    policy_file: Path | None,
    workspace: Path | None,
    no_setup: bool,
    quiet: bool,
    **limits: object,
) -> None:
    """Run FILE (or - for standard input) in the sandbox: no rules, no packs, no network.

    Its standard output and error pass through; a summary follows on standard error.
    Exit codes: 0 the program succeeded, 1 it failed, 2 misuse.
    """
    from vetbox.sandbox import PythonSandbox

    policy, program = _policy(ctx, policy_file, limits), program_text(file)
    box = PythonSandbox(policy, workspace)
    with tidy():
        box.prepare(lambda message: click.echo(f"{message} …", err=True))
        result = box.execute(program, inject_setup=not no_setup)
    show(result.stdout, err=False, nl=False)
    show(result.stderr, err=True, nl=False)
    if not quiet:
        click.echo(summary(result), err=True)
    ctx.exit(0 if result.success else FAILED)


def summary(result: "SandboxResult") -> str:
    """What a run took and left, in a line or two."""
    took = f"{result.duration_ms:,.1f} ms (start {result.startup_ms:,.1f} ms)"
    used = f"{result.fuel_consumed / 1e6:,.1f} M fuel, {result.memory_used_bytes / 1e6:,.1f} MB"
    lines = [f"{_verdict(result)} in {took}, {used} memory"]
    if result.stdout_truncated or result.stderr_truncated:
        lines.append("output was cut at the policy's limit")
    changes = {"created": result.files_created, "changed": result.files_modified,
               "deleted": result.files_deleted}  # fmt: skip
    lines += [f"{what}: {_names(names)}" for what, names in changes.items() if names]
    return "\n".join(f"vetbox: {line}" for line in lines)


def _verdict(result: "SandboxResult") -> str:
    if result.limit is not None:
        return f"stopped by its limit on {result.limit.replace('_', ' ')}"
    if result.exit_code is None:
        return "crashed"
    return "ended" if result.success else f"failed with exit code {result.exit_code}"


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(printable(name, keep="") for name in names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"


def _policy(
    ctx: click.Context, path: Path | None, limits: Mapping[str, object]
) -> "ExecutionPolicy":
    from pydantic import ValidationError

    from vetbox.documents import sentence_of
    from vetbox.sandbox import ExecutionPolicy, load_policy

    base = load_policy(path).model_dump() if path else {}
    try:
        return ExecutionPolicy.model_validate(base | _given(limits))
    except ValidationError as error:
        first = error.errors()[0]
        options = {option.name: option.opts[0] for option in ctx.command.params}
        field = str(first["loc"][0])
        raise click.UsageError(f"{options.get(field, field)}: {sentence_of(first)}") from None


def _given(limits: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in limits.items() if value not in (None, ())}
    if "env" in given:
        given["env"] = dict(_split("--env", text, "=", "NAME=VALUE") for text in given["env"])
    if "mounts" in given:
        pairs = [_split("--mount", text, ":", "HOST:GUEST") for text in given["mounts"]]
        given["mounts"] = [{"host": host, "guest": guest} for host, guest in pairs]
    return given


def _split(option: str, text: str, separator: str, form: str) -> tuple[str, str]:
    left, found, right = text.partition(separator)
    if not found:
        raise click.UsageError(f"{option} {text}: write {option} {form}")
    return left, right
