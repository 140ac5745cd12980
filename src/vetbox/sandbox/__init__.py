"""A box for untrusted Python: CPython in WebAssembly, limited in all it does, up in 1 ms.

The names below are imported when they are first used: a worker process needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vetbox.sandbox.base import BaseSandbox
    from vetbox.sandbox.errors import (
        PolicyError,
        RuntimeInstallError,
        RuntimeMissingError,
        SandboxError,
        SnapshotError,
    )
    from vetbox.sandbox.execution import Program, run_untrusted_python
    from vetbox.sandbox.guest.wire import Tag
    from vetbox.sandbox.guest_package import GuestPackage
    from vetbox.sandbox.limits import Limit
    from vetbox.sandbox.logger import SandboxLogger
    from vetbox.sandbox.models import ExecutionPolicy, Mount, SandboxResult
    from vetbox.sandbox.policy_file import load_policy
    from vetbox.sandbox.python import PythonSandbox

__all__ = [
    "BaseSandbox",
    "ExecutionPolicy",
    "GuestPackage",
    "Limit",
    "Mount",
    "PolicyError",
    "Program",
    "PythonSandbox",
    "RuntimeInstallError",
    "RuntimeMissingError",
    "SandboxError",
    "SandboxLogger",
    "SandboxResult",
    "SnapshotError",
    "Tag",
    "load_policy",
    "run_untrusted_python",
]

_HOMES = {
    "BaseSandbox": "base",
    "ExecutionPolicy": "models",
    "GuestPackage": "guest_package",
    "Limit": "limits",
    "Mount": "models",
    "PolicyError": "errors",
    "Program": "execution",
    "PythonSandbox": "python",
    "RuntimeInstallError": "errors",
    "RuntimeMissingError": "errors",
    "SandboxError": "errors",
    "SandboxLogger": "logger",
    "SandboxResult": "models",
    "SnapshotError": "errors",
    "Tag": "guest.wire",
    "load_policy": "policy_file",
    "run_untrusted_python": "execution",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
