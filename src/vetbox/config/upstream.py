"""`servers:`, other MCP servers whose tools a program may call."""

import ipaddress
from collections.abc import Mapping
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, field_validator

from vetbox.config.secrets import check_no_literal_secret, expand, names_in
from vetbox.config.words import Section, Text

DEFAULT_TIMEOUT_S = 30.0
MAX_TIMEOUT_S = 3600.0
MAX_ARGS = 200
DELETE = 0x7F

Timeout = Annotated[float, Field(gt=0, le=MAX_TIMEOUT_S)]


def check_url(url: str) -> str:
    """http or https to a host that is not the machine's own metadata service."""
    if any(ord(char) <= ord(" ") or ord(char) == DELETE for char in url):
        raise ValueError(f"{url!r} holds blanks or control characters")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(f"'{url}' is not a URL: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(f"'{url}' is not an http or https URL")
    if parts.username or parts.password:
        raise ValueError("a URL holds no user name or password: send a header instead")
    if is_link_local(host):
        raise ValueError(f"'{host}' is a link-local address, where cloud machines keep secrets")
    return url


def is_link_local(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.rstrip(".").endswith("metadata.google.internal")
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_link_local or address.is_unspecified


def check_secrets(values: Mapping[str, str]) -> Mapping[str, str]:
    for key, value in values.items():
        check_no_literal_secret(key, value)
    return values


Url = Annotated[str, Field(max_length=2048), AfterValidator(check_url)]
Secrets = Annotated[Mapping[str, Text], AfterValidator(check_secrets)]


class StdioServer(Section):
    """A server that vetbox starts as a child process."""

    type: Literal["stdio"]
    command: Annotated[str, Field(min_length=1, max_length=4096)]
    args: Annotated[tuple[Text, ...], Field(max_length=MAX_ARGS, strict=False)] = ()
    env: Secrets = Field(default_factory=dict)
    timeout: Timeout = DEFAULT_TIMEOUT_S

    @property
    def secret_names(self) -> tuple[str, ...]:
        return tuple(name for value in self.env.values() for name in names_in(value))

    def resolved(self, environ: Mapping[str, str]) -> Self:
        """The same server with its secrets filled in; make it only to connect."""
        return self.model_copy(update={"env": expanded(self.env, environ)})


class HttpServer(Section):
    """A server that vetbox calls over streamable HTTP."""

    type: Literal["http"]
    url: Url
    headers: Secrets = Field(default_factory=dict)
    timeout: Timeout = DEFAULT_TIMEOUT_S

    @field_validator("headers")
    @classmethod
    def one_line(cls, headers: Mapping[str, str]) -> Mapping[str, str]:
        for name, value in headers.items():
            if not name.isascii() or any(mark in name + value for mark in "\r\n\0"):
                raise ValueError(f"{name!r} is not an HTTP header")
        return headers

    @property
    def secret_names(self) -> tuple[str, ...]:
        return tuple(name for value in self.headers.values() for name in names_in(value))

    def resolved(self, environ: Mapping[str, str]) -> Self:
        """The same server with its secrets filled in; make it only to connect."""
        return self.model_copy(update={"headers": expanded(self.headers, environ)})


Upstream = Annotated[StdioServer | HttpServer, Field(discriminator="type")]


def expanded(values: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    return {key: expand(value, environ) for key, value in values.items()}
