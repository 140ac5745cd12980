"""What pydantic has against a document, in the words of the file and with its places."""

import re
from collections.abc import Mapping
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
    told = _without_second_guesses(document, error.errors())
    return "\n".join(_one_error(document, details, model) for details in told)


_NO_MAPPING = frozenset({"model_type", "model_attributes_type", "dict_type"})


def _without_second_guesses(
    document: Document, errors: "list[ErrorDetails]"
) -> "Iterator[ErrorDetails]":
    """Without "must be a mapping" of what may be a word too, and is a wrong one."""
    places = [_known_keys(document, details["loc"]) for details in errors]
    for place, details in zip(places, errors, strict=True):
        if details["type"] not in _NO_MAPPING or places.count(place) == 1:
            yield details


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
    sentence = sentence_of(details)
    if details["type"] == "extra_forbidden" and model is not None:
        known = _known_beside(model, keys[:-1])
        close = get_close_matches(str(keys[-1]), known, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"the keys here are {', '.join(known)}"
        sentence = f"not a known key; {hint}"
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


SENTENCES: Mapping[str, str] = {
    "extra_forbidden": "not a known key; remove it or see the schema for its spelling",
    "missing": "the key '{key}' is missing; add it",
    **dict.fromkeys(_NO_MAPPING, "must be a mapping of keys to values"),
    **dict.fromkeys(
        ("list_type", "tuple_type"), "must be a list: in [ ], or each entry behind a -"
    ),
    "string_type": "must be a string",
    **dict.fromkeys(("int_type", "int_from_float"), "must be a whole number"),
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "string_pattern_mismatch": "'{given}' must match {pattern}",
    "union_tag_not_found": "the key {discriminator} is missing; add it",
}
"""What is said of each type of error that pydantic does not already name in words of a file."""
_CHOICES = {
    "enum": ("expected", None),
    "literal_error": ("expected", None),
    "union_tag_invalid": ("expected_tags", "tag"),
}
"""Types of errors about words of a fixed set: where their context lists these, and has the word."""


def sentence_of(details: "ErrorDetails") -> str:
    """What is wrong with one value, as the rest of a sentence that begins with its place."""
    context = details.get("ctx", {})
    if details["type"] in _CHOICES:
        listed, word = _CHOICES[details["type"]]
        given = details["input"] if word is None else context[word]
        return _not_one_of(given, str(context.get(listed, "")))
    known = SENTENCES.get(details["type"])
    if known is None:
        return details["msg"].removeprefix("Value error, ")
    key = details["loc"][-1] if details["loc"] else ""
    told = {name: _readable(value) for name, value in context.items()}
    return known.format(key=key, given=details["input"], **told)


def _readable(value: object) -> object:
    """16000000.0 as 16,000,000"""
    if not isinstance(value, int | float):
        return value
    return f"{int(value) if value == int(value) else value:,}"


def _not_one_of(given: object, expected: str) -> str:
    words = re.findall(r"'([^']*)'", expected)
    close = get_close_matches(str(given), words, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"'{given}' is not one of {', '.join(words) or expected}{hint}"
