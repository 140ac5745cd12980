"""Rules written for semgrep: read, converted, and tested with their own fixtures."""

from vetbox.semgrep.convert import Unsupported, converted
from vetbox.semgrep.read import Imported, Refused, read_rules

__all__ = ["Imported", "Refused", "Unsupported", "converted", "read_rules"]
