"""The `vetbox` command, also as `python -m vetbox`."""

import gc
import sys

from vetbox.own_process import own

_LONG = frozenset({"serve"})
_HOSTS = frozenset({"run", "serve"})  # a trusted project's programs may run in their process
_ALLOCATIONS = 50_000  # looking for garbage in what was just imported is a tenth of a short command


def main() -> None:
    """Import the command, and run it."""
    if not set(sys.argv[1:2]) & _HOSTS:
        own()
    if not set(sys.argv[1:2]) & _LONG:
        gc.set_threshold(_ALLOCATIONS)
    from vetbox.cli import main as command

    command(prog_name="vetbox")


if __name__ == "__main__":
    main()
