"""What a program may do instead, where it is not what it knows from elsewhere that runs it."""

import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass

from vetbox.run.executors import BOXED, Execution, Isolation
from vetbox.run.outcome import Raised
from vetbox.sandbox import ExecutionPolicy, Limit

Found = re.Match[str]

_TOOLS = "call a tool of a pack: ot.tools() lists them."
_RAISE = "in a trusted .onetool/onetool.yaml."
_HERE = {"os": os, "shutil": shutil, "signal": signal}


def _is_standard(found: Found) -> bool:
    return found["module"] in sys.stdlib_module_names


def _is_foreign(found: Found) -> bool:
    return not _is_standard(found)


def _is_elsewhere(found: Found) -> bool:
    """Of a name that no Python has, only the program knows what it means."""
    return hasattr(_HERE[found["module"]], found["own"])


def _always(_: Found) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Hint:
    """For exceptions of a type whose text begins with a pattern: a sentence, in which fields of
    the policy may stand. `anywhere`: not in the box alone.
    """

    type: str
    pattern: str
    sentence: str
    when: Callable[[Found], bool] = _always
    anywhere: bool = False

    def fits(self, raised: Raised) -> bool:
        """Is it about this exception?"""
        found = re.match(self.pattern, raised.message) if raised.type == self.type else None
        return found is not None and self.when(found)


_HINTS = (
    Hint(
        "ModuleNotFoundError",
        r"No module named '(?P<module>\w+)",
        f"a program has Python's standard library and no other packages; use it, or {_TOOLS}",
        _is_foreign,
        anywhere=True,
    ),
    Hint(
        "ModuleNotFoundError",
        r"No module named '(?P<module>\w+)",
        f"the box has no threads, processes, network or windows; use asyncio, or {_TOOLS}",
        _is_standard,
    ),
    Hint(
        "RuntimeError",
        r"can't start new thread",
        "the box has no threads: do one thing after the other, or use asyncio.",
    ),
    Hint(
        "RuntimeError",
        r"asyncio\.run\(\) cannot be called from a running event loop",
        "a program that awaits runs in an event loop already; write `await main()`.",
        anywhere=True,
    ),
    Hint("AttributeError", r"module '_?socket' has", f"the box has no network; {_TOOLS}"),
    Hint("OSError", r"\[Errno 58\]", f"the box has no network and no special files; {_TOOLS}"),
    Hint(
        "AttributeError",
        r"module '(?P<module>os|shutil|signal)' has .* '(?P<own>\w+)'",
        "the box has no processes, users, signals or disks; do without.",
        _is_elsewhere,
    ),
    Hint(
        "FileNotFoundError",
        r"\[Errno 44\]",
        "a program sees one folder, its own /app, which is empty when it starts; fs.read(path) "
        "reads a file of the project.",
    ),
    Hint(
        "PermissionError",
        r"\[Errno (?:2|63)\]",
        "a program writes to one folder, its own /app; fs.read(path) and fs.write(path, text) "
        "reach files of the project.",
    ),
    Hint(
        "OSError",
        r"\[Errno 51\]",
        "a program makes at most {max_files:,} files and writes {max_disk_bytes:,} bytes; write "
        f"less, or raise sandbox.max_files or sandbox.max_disk_bytes {_RAISE}",
    ),
    Hint(
        "MemoryError",
        "",
        "a program has {memory_bytes:,} bytes of memory; work on one part after the other, or "
        f"raise sandbox.memory_bytes {_RAISE}",
    ),
    Hint(
        "EOFError",
        r"EOF when reading a line",
        "a program has no standard input; write the value into the program.",
        anywhere=True,
    ),
    Hint(
        "ZoneInfoNotFoundError",
        "",
        "the box has no time zone data; use datetime.timezone with the offset from UTC.",
    ),
)
_AFTER = {
    Limit.TIME: f"do less in one call, or raise sandbox.timeout_seconds {_RAISE}",
    Limit.FUEL: f"do less in one call, or raise sandbox.fuel_budget {_RAISE}",
    Limit.OUTPUT: "print less, or return the value: of a large one a preview is shown.",
    Limit.TOOL_CALLS: f"call tools less often, or raise sandbox.max_tool_calls {_RAISE}",
}


def hint(execution: Execution, isolation: Isolation) -> str | None:
    """What to do after an exception or a limit; None where there is no more to say than that."""
    if execution.limit is not None:
        return _AFTER.get(execution.limit)
    said, boxed = execution.outcome, isolation.name == BOXED
    if not isinstance(said, Raised):
        return None
    fitting = (one for one in _HINTS if (boxed or one.anywhere) and one.fits(said))
    first = next(fitting, None)
    return None if first is None else _filled(first.sentence, isolation.policy)


def _filled(sentence: str, policy: ExecutionPolicy) -> str:
    return sentence.format_map(policy.model_dump())


def import_hint(name: str) -> str:
    """For an unknown name that is a module's: packs need no import, modules do."""
    known = name in sys.stdlib_module_names
    return f"If the module is meant, write `import {name}` first. " if known else ""
