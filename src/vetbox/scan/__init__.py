"""Scans of whole code bases: files found, judged in parallel, and remembered until they change.

- `scanning` is a scan from its paths to its findings; `files` are those below the paths, without
  what `ignoring` leaves out; `cache` remembers them.
- `forks` share the files among workers, in which `judge` makes `records` of them; `signs` tell
  which may not be Python, `thrift` gives their memory back.
"""

from vetbox.scan.scanning import (
    PARSE_ALL_BYTES,
    PARSE_ALL_FILES,
    RulesOnDemand,
    Scan,
    ScanOptions,
    scan,
    scan_text,
)

__all__ = [
    "PARSE_ALL_BYTES",
    "PARSE_ALL_FILES",
    "RulesOnDemand",
    "Scan",
    "ScanOptions",
    "scan",
    "scan_text",
]
