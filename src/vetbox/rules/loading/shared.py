"""The shared models of taint rules: what one kind of source, sink, sanitizer or matcher is.

Those that ship are there for every rule; a `models` folder beside rules of one's own adds kinds, or
places to kinds that ship, for all that is read together with it.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from vetbox import __version__
from vetbox.documents import Document, DocumentError, read_yaml, validation_message
from vetbox.rule_files import ModelFiles, model_files
from vetbox.rules.language.rule import RuleError
from vetbox.rules.schema.taint import SharedModel

if TYPE_CHECKING:
    from vetbox.rules.language.taint import Place


class Models:
    """The models of some files, checked when they are first asked for."""

    def __init__(self, files: ModelFiles) -> None:
        self.files = files
        self.places: dict[str, tuple[Place, ...]] = {}
        """What kinds were compiled to, as far as they were asked for."""

    @cached_property
    def by_kind(self) -> Mapping[str, SharedModel]:
        """Every model by its kind; raises RuleError with the problems of all files."""
        models: dict[str, SharedModel] = {}
        problems: list[str] = []
        for path, data in self.files:
            try:
                model = _model_of(path, data)
                models[model.kind] = _together(models.get(model.kind), model, path)
            except (RuleError, DocumentError) as error:
                problems += getattr(error, "problems", [str(error)])
        problems += [] if problems else _circles(models)
        if problems:
            raise RuleError(problems)
        return models

    @cached_property
    def digest(self) -> str:
        """Changes with any model."""
        digest = sha256()
        for _, data in self.files:
            digest.update(data)
        return digest.hexdigest()


_IN_FORCE: ContextVar[Models] = ContextVar("models in force")


def models() -> Models:
    """Those that rules read now may name: the shipped ones, if nobody says otherwise."""
    return _IN_FORCE.get(None) or _shipped()


@contextmanager
def in_force(files: ModelFiles) -> Iterator[None]:
    """Rules read within may name the models of these files; raises RuleError."""
    found = _shipped() if files == _shipped().files else Models(files)
    token = _IN_FORCE.set(found)
    try:
        _ = found.by_kind  # what is wrong with them is said once, before any rule
        yield
    finally:
        _IN_FORCE.reset(token)


@cache
def _shipped() -> Models:
    return Models(model_files(()))


def shared_model(kind: str) -> SharedModel:
    """The model of a kind; raises RuleError for one that nobody wrote."""
    known = models().by_kind
    if kind not in known:
        raise RuleError([f"'{kind}' is not a kind of rules/models; they are {', '.join(known)}"])
    return known[kind]


def kinds() -> tuple[str, ...]:
    """The names of all models."""
    return tuple(models().by_kind)


def digest_of(model: BaseModel) -> str:
    """Changes with anything a rule says, and with any model in force if it names one."""
    data = [__version__, model.model_dump(mode="json", by_alias=True)]
    text = json.dumps(data, sort_keys=True)
    shared = models().digest if '"kind": "' in text else ""
    return sha256(f"{shared}{text}".encode()).hexdigest()[:32]


def model_from_document(document: Document) -> SharedModel:
    """The model a file holds; raises RuleError with places."""
    try:
        return SharedModel.model_validate(document.data)
    except ValidationError as error:
        raise RuleError(validation_message(document, error).split("\n")) from error


def _model_of(path: str, data: bytes) -> SharedModel:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RuleError([f"{path}:1:1: not UTF-8 text; save it as UTF-8"]) from error
    model = model_from_document(read_yaml(text, path))
    if model.kind != Path(path).stem:
        raise RuleError([f"{path}:1:1: kind: '{model.kind}' is not the name of its file"])
    return model


def _together(known: SharedModel | None, model: SharedModel, path: str) -> SharedModel:
    """A model with the places that another file adds to it."""
    if known is None:
        return model
    if known.role != model.role:
        sentence = f"'{model.kind}' is a {known.role} elsewhere; give this another name"
        raise RuleError([f"{path}:1:1: role: {sentence}"])
    return known.model_copy(update={"places": [*known.places, *model.places]})


def _circles(found: Mapping[str, SharedModel]) -> list[str]:
    """Kinds that come down to themselves."""
    named = {kind: _named(model.model_dump()) & found.keys() for kind, model in found.items()}
    problems = []
    for kind in found:
        reached: set[str] = set()
        asked = [*named[kind]]
        while asked:
            one = asked.pop()
            if one not in reached:
                reached.add(one)
                asked += named[one]
        if kind in reached:
            problems.append(f"rules/models: '{kind}' is defined by itself; name other places")
    return problems


def _named(data: object) -> set[str]:
    """The kinds that the places of a model name."""
    if isinstance(data, dict):
        inner = set().union(*map(_named, data.get("places", data.values())))
        own = {data["kind"]} if "places" not in data and isinstance(data.get("kind"), str) else ()
        return inner | set(own)
    return set().union(*map(_named, data)) if isinstance(data, list) else set()
