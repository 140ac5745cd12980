"""The one guarded reader of YAML and TOML: plain data with the place of every value.

A document is refused while its events stream in, before anything is built: anchors, aliases, merge
keys, tags, a key given twice, deep nesting and size. Scalars follow YAML 1.2's core schema, so
`off` and `yes` are words, not truth values.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

from vetbox.errors import VetboxError

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

MAX_BYTES = 1_000_000
MAX_DEPTH = 50
MAX_VALUES = 50_000
"""A file of this many values takes a second or two to read."""
MAX_DIGITS = 40
"""Longer numbers are somebody's mistake or somebody's attack."""

Key = str | int
Place = tuple[int, int]
_Event = Any
"""An event of PyYAML's parser, whose stubs leave its fields out."""


class DocumentError(VetboxError):
    """A document that cannot be read; the text is `path:line:column: sentence`."""

    def __init__(self, path: str, line: int, column: int, sentence: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {sentence}")
        self.path, self.line, self.column = path, line, column


@dataclass(frozen=True, slots=True)
class Document:
    """`data` is of dict, list, str, int, float, bool and None; lines and columns are 1-based."""

    path: str
    data: Any
    values: Mapping[tuple[Key, ...], Place] = field(default_factory=dict, repr=False)
    keys: Mapping[tuple[Key, ...], Place] = field(default_factory=dict, repr=False)

    def position(self, *keys: Key) -> Place:
        """Where the value at a path of keys and indices starts, or the nearest one around it."""
        return _nearest(self.values, keys)

    def key_position(self, *keys: Key) -> Place:
        """Where the key itself is written."""
        return self.keys.get(keys) or self.position(*keys)

    def problem(self, keys: tuple[Key, ...], sentence: str) -> str:
        """A sentence about what stands at a path of keys, with its place."""
        line, column = self.position(*keys)
        return _told(self.path, line, column, keys, sentence)


def read_yaml(
    text: str, path: str, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH
) -> Document:
    """Read one YAML document; raises DocumentError with the place of what is wrong."""
    _check_size(text, path, max_bytes)
    return _Builder(path, max_depth).read(text)


def read_toml(text: str, path: str, *, max_bytes: int = MAX_BYTES) -> Document:
    """Read a TOML document; raises DocumentError with the place of what is wrong."""
    _check_size(text, path, max_bytes)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, column = _toml_place(str(error))
        raise DocumentError(path, line, column, f"not TOML: {error}") from error
    except RecursionError as error:
        raise DocumentError(path, 1, 1, "nested too deeply; flatten it") from error
    places = dict(_toml_keys(text))
    return Document(path, data, places, places)


def write_yaml(data: Mapping[str, Any]) -> str:
    """Plain data as block YAML, keys in their own order; texts of several lines stay readable."""
    import yaml

    class Writer(yaml.SafeDumper):
        """Writes a text of several lines as a literal block."""

    def text(writer: Any, value: str) -> Any:
        style = "|" if "\n" in value else None
        return writer.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Writer.add_representer(str, text)
    written: str = yaml.dump(dict(data), Dumper=Writer, sort_keys=False, allow_unicode=True)
    return written


def validation_message(
    document: Document, error: "ValidationError", model: "type[BaseModel] | None" = None
) -> str:
    """The errors of a pydantic model in the words of the file, a line each.

    With the model a key that it does not know is answered with the nearest one that it does.
    """
    return "\n".join(_one_error(document, details, model) for details in error.errors())


def _check_size(text: str, path: str, max_bytes: int) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise DocumentError(path, 1, 1, f"{size:,} bytes; at most {max_bytes:,} are read")


def _nearest(places: Mapping[tuple[Key, ...], Place], keys: tuple[Key, ...]) -> Place:
    for length in range(len(keys), -1, -1):
        if keys[:length] in places:
            return places[keys[:length]]
    return 1, 1


# YAML ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Builder:
    """Builds plain data from parser events, refusing what is not plain."""

    path: str
    max_depth: int
    places: dict[tuple[Key, ...], Place] = field(default_factory=dict)
    keys: dict[tuple[Key, ...], Place] = field(default_factory=dict)
    count: int = 0

    def read(self, text: str) -> Document:
        import yaml

        try:
            events = yaml.parse(text, Loader=yaml.SafeLoader)
            data = self._document(events)
        except yaml.MarkedYAMLError as error:
            raise self._not_yaml(error) from error
        except yaml.YAMLError as error:
            raise DocumentError(self.path, 1, 1, f"not YAML: {error}") from error
        return Document(self.path, data, self.places, self.keys)

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
        match type(event).__name__:
            case "MappingStartEvent":
                return self._mapping(events, at)
            case "SequenceStartEvent":
                return self._sequence(events, at)
        return self._scalar(event)

    def _admit(self, event: _Event, at: tuple[Key, ...]) -> None:
        self.count += 1
        if type(event).__name__ == "AliasEvent" or getattr(event, "anchor", None):
            raise self._refuse(event, "anchors and aliases are not read; write the value out")
        if getattr(event, "tag", None):
            raise self._refuse(event, f"the tag {event.tag} is not read; write a plain value")
        if len(at) >= self.max_depth:
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

    def _not_yaml(self, error: Any) -> DocumentError:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        sentence = f"not YAML: {error.problem or error.context}"
        return DocumentError(self.path, line, column, sentence)


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


# TOML ------------------------------------------------------------------------------------------

_TOML_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_TOML_TABLE = re.compile(r"\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?")
_TOML_KEY = re.compile(r"\s*([\w.\"'-]+)\s*=")


def _toml_place(message: str) -> Place:
    found = _TOML_PLACE.search(message)
    return (int(found[1]), int(found[2])) if found else (1, 1)


def _toml_keys(text: str) -> Iterator[tuple[tuple[Key, ...], Place]]:
    """The keys that stand at the start of a line: enough to point at a mistake."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := _TOML_TABLE.fullmatch(line):
            table = _toml_path(heading[1])
            yield table, (number, 1)
        elif key := _TOML_KEY.match(line):
            yield (*table, *_toml_path(key[1])), (number, key.start(1) + 1)


def _toml_path(written: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in written.split("."))


# Validation ------------------------------------------------------------------------------------


def _one_error(document: Document, details: "ErrorDetails", model: "type[BaseModel] | None") -> str:
    keys = _known_keys(document, details["loc"])
    if details["type"] == "unknown_key":
        line, column = document.key_position(*keys, details["ctx"]["key"])
    elif details["type"] == "extra_forbidden":
        line, column = document.key_position(*keys)
    else:
        line, column = document.position(*keys)
    sentence = _sentence(details)
    if details["type"] == "extra_forbidden" and model is not None:
        close = get_close_matches(str(keys[-1]), _known_beside(model, keys[:-1]), n=1)
        sentence = f"not a known key; did you mean '{close[0]}'?" if close else sentence
    return _told(document.path, line, column, keys, sentence)


def _known_beside(model: "type[BaseModel]", keys: tuple[Key, ...]) -> list[str]:
    """The keys of the model that stands behind some keys; names in between are passed over."""
    for key in keys:
        field = model.model_fields.get(str(key))
        models = _models_in(field.annotation) if field is not None else ()
        model = next(iter(models), model)
    return [field.alias or name for name, field in model.model_fields.items()]


def _models_in(annotation: object) -> "Iterator[type[BaseModel]]":
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _told(path: str, line: int, column: int, keys: tuple[Key, ...], sentence: str) -> str:
    return f"{path}:{line}:{column}: {'.'.join(map(str, keys)) or 'the file'}: {sentence}"


def _known_keys(document: Document, loc: tuple[Key, ...]) -> tuple[Key, ...]:
    """The part of pydantic's location that is in the file; its union branches are not."""
    keys: tuple[Key, ...] = ()
    for part in loc:
        if (*keys, part) in document.values:
            keys = (*keys, part)
    return keys


def _sentence(details: "ErrorDetails") -> str:
    context = details.get("ctx", {})
    given = details["input"]
    match details["type"]:
        case "extra_forbidden":
            return "not a known key; remove it or see the schema for its spelling"
        case "missing":
            return f"the key '{details['loc'][-1]}' is missing; add it"
        case "model_type" | "model_attributes_type" | "dict_type":
            return "must be a mapping of keys to values"
        case "enum" | "literal_error":
            return _not_one_of(given, str(context.get("expected", "")))
    return details["msg"].removeprefix("Value error, ")


def _not_one_of(given: object, expected: str) -> str:
    words = re.findall(r"'([^']*)'", expected)
    close = get_close_matches(str(given), words, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"'{given}' is not one of {', '.join(words) or expected}{hint}"
