"""A policy kept in a TOML or YAML file."""

from pathlib import Path

from pydantic import ValidationError

from vetbox.documents import Document, read_toml, read_yaml, validation_message
from vetbox.errors import cause
from vetbox.sandbox.errors import PolicyError
from vetbox.sandbox.models import ExecutionPolicy

READERS = {".toml": read_toml, ".yaml": read_yaml, ".yml": read_yaml}


def load_policy(path: Path) -> ExecutionPolicy:
    """The policy a file holds: its keys are the policy's fields, and unknown ones are refused.

    Raises `PolicyError` or `DocumentError` with file, line and column.
    """
    reader = READERS.get(path.suffix)
    if reader is None:
        raise PolicyError(f"{path} is neither .toml nor .yaml; rename it after what it holds.")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"The policy {path} cannot be read: {cause(error)}.") from None
    return policy_of(reader(text, str(path)))


def policy_of(document: Document) -> ExecutionPolicy:
    """The policy that a document, already read, stands for."""
    try:
        return ExecutionPolicy.model_validate(document.data or {})
    except ValidationError as error:
        raise PolicyError(validation_message(document, error, ExecutionPolicy)) from None
