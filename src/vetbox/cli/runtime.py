"""`vetbox runtime`: fetch, inspect and remove the sandbox's interpreter."""

import click


@click.group()
def runtime() -> None:
    """Fetch and inspect the sandbox's interpreter."""


@runtime.command()
def install() -> None:
    """Fetch python.wasm, check its hash, and prepare what programs start from."""
    from vetbox.run.executors import guest_package
    from vetbox.sandbox import PythonSandbox
    from vetbox.sandbox.runtime import install as fetch

    found = fetch(_tell)
    for guest in (None, guest_package()):  # for `vetbox sandbox`, and for `vetbox run`
        PythonSandbox(guest=guest).prepare(_tell)
    click.echo(f"CPython {found.interpreter.python if found.interpreter else '?'} at {found.path}")


@runtime.command()
@click.pass_context
def status(ctx: click.Context) -> None:
    """Say which interpreter is installed; exit code 1 if none is."""
    from vetbox.sandbox.images import images_on_disk
    from vetbox.sandbox.runtime import DEFAULT_PATH, INSTALL_COMMAND, installed

    found = installed()
    if found is None or found.interpreter is None:
        click.echo(f"No interpreter ({DEFAULT_PATH}) is installed; run: {INSTALL_COMMAND}")
        ctx.exit(1)
    click.echo(f"interpreter  CPython {found.interpreter.python} at {found.path}")
    click.echo(f"sha256       {found.sha256}")
    for folder, size in images_on_disk():
        click.echo(f"prepared     {folder} ({size / 1e6:.1f} MB)")


@runtime.command()
def remove() -> None:
    """Remove the interpreter and what was prepared from it."""
    from vetbox.sandbox.images import remove_images
    from vetbox.sandbox.runtime import remove as remove_interpreter

    for path in (*remove_interpreter(), *remove_images()):
        click.echo(f"removed {path}")


def _tell(message: str) -> None:
    click.echo(f"{message} …", err=True)
