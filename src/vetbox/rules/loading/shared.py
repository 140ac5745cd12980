"""The shared models of taint rules: what one kind of source, sink or sanitizer is."""

from functools import cache
from hashlib import sha256

from pydantic import ValidationError

from vetbox.documents import Document, read_yaml, validation_message
from vetbox.rule_files import shipped_models_dir
from vetbox.rules.language.rule import RuleError
from vetbox.rules.schema.taint import SharedModel


def shared_model(kind: str) -> SharedModel:
    """The model of a kind; raises RuleError for one that nobody wrote."""
    models = _shared_models()
    if kind not in models:
        raise RuleError([f"'{kind}' is not a kind of rules/models; they are {', '.join(models)}"])
    return models[kind]


def kinds() -> tuple[str, ...]:
    """The names of all models."""
    return tuple(_shared_models())


@cache
def shared_digest() -> str:
    """Changes with any model."""
    digest = sha256()
    for path in sorted(shipped_models_dir().glob("*.yaml")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _shared_models() -> dict[str, SharedModel]:
    models = {}
    for path in sorted(shipped_models_dir().glob("*.yaml")):
        model = model_from_document(read_yaml(path.read_text("utf-8"), str(path)))
        if model.kind != path.stem:
            raise RuleError([f"{path}:1:1: kind: '{model.kind}' is not the name of its file"])
        models[model.kind] = model
    return models


def model_from_document(document: Document) -> SharedModel:
    """The model a file holds; raises RuleError with places."""
    try:
        return SharedModel.model_validate(document.data)
    except ValidationError as error:
        raise RuleError(validation_message(document, error).split("\n")) from error
