"""`vetbox runtime`: fetch, inspect and remove the sandbox's interpreter."""

from functools import partial
from pathlib import Path

import click


@click.group()
def runtime() -> None:
    """Fetch and inspect the sandbox's interpreter."""


@runtime.command()
def install() -> None:
    """Fetch python.wasm, check its hash and prepare it for fast starts."""
    from vetbox.run.executors import guest_package
    from vetbox.sandbox import PythonSandbox
    from vetbox.sandbox.runtime import install as fetch

    found = fetch(_tell)
    for guest, use in ((None, "vetbox sandbox"), (guest_package(), "vetbox run")):
        PythonSandbox(guest=guest).prepare(partial(_tell, use=f", for {use}"))
    click.echo(f"CPython {found.interpreter.python if found.interpreter else '?'} at {found.path}")


@runtime.command()
@click.pass_context
def status(ctx: click.Context) -> None:
    """Show what is installed and prepared; exit code 1 if nothing is."""
    from vetbox.sandbox.images import images_on_disk
    from vetbox.sandbox.runtime import DEFAULT_PATH, INSTALL_COMMAND, installed

    uses = _uses()
    prepared = all(folder.is_dir() for folder in uses)
    found = installed()
    if found is not None and found.interpreter is not None:
        click.echo(f"interpreter  CPython {found.interpreter.python} at {found.path}")
        click.echo(f"sha256       {found.sha256}")
    elif prepared:
        click.echo(
            "interpreter  not installed, and not needed: what programs start from is prepared"
        )
    else:
        click.echo(f"No interpreter ({DEFAULT_PATH}) is installed; run: {INSTALL_COMMAND}")
    for folder, size in images_on_disk():
        use = uses.get(folder, "of another version")
        click.echo(f"prepared     {folder} ({size / 1e6:.1f} MB, {use})")
    ctx.exit(0 if found or prepared else 1)


def _uses() -> dict[Path, str]:
    """The folders of what programs of this version start from, and which programs."""
    from vetbox.run.executors import guest_package
    from vetbox.sandbox.guest_package import BARE
    from vetbox.sandbox.images import image_folder
    from vetbox.sandbox.interpreters import DEFAULT

    return {
        image_folder(DEFAULT.sha256, BARE): "for vetbox sandbox",
        image_folder(DEFAULT.sha256, guest_package()): "for vetbox run",
    }


@runtime.command()
def remove() -> None:
    """Remove the interpreter and what was prepared from it."""
    from vetbox.sandbox.images import remove_images
    from vetbox.sandbox.runtime import remove as remove_interpreter

    for path in (*remove_interpreter(), *remove_images()):
        click.echo(f"removed {path}")


def _tell(message: str, use: str = "") -> None:
    click.echo(f"{message}{use} …", err=True)
