"""A box for untrusted Python: CPython in WebAssembly, limited in all it does, up in 1 ms.

- for callers: `python` (and what any language has in common, `base`), `models` (policy, result),
  `policy_file`, `limits`, `errors`, `logger`.
- a run: `execution` makes a `job` of a program and its `workspace`, `box` has a `worker` do it, in
  which `host` runs it with `syscalls`, `output`, `watch` and a `channel` to the `tools`; `guest` is
  the Python inside.
- the interpreter: `runtime` fetches one of `interpreters`, `builder` makes an `image` of it by way
  of a `snapshot` with `mounts`, `quota` and `guest_package`; `images` and `cache` keep them.
- WebAssembly: `wasm_binary`, `wasm_code`, `native` (of wasmtime), `names`.

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
