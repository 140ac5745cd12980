"""File sizes: how large a file may be that is analysed, by its name."""

MAX_BYTES = 1_000_000
NOTEBOOK = ".ipynb"
MAX_NOTEBOOK_BYTES = 50_000_000
"""The pictures that a notebook showed are in its file."""


def most_bytes(path: str) -> int:
    """How large a file with this name may be."""
    return MAX_NOTEBOOK_BYTES if path.endswith(NOTEBOOK) else MAX_BYTES
