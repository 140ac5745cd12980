"""Runs pytest in the project's interpreter and tells a private channel what happened.

A script of its own (`python -I plugin.py CHANNEL_VARIABLE PROJECT BYTECODE ARGUMENTS…`), for any
Python that pytest runs on: it imports nothing of vetbox and uses no newer syntax. The bytecode of
the project's files is kept in the folder BYTECODE. It writes one JSON object per line:
started, collected, item, unreadable (a file that could not be collected), report, finished.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

MAX_ITEMS = 20000  # tests told one by one; beyond, only their number
MAX_MESSAGE = 2000  # characters
MAX_TRACEBACK = 10000
MISSING = 127  # what a shell says of a command that is not there


class Teller:
    """A pytest plugin that writes to the descriptor `fd`."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.pid = os.getpid()
        self.reported = 0

    def tell(self, event: str, **facts: object) -> None:
        if os.getpid() != self.pid:  # a test forked; its other half has nothing to tell
            return
        data = json.dumps(dict(facts, event=event)).encode("ascii") + b"\n"
        while data:
            data = data[os.write(self.fd, data) :]

    def pytest_sessionstart(self, session: Any) -> None:
        self.tell("started", rootdir=str(session.config.rootpath))

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.tell("unreadable", **unreadable(report))

    def pytest_collection_finish(self, session: Any) -> None:
        self.tell("collected", count=len(session.items))
        if session.config.option.collectonly:
            for item in session.items[:MAX_ITEMS]:
                self.tell("item", **described(item))

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or not report.passed:
            self.reported += 1
            if self.reported <= MAX_ITEMS:
                self.tell("report", **reported(report))

    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
        self.tell("finished", exit_code=int(exitstatus))


def described(item: Any) -> dict[str, object]:
    path, line, _ = item.location
    module = getattr(item, "module", None)
    owner = getattr(item, "cls", None)
    return {
        "node_id": item.nodeid,
        "module": getattr(module, "__name__", None),
        "class": owner.__name__ if owner else None,
        "function": getattr(item, "originalname", None) or item.name,
        "file": path.replace(os.sep, "/"),
        "line": (line or 0) + 1,
    }


def reported(report: Any) -> dict[str, object]:
    text = str(report.longreprtext or "")
    return {
        "node_id": report.nodeid,
        "when": report.when,
        "outcome": report.outcome,
        "duration": report.duration,
        "message": message_of(report, text)[:MAX_MESSAGE],
        "traceback": "" if report.passed or report.skipped else tail(text),
    }


def message_of(report: Any, text: str) -> str:
    if hasattr(report, "wasxfail"):
        kind = "xfail" if report.skipped else "xpass"
        return f"{kind}: {report.wasxfail}" if report.wasxfail else kind
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message)
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[-1])
    return error_line(text) if report.failed else last_line(text)


def unreadable(report: Any) -> dict[str, object]:
    text = str(report.longreprtext or "")
    crash = getattr(report.longrepr, "reprcrash", None)
    message = crash.message if crash is not None else error_line(text)
    return {
        "file": report.nodeid,
        "error_type": message.partition(":")[0].strip().rpartition(".")[2] or "CollectError",
        "message": message[:MAX_MESSAGE],
        "line": crash.lineno if crash is not None else line_of(text, report.nodeid),
        "traceback": tail(text),
    }


def error_line(text: str) -> str:
    """Text of a collection error or a missing fixture, whose error lines begin with `E`."""
    marked = [line[1:].strip() for line in text.splitlines() if line.startswith("E  ")]
    named = [line for line in marked if line.partition(":")[0].rpartition(".")[2].isidentifier()]
    return (named or marked or [last_line(text)])[-1]


def line_of(text: str, path: str) -> int | None:
    """The last `path:LINE:` the traceback names, or `File "…/path", line LINE`."""
    found = None
    for line in text.splitlines():
        _, _, rest = line.partition(path + ":")
        number = rest.partition(":")[0]
        if number.isdigit():
            found = int(number)
        _, separator, rest = line.partition(path + '", line ')
        number = rest.partition(",")[0].strip()
        if separator and number.isdigit():
            found = int(number)
    return found


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else ""


def tail(text: str) -> str:
    return text if len(text) <= MAX_TRACEBACK else "…" + text[-MAX_TRACEBACK:]


class Bytecode:
    """Keeps bytecode of the project's files apart: neither written beside the sources, nor read
    from there, where a planted `.pyc` would run instead of its source."""

    def __init__(self, project: str, folder: str) -> None:
        self.project = os.path.join(os.path.realpath(project), "")
        self.folder = folder

    def install(self) -> None:
        import importlib._bootstrap_external as loader

        from _pytest.assertion import rewrite

        usual_file, usual_folder = loader.cache_from_source, rewrite.get_cache_dir

        def cache_from_source(path: str, *rest: Any, **options: Any) -> str:
            return self.moved(usual_file(path, *rest, **options))

        def get_cache_dir(file_path: Path) -> Path:
            return Path(self.moved(str(usual_folder(file_path))))

        loader.cache_from_source = cache_from_source  # type: ignore[assignment,unused-ignore]
        rewrite.get_cache_dir = get_cache_dir

    def moved(self, cache: str) -> str:
        """Where a cache file or folder lies; the interpreter's own packages keep theirs."""
        place = os.path.realpath(cache)
        if not place.startswith(self.project) or place.startswith(os.path.join(sys.prefix, "")):
            return cache
        return os.path.join(self.folder, place.lstrip(os.sep))


def main(variable: str, project: str, bytecode: str, arguments: list[str]) -> int:
    fd = int(os.environ.pop(variable))
    os.set_inheritable(fd, False)  # what the tests start must not reach it
    try:
        import pytest
    except ImportError:
        print(f"pytest is not installed for {sys.executable}; install it there", file=sys.stderr)
        return MISSING
    try:
        Bytecode(project, bytecode).install()
    except (ImportError, AttributeError):  # another interpreter's insides: slower, and as private
        sys.pycache_prefix = bytecode
    sys.argv = ["pytest", *arguments]
    return int(pytest.main(arguments, plugins=[Teller(fd)]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
