"""Compilation in a child process, as it takes several times the memory of its result."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import vetbox
from vetbox.process import run
from vetbox.rules.language.rule import Rule
from vetbox.rules.loading.cache import UNREADABLE, unpacked

LIMIT_S = 120.0
"""Twenty times what it takes."""
_BOOT = """\
import sys
sys.path.insert(0, sys.argv[1])
from vetbox.rules.loading.loader import compile_shipped
sys.stdout.buffer.write(compile_shipped())
"""


def compiled_aside() -> tuple[Rule, ...] | None:
    """The shipped rules; None where no other process can be had, or it fails."""
    home = Path(vetbox.__file__).parent.parent
    with suppress(*UNREADABLE):
        done = run(
            [sys.executable, "-I", "-c", _BOOT, home],
            cwd=home,
            env=os.environ,
            timeout_s=LIMIT_S,
        )
        return None if done.returncode or done.truncated else unpacked(done.stdout)
    return None
