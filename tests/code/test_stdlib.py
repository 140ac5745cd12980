"""The names of the standard library do not hang on the Python that vetbox happens to run on."""

import sys

import pytest

from vetbox.code.stdlib import STDLIB
from vetbox.validation import validate_python_code


def test_every_module_of_this_version_is_named() -> None:
    assert sys.stdlib_module_names <= STDLIB


@pytest.mark.parametrize("name", ["distutils", "cgitb", "lib2to3", "asyncio", "annotationlib"])
def test_modules_of_older_and_newer_versions_are_named(name: str) -> None:
    assert name in STDLIB


def test_what_a_removed_module_holds_is_known_on_every_version() -> None:
    code = 'import cgitb\ncgitb.pydoc.locate("os.system")("echo 42")'
    codes = {found.code for found in validate_python_code(code).findings}
    assert codes == {"dynamic-import", "process-start"}
