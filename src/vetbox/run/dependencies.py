"""What an extension needs beside the standard library, by PEP 723: installed apart, once, by uv."""

import hashlib
import operator
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import platformdirs

from vetbox.process import Limits, run
from vetbox.run.extension import Extension
from vetbox.toolkit import ToolError

INSTALL_TIMEOUT_S = 300.0
MAX_DEPENDENCIES = 50
MAX_SHOWN = 1_000  # characters of uv's complaint
# How the user has told pip and uv where packages come from.
_PASSED_ON = re.compile(r"(?:UV|PIP|SSL|HTTPS?|NO|ALL)_\w+|PATH|HOME|https?_proxy|no_proxy")
_INSTALL = ("pip", "install", "--quiet", "--python")
_COMPLETE = ".complete"  # written last: a folder without it is half an installation
_HOLDS: Mapping[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
_CLAUSE = re.compile(
    r"\s*(?P<operator>>=|<=|==|!=|>|<|~=)\s*(?P<version>\d+(?:\.\d+)*)"
    r"(?:(?P<any>\.\*)|(?:a|b|rc)\d+)?\s*"
)


def installed(extension: Extension) -> Path | None:
    """The folder with the extension's dependencies, or None when it has none; raises ToolError."""
    _check_python(extension)
    wanted = _wanted(extension)
    if not wanted:
        return None
    key = hashlib.sha256("\n".join([sys.version, *wanted]).encode()).hexdigest()[:32]
    folder = platformdirs.user_cache_path("vetbox") / "extensions" / key
    if not (folder / _COMPLETE).exists():
        _install(extension, wanted, folder)
    return folder


def _wanted(extension: Extension) -> list[str]:
    listed = extension.metadata.get("dependencies", [])
    if not isinstance(listed, list) or len(listed) > MAX_DEPENDENCIES:
        raise ToolError(f"{extension.path}: dependencies is a list of requirements.")
    words = [str(item) for item in listed]
    if any(word.startswith("-") or "\n" in word for word in words):
        raise ToolError(f"{extension.path}: a dependency is a requirement, never an option.")
    return sorted(words)


def _install(extension: Extension, wanted: list[str], folder: Path) -> None:
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        needs = ", ".join(wanted)
        raise ToolError(f"{extension.path} needs {needs}: install uv (https://docs.astral.sh/uv/).")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    done = run(
        [uv, *_INSTALL, sys.executable, "--target", str(folder), "--", *wanted],
        cwd=folder,
        env=_environment(os.environ),
        timeout_s=INSTALL_TIMEOUT_S,
        limits=Limits(memory_bytes=None),
    )
    if done.returncode or done.timed_out:
        why = done.stderr.decode("utf-8", "replace").strip()[:MAX_SHOWN] or "it took too long"
        raise ToolError(f"The dependencies of {extension.path} cannot be installed: {why}")
    (folder / _COMPLETE).touch()


def _environment(inherited: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in inherited.items() if _PASSED_ON.fullmatch(name)}


def _check_python(extension: Extension) -> None:
    """Raise when `requires-python` leaves this interpreter out, or is none of its form."""
    wanted = str(extension.metadata.get("requires-python", ""))
    clauses = [_CLAUSE.fullmatch(clause) for clause in wanted.split(",") if clause.strip()]
    if None in clauses:
        raise ToolError(
            f"{extension.path}: requires-python is a version like >=3.11, not {wanted[:MAX_SHOWN]}."
        )
    if not all(_holds(clause) for clause in clauses if clause is not None):
        ours = ".".join(map(str, sys.version_info[:3]))
        raise ToolError(f"{extension.path} needs Python {wanted}, and vetbox runs on {ours}.")


def _holds(clause: re.Match[str]) -> bool:
    """3.11 is 3.11.0, and only 3.11.* and ~=3.11 are every version that begins so."""
    version = tuple(map(int, clause["version"].split(".")))
    ours: tuple[int, ...] = sys.version_info[:3]
    if clause["operator"] == "~=":
        return ours >= version and ours[: len(version) - 1] == version[:-1]
    if clause["any"]:
        ours = ours[: len(version)]
    else:
        version += (0,) * (len(ours) - len(version))
    return _HOLDS[clause["operator"]](ours, version)
