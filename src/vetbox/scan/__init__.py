"""Scans of whole code bases: files found, judged in parallel, and remembered until they change."""

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
