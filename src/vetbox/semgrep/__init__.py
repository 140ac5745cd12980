"""Rules written for semgrep: read, converted, and tested with their own fixtures."""

from vetbox.semgrep.convert import converted
from vetbox.semgrep.read import Imported, Refused, read_rules
from vetbox.semgrep.unsupported import Unsupported

__all__ = ["Imported", "Refused", "Unsupported", "converted", "read_rules"]
