"""Who may come in over HTTP: the address to listen on, the names it goes by, the token to show."""

import fcntl
import secrets
from dataclasses import dataclass
from pathlib import Path

from vetbox.errors import VetboxError, cause
from vetbox.files.folders import Folder
from vetbox.trust import config_folder

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_FILE = "token"  # noqa: S105 - the name of its file
TOKEN_BYTES = 32
MIN_TOKEN = 20  # characters; a shorter one could be guessed
MAX_TOKEN_BYTES = 4_096
MAX_PORT = 65_535


class DoorError(VetboxError):
    """The service cannot listen as it was asked to."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service listens; port 0 lets the system choose."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return self.host in LOOPBACK


@dataclass(frozen=True, slots=True)
class Door:
    """Exact Host and Origin values, and the bearer token that everyone must show."""

    hosts: frozenset[str]
    origins: frozenset[str]
    token: str


def parse_address(text: str) -> Address:
    """`127.0.0.1:8765`, `[::1]:8765`, `:8765` or `8765`."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or LOOPBACK[0]
    if not port.isdecimal() or int(port) > MAX_PORT:
        raise DoorError(f"'{text}' is not an address: write HOST:PORT, such as 127.0.0.1:8765.")
    return Address(host, int(port))


def door_for(
    address: Address, token: str | None, *, hosts: tuple[str, ...], origins: tuple[str, ...]
) -> Door:
    """The door of an address: its own names on a loopback, elsewhere only what is listed.

    Raises DoorError when an address that others can reach lacks its token or its host names.
    """
    if not address.is_loopback and (token is None or not hosts):
        raise DoorError(
            f"{address.host} can be reached by other machines: name the token with --token-file "
            "and each name clients use with --allowed-host."
        )
    names = LOOPBACK if address.is_loopback else ()
    own = [f"{f'[{name}]' if ':' in name else name}:{address.port}" for name in names]
    allowed_origins = frozenset({f"http://{name}" for name in own} | set(origins))
    return Door(frozenset({*own, *hosts}), allowed_origins, token or own_token())


def read_token(path: Path) -> str:
    """The token in a file of the user's."""
    try:
        with path.open("rb") as file:
            token = file.read(MAX_TOKEN_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise DoorError(f"Cannot read the token file {path}: {cause(error)}.") from error
    return checked(token, str(path))


def checked(token: str, place: str) -> str:
    if len(token) < MIN_TOKEN or not token.isprintable() or " " in token:
        raise DoorError(
            f"The token in {place} is not one: use {MIN_TOKEN} or more characters without spaces."
        )
    return token


def own_token() -> str:
    """The token in the user's configuration folder, made when there is none yet."""
    home = own_token_path().parent
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with Folder.open(home) as folder:
        fcntl.flock(folder.fd, fcntl.LOCK_EX)  # of two that start at once, one makes it
        try:
            token = folder.read(TOKEN_FILE, max_bytes=MAX_TOKEN_BYTES).decode("ascii", "replace")
        except FileNotFoundError:
            token = secrets.token_urlsafe(TOKEN_BYTES)
            folder.replace(TOKEN_FILE, token.encode() + b"\n")
    return checked(token.strip(), str(own_token_path()))


def own_token_path() -> Path:
    return config_folder() / TOKEN_FILE
