"""What pydantic has against a document, in the words of the file and with its places."""

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, get_args

from vetbox.documents.document import Document, Key, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails


def validation_message(
    document: Document, error: "ValidationError", model: "type[BaseModel] | None" = None
) -> str:
    """The errors of a pydantic model in the words of the file, a line each.

    With the model a key that it does not know is answered with the nearest one that it does.
    """
    return "\n".join(_one_error(document, details, model) for details in error.errors())


_ABOUT_A_KEY = frozenset({"unknown_key", "empty_key"})
"""Types of errors whose context holds a key of the mapping that they are placed at."""


def _one_error(document: Document, details: "ErrorDetails", model: "type[BaseModel] | None") -> str:
    keys = _known_keys(document, details["loc"])
    if details["type"] in _ABOUT_A_KEY:
        line, column = document.key_position(*keys, details["ctx"]["key"])
    elif details["type"] == "extra_forbidden":
        keys = _with_last(keys, details["loc"])
        line, column = document.key_position(*keys)
    else:
        line, column = document.position(*keys)
    sentence = _sentence(details)
    if details["type"] == "extra_forbidden" and model is not None:
        close = get_close_matches(str(keys[-1]), _known_beside(model, keys[:-1]), n=1)
        sentence = f"not a known key; did you mean '{close[0]}'?" if close else sentence
    return placed(document.path, line, column, keys, sentence)


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


def _known_keys(document: Document, loc: tuple[Key, ...]) -> tuple[Key, ...]:
    """The part of pydantic's location that is in the file; its union branches are not."""
    keys: tuple[Key, ...] = ()
    for part in loc:
        if (*keys, part) in document.values:
            keys = (*keys, part)
    return keys


def _with_last(keys: tuple[Key, ...], loc: tuple[Key, ...]) -> tuple[Key, ...]:
    """With the unknown key, of which the reader of TOML has no place inside inline tables."""
    return keys if keys[-1:] == loc[-1:] else (*keys, loc[-1])


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
