"""Common: names of methods so common that a call of one says little of what it is called on."""

import io

_BUILTIN_TYPES = (str, bytes, dict, list, set, io.TextIOWrapper)
_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "request"})
"""Methods of views that answer a request, and of clients that send one."""
COMMON = (
    _VERBS
    | {"set"}
    | {name for kind in _BUILTIN_TYPES for name in dir(kind) if not name.startswith("_")}
)
