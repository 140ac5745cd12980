"""Keys: what stands for constants, and for keys of containers, that are not known."""

from typing import Final

UNKNOWN: Final = object()
"""The constant of a value that is not known."""
ANY_KEY: Final = object()
"""The key for all values of a dict that were put under keys which are not known."""
THE_KEYS: Final = object()
"""The key for what those unknown keys of a dict may be themselves."""
REST: Final = object()
"""Present in a dict that may have more entries than those that are known."""
ELEMENT: Final = object()
"""The key for any element of a sequence whose positions are not known."""
