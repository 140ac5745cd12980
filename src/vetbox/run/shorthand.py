"""Shorthand: `$name key=value` becomes the code that a configured snippet renders.

Aliases need no rewriting: they are names in the program (see `guest.main.furnish`), so they work
wherever a name does, are shadowed like one, and never touch a string.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeAlias

from vetbox.errors import VetboxError
from vetbox.run.pack_proxy import closest_first
from vetbox.workers import JSON, WorkerDied, WorkerFailed, WorkerPool, WorkerTimeout

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

Scalar: TypeAlias = str | int | float | bool | None

RENDER_TIMEOUT_S = 1.0
RENDER_MEMORY_BYTES = 256_000_000
MAX_RENDERED = 100_000  # characters; a snippet is a few lines of code

_CALL = re.compile(
    r"\$(?P<name>[A-Za-z_]\w*)(?:[ \t]+(?P<inline>\S[^\n]*))?(?:\n(?P<block>.*))?", re.DOTALL
)
_INLINE = re.compile(
    r"""\s*(?P<key>\w+)=(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S*)(?:\s+|$)"""
)
_BLOCK = re.compile(r"\s*(?P<key>\w+):[ \t]*(?P<value>.*)")
_ESCAPED = re.compile(r"\\(.)")


class SnippetError(VetboxError):
    """A snippet cannot be expanded."""


class Parameter(Protocol):
    """One value a snippet takes."""

    @property
    def required(self) -> bool: ...

    @property
    def default(self) -> Scalar: ...


class Snippet(Protocol):
    """A template and its parameters."""

    @property
    def params(self) -> Mapping[str, Parameter]: ...

    @property
    def body(self) -> str: ...


def expanded(command: str, snippets: Mapping[str, Snippet]) -> str:
    """The code a `$name` command stands for; any other command unchanged. Raises SnippetError."""
    if not command.lstrip().startswith("$"):
        return command
    call = _CALL.fullmatch(command.strip())
    if call is None:
        raise SnippetError("invalid syntax: write a snippet as `$name key=value`.")
    name = call["name"]
    if name not in snippets:
        known = ", ".join(f"${one}" for one in closest_first(name, snippets)) or "none"
        raise SnippetError(f"There is no snippet ${name}. Available snippets: {known}")
    given = _once([*_inline(call["inline"] or ""), *_block(call["block"] or "")])
    return rendered(snippets[name].body, _complete(name, snippets[name], given))


def _once(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The values by their keys, each of which is given once."""
    values: dict[str, str] = {}
    for key, value in pairs:
        if key in values:
            raise SnippetError(f"The parameter {key} is given twice.")
        values[key] = value
    return values


def _inline(text: str) -> Iterator[tuple[str, str]]:
    """`k=v k2="v 2"`"""
    at = 0
    while at < len(text):
        pair = _INLINE.match(text, at)
        if pair is None:
            raise SnippetError(f'Cannot read {text[at : at + 50]!r}: write key=value or key="a b".')
        yield pair["key"], _unquoted(pair["value"])
        at = pair.end()


def _block(text: str) -> Iterator[tuple[str, str]]:
    """Lines of `k: v`"""
    for line in filter(str.strip, text.splitlines()):
        pair = _BLOCK.fullmatch(line)
        if pair is None:
            raise SnippetError(f"Cannot read {line[:50]!r}: write one `key: value` a line.")
        yield pair["key"], _unquoted(pair["value"].strip())


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return _ESCAPED.sub(r"\1", value[1:-1])
    return value


def _complete(name: str, snippet: Snippet, given: Mapping[str, str]) -> dict[str, Scalar]:
    """The given values and the defaults of the others."""
    takes = f"${name} takes {', '.join(snippet.params) or 'nothing'}"
    if unknown := [key for key in given if key not in snippet.params]:
        raise SnippetError(f"${name} has no parameter {', '.join(unknown)}: {takes}.")
    required = [key for key, param in snippet.params.items() if param.required]
    if missing := [key for key in required if key not in given]:
        raise SnippetError(f"${name} needs {', '.join(missing)}: {takes}.")
    return {key: given.get(key, param.default) for key, param in snippet.params.items()}


def rendered(body: str, values: Mapping[str, Scalar]) -> str:
    """The template's text, rendered in a process of its own that can be killed."""
    request: JSON = {"body": body, "values": dict(values)}
    try:
        return str(_renderer().call(request, timeout_s=RENDER_TIMEOUT_S))
    except WorkerTimeout:
        raise SnippetError(f"The snippet took more than {RENDER_TIMEOUT_S:g} s.") from None
    except WorkerDied as died:
        raise SnippetError(f"The snippet needs too much memory. {died}") from None
    except WorkerFailed as failed:
        raise SnippetError(f"The snippet cannot be rendered: {failed}") from None


@cache
def _renderer() -> WorkerPool:
    return WorkerPool(f"{__name__}:renderer", size=1, memory_bytes=RENDER_MEMORY_BYTES)


def renderer(config: JSON) -> Callable[[JSON, object], JSON]:
    """The worker's side: answers `{body, values}` with the rendered text."""
    environment = _environment()

    def render(request: JSON, emit: object) -> JSON:
        match request:
            case {"body": str(body), "values": dict(values)}:
                return _limited(environment, body, values)
        raise TypeError("a request has a body and values")

    return render


def _environment() -> "ImmutableSandboxedEnvironment":
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)


def _limited(
    environment: "ImmutableSandboxedEnvironment", body: str, values: Mapping[str, JSON]
) -> str:
    pieces, length = [], 0
    for piece in environment.from_string(body).generate(values):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_RENDERED:
            raise ValueError(f"it is longer than {MAX_RENDERED:,} characters")
    return "".join(pieces)
