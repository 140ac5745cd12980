"""Read a project's configuration: the user's own plain file, or an error with its place."""

import os
import stat
from pathlib import Path

from pydantic import ValidationError

from vetbox.config.model import Config
from vetbox.documents import Document, DocumentError, read_yaml, validation_message
from vetbox.errors import VetboxError
from vetbox.files.folders import Folder, FolderError

FOLDER = ".onetool"
FILE = "onetool.yaml"
PATH = f"{FOLDER}/{FILE}"
MAX_BYTES = 1_000_000


class ConfigError(VetboxError):
    """The configuration is not one that vetbox can follow; the text names file, line and column."""


def load_config(project: Path) -> Config:
    """The configuration of a project, or the defaults when it has none. Raises ConfigError.

    Everything in it acts, so only call this for a project that the user trusts.
    """
    try:
        text = read_text(project)
        document = read_yaml(text, PATH, max_bytes=MAX_BYTES)
        return validated(document)
    except FileNotFoundError:
        return Config()
    except (DocumentError, FolderError) as error:
        raise ConfigError(str(error)) from error


def validated(document: Document) -> Config:
    """The model behind a document; an empty one asks for nothing."""
    try:
        return Config.model_validate({} if document.data is None else document.data)
    except ValidationError as error:
        raise ConfigError(validation_message(document, error, Config)) from error


def read_text(project: Path) -> str:
    with Folder.open(project, FOLDER) as folder:
        check_owner(folder.stat(FILE))
        data = folder.read(FILE, max_bytes=MAX_BYTES)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{PATH} is not UTF-8: {error.reason} at byte {error.start}.") from error


def check_owner(status: os.stat_result) -> None:
    """Whoever may write this file decides what vetbox does, so it must be the user alone."""
    if status.st_uid not in (0, os.getuid()):
        raise ConfigError(f"{PATH} belongs to another user: copy it to a file of your own.")
    if status.st_mode & stat.S_IWOTH:
        raise ConfigError(f"{PATH} can be changed by every user: run `chmod o-w {PATH}`.")
