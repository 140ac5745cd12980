"""Whereabouts: what the path of a code base's file says of the code in it."""

from vetbox.rules.language.globs import path_matches

OF_TESTS = (
    "**/test/**",
    "**/tests/**",
    "**/testing/**",
    "**/*_test/**",
    "**/*_tests/**",
    "**/test_*/**",
    "**/test-data/**",
    "**/testdata/**",
    "**/test_*.py",
    "**/*_test.py",
    "**/tests.py",
    "**/conftest.py",
)
"""Where code is run by tests only: what would be wrong elsewhere is mostly meant there."""


def is_of_tests(path: str) -> bool:
    """Does the path say that only tests run this code?"""
    return path_matches(path, OF_TESTS)
