"""The one guarded reader of YAML and TOML: plain data with the place of every value."""

from vetbox.documents.document import Document, DocumentError
from vetbox.documents.toml import read_toml
from vetbox.documents.validation import sentence_of, validation_message
from vetbox.documents.yaml import read_yaml, write_yaml

__all__ = [
    "Document",
    "DocumentError",
    "read_toml",
    "read_yaml",
    "sentence_of",
    "validation_message",
    "write_yaml",
]
