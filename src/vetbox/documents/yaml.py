"""YAML, guarded: a document is refused while its events stream in, before anything is built.

Refused are anchors and aliases (unless they are asked for), merge keys, tags, a key given twice,
deep nesting and size. Scalars follow YAML 1.2's core schema, so `off` and `yes` are words, not
truth values.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from vetbox.documents.document import MAX_BYTES, Document, DocumentError, Key, Place, check_size

MAX_DEPTH = 50
MAX_VALUES = 50_000
"""A file of this many values takes a second or two to read."""
MAX_DIGITS = 40
"""Longer numbers are somebody's mistake or somebody's attack."""

_READ_OTHERWISE = re.compile(r"[\t\ufeff]|[|>][-+0-9]*#")
"""Tabs, byte order marks, `|#`: libyaml takes them at places where PyYAML's own parser does not."""
_Event = Any
"""An event of PyYAML's parser, whose stubs leave its fields out."""


def read_yaml(
    text: str,
    path: str,
    *,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    aliases: bool = False,
) -> Document:
    """Read one YAML document; raises DocumentError with the place of what is wrong.

    With `aliases` an alias is the value of its anchor, and counts like one written out.
    """
    check_size(text, path, max_bytes)
    import yaml

    def read_by(loader: Any) -> Document:
        builder = _Builder(path, max_depth, anchors={} if aliases else None)
        return builder.read(yaml.parse(text, Loader=loader))

    if not _READ_OTHERWISE.search(text):
        # libyaml, which not every build of PyYAML has, takes a tenth of the time.
        with suppress(yaml.YAMLError, UnicodeError):
            return read_by(getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    try:
        return read_by(yaml.SafeLoader)  # which says what is wrong in the same words everywhere
    except yaml.YAMLError as error:
        raise _not_yaml(path, error) from error


def write_yaml(data: Mapping[str, Any]) -> str:
    """Plain data as block YAML, keys in their own order; texts of several lines stay readable."""
    import yaml

    class Writer(yaml.SafeDumper):
        """Writes a text of several lines as a literal block, and out what stands twice."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(writer: Any, value: str) -> Any:
        style = "|" if "\n" in value else None
        return writer.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Writer.add_representer(str, text)
    written: str = yaml.dump(dict(data), Dumper=Writer, sort_keys=False, allow_unicode=True)
    return written


@dataclass(frozen=True, slots=True)
class _Anchored:
    """A value that aliases may stand for, how many values are in it and how deep they lie."""

    value: Any
    count: int
    depth: int


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max(map(_depth, inner), default=-1) + 1


@dataclass(slots=True)
class _Builder:
    """Builds plain data from parser events, refusing what is not plain."""

    path: str
    max_depth: int
    anchors: "dict[str, _Anchored] | None" = None
    places: dict[tuple[Key, ...], Place] = field(default_factory=dict)
    keys: dict[tuple[Key, ...], Place] = field(default_factory=dict)
    count: int = 0

    def read(self, events: Iterator[_Event]) -> Document:
        return Document(self.path, self._document(events), self.places, self.keys)

    def _document(self, events: Iterator[_Event]) -> Any:
        data: Any = None
        documents = 0
        for event in events:
            match type(event).__name__:
                case "DocumentStartEvent":
                    documents += 1
                    if documents > 1:
                        raise self._refuse(event, "a second document; keep one to a file")
                case "ScalarEvent" | "MappingStartEvent" | "SequenceStartEvent" | "AliasEvent":
                    data = self._value(event, events, ())
        return data

    def _value(self, event: _Event, events: Iterator[_Event], at: tuple[Key, ...]) -> Any:
        self._admit(event, at)
        self.places[at] = _place(event)
        before = self.count
        match type(event).__name__:
            case "AliasEvent":
                return self._aliased(event, at)
            case "MappingStartEvent":
                value: Any = self._mapping(events, at)
            case "SequenceStartEvent":
                value = self._sequence(events, at)
            case _:
                value = self._scalar(event)
        if event.anchor and self.anchors is not None:
            self.anchors[event.anchor] = _Anchored(value, self.count - before, _depth(value))
        return value

    def _aliased(self, event: _Event, at: tuple[Key, ...]) -> Any:
        anchored = (self.anchors or {}).get(event.anchor)
        if anchored is None:
            raise self._refuse(event, f"the alias *{event.anchor} has no anchor before it")
        self.count += anchored.count
        self._check_limits(event, len(at) + anchored.depth)
        return anchored.value

    def _admit(self, event: _Event, at: tuple[Key, ...]) -> None:
        self.count += 1
        if self.anchors is None and getattr(event, "anchor", None):
            raise self._refuse(event, "anchors and aliases are not read; write the value out")
        if getattr(event, "tag", None):
            raise self._refuse(event, f"the tag {event.tag} is not read; write a plain value")
        self._check_limits(event, len(at))

    def _check_limits(self, event: _Event, depth: int) -> None:
        if depth >= self.max_depth:
            raise self._refuse(event, f"nested deeper than {self.max_depth} levels")
        if self.count > MAX_VALUES:
            raise self._refuse(event, f"more than {MAX_VALUES:,} values; split the file")

    def _mapping(self, events: Iterator[_Event], at: tuple[Key, ...]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for event in events:
            if type(event).__name__ == "MappingEndEvent":
                break
            key = self._key(event, data)
            self.keys[*at, key] = _place(event)
            data[key] = self._value(next(events), events, (*at, key))
        return data

    def _key(self, event: _Event, data: Mapping[str, Any]) -> str:
        self._admit(event, ())
        if type(event).__name__ != "ScalarEvent":
            raise self._refuse(event, "a key must be a word, not a list or mapping")
        key: str = event.value
        if key == "<<" and event.implicit[0]:
            raise self._refuse(event, "merge keys (<<) are not read; write the entries out")
        if key in data:
            raise self._refuse(event, f"the key '{key}' is given twice")
        return key

    def _sequence(self, events: Iterator[_Event], at: tuple[Key, ...]) -> list[Any]:
        data: list[Any] = []
        for event in events:
            if type(event).__name__ == "SequenceEndEvent":
                break
            data.append(self._value(event, events, (*at, len(data))))
        return data

    def _scalar(self, event: _Event) -> str | int | float | bool | None:
        text: str = event.value
        if not event.implicit[0]:
            return text
        for form, read in _SCALARS:
            if form.fullmatch(text):
                if len(text) > MAX_DIGITS and read is not str:
                    raise self._refuse(
                        event, f"a number of {len(text)} digits; quote it or mend it"
                    )
                return read(text)
        return text

    def _refuse(self, event: _Event, sentence: str) -> DocumentError:
        return DocumentError(self.path, *_place(event), sentence)


_UNCLOSED = "unexpected end of stream"
_STEPS = (
    ("character '\\t'", "indent with spaces"),
    ("mapping values", "quote a text with a colon in it, or indent this line as its neighbours"),
    ("unknown escape", "use single quotes, in which a backslash is one"),
    ("alphabetic or numeric", "quote a text that begins with * or &"),
    ("cannot start any token", "quote a text that begins with it"),
    ("but found '<scalar>'", "quote all of a text that begins with a bracket or a quote"),
    ("expected <block end>", "indent what belongs together alike"),
    ("find expected ':'", "write key: value, or indent a text that goes on"),
    ("expected the node content", "close the bracket"),
    ("expected ',' or", "close the bracket"),
    (_UNCLOSED, "close the quote that begins here"),
)
"""What to do about an error of the parser that has these words in it."""


def _not_yaml(path: str, error: Any) -> DocumentError:
    """The place of a parser's error, where it tells one, and what to do about it."""
    told = str(getattr(error, "problem", None) or getattr(error, "context", None) or error)
    marks = [getattr(error, name, None) for name in ("problem_mark", "context_mark")]
    mark = next(filter(None, reversed(marks) if _UNCLOSED in told else marks), None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    steps = [f"; {step}" for words, step in _STEPS if words in told]
    return DocumentError(path, line, column, f"not YAML: {told}{''.join(steps[:1])}")


def _place(event: _Event) -> Place:
    return event.start_mark.line + 1, event.start_mark.column + 1


_SCALARS: tuple[tuple[re.Pattern[str], Callable[[str], str | int | float | bool | None]], ...] = (
    (re.compile(r"|~|null|Null|NULL"), lambda _: None),
    (re.compile(r"true|True|TRUE"), lambda _: True),
    (re.compile(r"false|False|FALSE"), lambda _: False),
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text, 16)),
    (re.compile(r"0o[0-7]+"), lambda text: int(text, 8)),
    (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?"), float),
    (re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+"), float),
)
