"""Whereabouts: what the path of a code base's file says of the code in it."""

import os
from functools import lru_cache
from string import ascii_uppercase

from vetbox.rules.language.globs import path_matches

BESIDE = (
    "**/test/**",
    "**/tests/**",
    "**/testing/**",
    "**/Test/**",
    "**/Tests/**",
    "**/Testing/**",
    "**/*_test/**",
    "**/*_tests/**",
    "**/*_tempest_plugin/**",
    "**/test_*/**",
    "**/test-data/**",
    "**/testdata/**",
    "**/testapp/**",
    "**/testproject/**",
    "**/testsuite/**",
    "**/testutils/**",
    "**/settings/test.py",
    "**/testing.py",
    "**/testutil.py",
    "**/testutils.py",
    "**/testsettings.py",
    "**/test_*.py",
    "**/testing_*.py",
    "**/_test_*.py",
    *(f"**/test{letter}*.py" for letter in ascii_uppercase),
    "**/*_test.py",
    "**/*_tests.py",
    "**/tests.py",
    "**/conftest.py",
    "**/fixtures/*.py",
    "**/docs/**",
    "**/sample/**",
    "**/samples/**",
    "**/tutorial/**",
    "**/tutorials/**",
    "**/example/**",
    "**/examples/**",
    "**/example_*/**",
    "**/prototypes/**",
    "**/demo.py",
    "**/demo_*.py",
    "**/demo/**",
    "**/demos/**",
    "**/*ploit*/**",
    "**/pocs/**",
    "**/*honeypot*/**",
    "**/attacks/**",
    "**/benchmark/**",
    "**/benchmarks/**",
    "**/bench_*.py",
    "**/dev_server.py",
    "**/devserver.py",
    "**/convert_*.py",
    "**/conversion/**",
    "**/migrations/**",
    "**/migrations.py",
    "**/alembic/versions/**",
    "**/alembic_migrations/**",
    "**/vendor/**",
    "**/_vendor/**",
    "**/vendored/**",
    "**/_vendored/**",
    "**/_vendors/**",
    "**/third_party/**",
    "**/thirdparty/**",
    "**/build/lib/**",
)
"""What is run beside the program, or once: what would be wrong elsewhere is mostly meant there.

So is what was copied, from other programs or by a build: it is mended where it came from.
"""
_ROOT_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")


def is_beside(path: str) -> bool:
    """Does the path say that this code is no part of the program: a test, an example?"""
    return path_matches(place_of(path), BESIDE)


def place_of(path: str) -> str:
    """Where a file stands in its code base: what that was put into says nothing of the file.

    A path from the current folder stands; another counts from the folder that looks like a
    project's. Where none does it counts from the package that the module is imported as part of,
    as where packages are installed, and is no more than a name outside of one.
    """
    if not path.startswith(("/", "../")):
        return path
    path = os.path.abspath(path)
    folder = os.path.dirname(path)
    return os.path.relpath(path, _root_of(folder) or _above_package(folder))


@lru_cache(maxsize=10_000)
def _root_of(folder: str) -> str | None:
    if any(os.path.exists(os.path.join(folder, mark)) for mark in _ROOT_MARKS):
        return folder
    above = os.path.dirname(folder)
    return None if above == folder else _root_of(above)


@lru_cache(maxsize=10_000)
def _above_package(folder: str) -> str:
    above = os.path.dirname(folder)
    is_package = above != folder and os.path.exists(os.path.join(folder, "__init__.py"))
    return _above_package(above) if is_package else folder
