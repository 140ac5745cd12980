"""`vetbox serve`: answer MCP clients about one project, over stdio or HTTP."""

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetbox.cli.places import Place

if TYPE_CHECKING:
    from vetbox.app import App

FOLDER = Place(exists=True, file_okay=False, path_type=Path)
FILE = Place(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--http", "address", metavar="HOST:PORT", help="Serve streamable HTTP at /mcp.")
@click.option("--project", type=FOLDER, default=Path(), help="The project's root  [default: .]")
@click.option(
    "--token-file", type=FILE, help="File with the bearer token; vetbox keeps its own otherwise."
)
@click.option(
    "--allowed-host",
    "hosts",
    multiple=True,
    metavar="HOST[:PORT]",
    help="Answer this Host header, compared exactly; repeatable.",
)
@click.option(
    "--allowed-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Answer this Origin, compared exactly; repeatable.",
)
def serve(
    address: str | None,
    project: Path,
    token_file: Path | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
) -> None:
    """Serve MCP clients over stdio, or over HTTP with --http.

    Over HTTP a bearer token is always required: yours, or one that vetbox makes and keeps in your
    configuration folder.
    """
    if address is None and (token_file or hosts or origins):
        raise click.UsageError(
            "--token-file and --allowed-… go with --http; they mean nothing over stdio"
        )
    from vetbox.app import App

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="vetbox: %(message)s")
    app = App.open(project)
    for notice in app.notices:
        click.echo(f"vetbox: {notice}", err=True)
    if address is None:
        from vetbox.server.stdio import serve_stdio

        serve_stdio(app)
    else:
        serve_address(app, address, token_file, hosts, origins)


def serve_address(
    app: "App",
    text: str,
    token_file: Path | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
) -> None:
    from vetbox.config.words import check_host, check_origin
    from vetbox.server.door import Address, door_for, own_token_path, parse_address, read_token
    from vetbox.server.guard import PATH
    from vetbox.server.http import listen, serve_http

    try:
        for host in hosts:
            check_host(host)
        for origin in origins:
            check_origin(origin)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    address, settings = parse_address(text), app.config.server
    token = read_token(token_file) if token_file else None
    listener = listen(address)
    bound = Address(address.host, listener.getsockname()[1])
    door = door_for(
        bound,
        token,
        hosts=(*settings.allowed_hosts, *hosts),
        origins=(*settings.allowed_origins, *origins),
    )
    click.echo(f"vetbox: serving http://{bound.host}:{bound.port}{PATH}", err=True)
    click.echo(f"vetbox: the token is in {token_file or own_token_path()}", err=True)
    serve_http(app, listener, door)
