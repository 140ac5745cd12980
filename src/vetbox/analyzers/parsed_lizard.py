"""Lizard on those files that are Python; it reads any text and calls what it does not see clean.

Run as a script of its own, so it imports nothing of vetbox: the options of lizard, `--`, the files.
A file that does not parse is a row of its own among lizard's: `FAILED`, the file, its line, why.
"""

import ast
import csv
import runpy
import sys
import warnings

FAILED = "failed"


def main(arguments: list[str]) -> None:
    """Tell of the files that do not parse, and let lizard loose on the others."""
    split = arguments.index("--")
    options, files = arguments[:split], arguments[split + 1 :]
    rows = csv.writer(sys.stdout)
    good = []
    for file in files:
        problem = failure(file)
        if problem is None:
            good.append(file)
        else:
            rows.writerow([FAILED, file, *problem])
    sys.stdout.flush()
    if good:
        sys.argv = ["lizard", *options, *good]
        runpy.run_module("lizard", run_name="__main__")


def failure(file: str) -> tuple[int, str] | None:
    """The line and the reason why a file is not Python, or None."""
    with open(file, "rb") as opened:
        data = opened.read()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    except (ValueError, RecursionError, MemoryError) as error:
        return 1, f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
