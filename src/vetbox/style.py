"""Ruff's opinion on the style of a piece of code; it advises and never decides."""

import json
from pathlib import Path

LINT_TIMEOUT_S = 5.0
# Nothing of the caller's (configuration, caches, noqa comments) may decide what ruff says.
# F821: packs are names the runner defines; W292: a snippet has no end of file.
LINT_FLAGS = (
    *("--isolated", "--no-cache", "--no-fix", "--no-respect-gitignore", "--ignore-noqa"),
    *("--no-preview", "--exit-zero", "--select", "E,F,W", "--ignore", "F821,W292"),
    *("--output-format", "json", "--stdin-filename", "code.py"),
)


def lint_code(
    code: str, *, ruff: Path | None = None, timeout_s: float = LINT_TIMEOUT_S
) -> list[str]:
    """Style warnings as sentences; empty when ruff is missing, slow or broken."""
    ruff = ruff or installed_ruff()
    if ruff is None:
        return []
    answer = ask(ruff, code, timeout_s)
    try:
        return [sentence(entry) for entry in json.loads(answer)]
    except (ValueError, TypeError, KeyError):
        return []


def sentence(entry: dict[str, object]) -> str:
    """`F401 `os` imported but unused (line 1)`"""
    place = entry["location"]
    line = place["row"] if isinstance(place, dict) else 1
    return f"{entry['code']} {entry['message']} (line {line})"


def installed_ruff() -> Path | None:
    """The ruff that was installed with vetbox, wherever the command is called from."""
    try:
        from ruff import find_ruff_bin

        return Path(find_ruff_bin())
    except (ImportError, FileNotFoundError):
        return None


def ask(ruff: Path, code: str, timeout_s: float) -> bytes:
    """What ruff printed; nothing when it could not answer in time."""
    from vetbox.process import run, surroundings

    text = code.encode("utf-8", "surrogatepass")
    try:
        with surroundings() as place:
            done = run(
                [ruff, "check", *LINT_FLAGS, "-"],
                cwd=place.home,
                env=place.environment,
                timeout_s=timeout_s,
                stdin=text,
            )
    except OSError:
        return b""
    return b"" if done.timed_out or done.truncated else done.stdout
