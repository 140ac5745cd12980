"""The `vetbox` command, also as `python -m vetbox`."""

import gc
import os
import sys

from vetbox.own_process import own

STDOUT, STDERR = 1, 2
_LONG = frozenset({"serve"})
_HOSTS = frozenset({"run", "serve"})  # a trusted project's programs may run in their process
_ALLOCATIONS = 500_000  # looking for garbage in what was just read is a tenth of a short command


def main() -> None:
    """Import the command, and run it."""
    _open_what_is_closed()
    if not set(sys.argv[1:2]) & _HOSTS:
        own()
    if not set(sys.argv[1:2]) & _LONG:
        gc.set_threshold(_ALLOCATIONS)
    from vetbox.cli import main as command

    command(prog_name="vetbox")


def _open_what_is_closed() -> None:
    """Standard streams that the caller has closed lead nowhere: no file may get their number."""
    number = os.open(os.devnull, os.O_RDWR)
    while number <= STDERR:
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(STDERR, "w", closefd=False)


if __name__ == "__main__":
    main()
