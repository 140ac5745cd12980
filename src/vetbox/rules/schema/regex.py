"""Regexes of a rule file: text or a list of alternatives, with subpatterns by name; RE2 reads them.

A long regex is written as the list of what it looks for, each with a comment where it needs one;
what several of them share has a name, and `(?&name)` stands for it, as in PCRE.
"""

import re
from collections.abc import Mapping
from operator import is_not
from typing import Annotated, Any, TypeAlias

import re2
from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

MAX_REGEX_CHARACTERS = 2_000
_STEPS = (
    (
        re.compile(r"^invalid perl operator: \(\?<?[=!]"),
        "RE2 does not look around; say it by `not`, `unless` or a second condition",
    ),
    (
        re.compile(r"^invalid escape sequence: \\[1-9]"),
        "RE2 does not refer back; write the alternatives out",
    ),
    (re.compile(r"^missing \):"), "close the bracket, or write \\( for one of the text"),
    (
        re.compile(r"^no argument for repetition"),
        "write \\* for a star of the text; globs go by name",
    ),
)
"""What to do about what RE2 refuses and other engines may not."""
_REFERENCE = re.compile(r"\(\?&([\w-]+)\)")


def _alternatives(value: Any) -> Any:
    """One regex for a list of them; each is whole, its flags its own."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return value
    if not value:
        raise ValueError("no alternative is given; write one or leave the list out")
    return "|".join(f"(?:{_regex(one)})" for one in value)


def _regex(value: str) -> str:
    if unknown := _REFERENCE.search(value):
        raise ValueError(
            f"'{unknown[1]}' is no subpattern of this file; write it under subpatterns"
        )
    if len(value) > MAX_REGEX_CHARACTERS:
        raise ValueError(f"a regex of more than {MAX_REGEX_CHARACTERS} characters; split it")
    options = re2.Options()
    options.log_errors = False  # the sentence below says it
    try:
        re2.compile(value, options)
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode() if isinstance(reason, bytes) else str(reason)
        steps = [f"; {step}" for form, step in _STEPS if form.search(text)]
        raise ValueError(f"not an RE2 regex: {text}{''.join(steps)}") from error
    return value


Regex: TypeAlias = Annotated[
    str,
    BeforeValidator(_alternatives),
    AfterValidator(_regex),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
Subpatterns: TypeAlias = Annotated[
    dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")], Regex],
    Field({}, description="regexes by name; `(?&name)` stands for one in the regexes of the file"),
]


_FORMULAS = frozenset({"match", "where", "unless", "doubtful", "taint", "fix", "places"})


def with_subpatterns(data: Any) -> Any:
    """The data of a rule or model, with its `subpatterns` wherever a formula names one.

    One may name those above it.
    """
    named = data.get("subpatterns") if isinstance(data, Mapping) else None
    if not isinstance(named, Mapping):
        return data
    texts: dict[str, str] = {}
    filled: dict[str, Any] = {}
    for name, value in named.items():
        filled[name] = _filled(value, texts)
        texts[name] = _group(filled[name])
    formulas = {key: _filled(data[key], texts) for key in data if key in _FORMULAS}
    return {**data, **formulas, "subpatterns": filled}


def _group(value: Any) -> str:
    """What stands for a name; what is wrong with it is said at its own place."""
    regexes = [value] if isinstance(value, str) else value
    well = isinstance(regexes, list) and all(isinstance(one, str) for one in regexes)
    return _bounded(f"(?:{'|'.join(f'(?:{one})' for one in regexes)})") if well else ""


def _bounded(regex: str) -> str:
    """No more of a regex than tells that it is too long: names asked for twice double each time."""
    return regex[: MAX_REGEX_CHARACTERS + 1]


def _filled(value: Any, texts: Mapping[str, str]) -> Any:
    """What names nothing stays the object that it is."""
    if isinstance(value, str):
        if len(value) > MAX_REGEX_CHARACTERS or not _REFERENCE.search(value):
            return value
        return _bounded(_REFERENCE.sub(lambda found: texts.get(found[1], found[0]), value))
    if isinstance(value, list):
        listed = [_filled(one, texts) for one in value]
        return listed if any(map(is_not, listed, value)) else value
    if isinstance(value, dict):
        filled = {key: _filled(one, texts) for key, one in value.items()}
        return filled if any(map(is_not, filled.values(), value.values())) else value
    return value
