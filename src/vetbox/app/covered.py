"""Whether what a request calls a test is among the tests that the user trusted."""

import os
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from vetbox.pytest_tools import DiscoverTestsParams, ExecuteTestsParams
from vetbox.trust import SKIPPED, command, test_files, walk_files

SUFFIX = ".py"  # of all that pytest takes for a module of tests


def not_covered(params: DiscoverTestsParams | ExecuteTestsParams, root: Path) -> str | None:
    """Why the tests that a request names are not run; None where trust covers them all.

    Naming a file makes it one of tests, whatever it is called; trust knows those that pytest takes
    for tests by itself. Ask for trust in the project's tests before.
    """
    if named(params) == () and params.pattern is None:
        return None
    trusted = {os.path.realpath(path) for path in test_files(root)}
    for path in meant(params, root):
        if os.path.realpath(path) not in trusted:
            place = path.relative_to(root).as_posix()
            return (
                f"{place} was not trusted with the project's tests, so it is not run: look at it, "
                f"call it like a test (test_*.py, or by python_files of the settings) outside of "
                f"folders such as .venv, then run {command(root)}."
            )
    return None


def named(params: DiscoverTestsParams | ExecuteTestsParams) -> tuple[str, ...]:
    ids = getattr(params, "node_ids", None) or ()
    paths = (*(each.partition("::")[0] for each in ids), params.path)
    return tuple(path for path in paths if path)


def meant(params: DiscoverTestsParams | ExecuteTestsParams, root: Path) -> Iterator[Path]:
    """The files that only the request takes for tests, or that lie where trust does not look."""
    places = [root / path for path in named(params)]
    yield from (place for place in places if place.is_file())
    for place in places or [root]:
        inside = Path(os.path.realpath(place)).relative_to(root).parts
        skipped = not SKIPPED.isdisjoint(inside)
        for path in walk_files(place) if place.is_dir() else ():
            if path.suffix == SUFFIX and (skipped or fnmatch(path.name, params.pattern or "")):
                yield path
