"""A process of ours keeps a limit that somebody else has set."""

import subprocess
import sys

LOWERED = """
import resource
from vetbox.workers.limits import lower
kind = resource.RLIMIT_NOFILE
resource.setrlimit(kind, (50, 50))
for most in (90, 40):
    lower(kind, most)
    print(*resource.getrlimit(kind))
"""


def test_a_limit_is_lowered_and_never_raised() -> None:
    said = subprocess.check_output([sys.executable, "-c", LOWERED], text=True)
    assert said.splitlines() == ["50 50", "40 40"]
