"""Extension files are read, never executed, and say where they are wrong."""

import pytest

from vetbox.run.extension import Extension, ExtensionError

FILE = '''"""Notes.

And more."""

__all__ = ["add", "later", "gone"]

def add(text: str, /, tags: list[str] = [], *more: int, loud: bool = not False, **rest) -> dict:
    """Add a note."""

async def later(): ...
def hidden(): ...
'''
SCRIPT = """# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "six==1.17.0",
# ]
# ///
def f(): ...
"""


def read(text: str, path: str = ".onetool/tools/notes.py") -> Extension:
    return Extension.read(text.encode(), path)


def test_functions_are_shown_as_they_are_written() -> None:
    functions = read(FILE).functions
    assert list(functions) == ["add", "later"]
    assert str(functions["add"].signature) == (
        "(text: str, /, tags: list[str] = [], *more: int, loud: bool = not False, **rest) -> dict"
    )
    assert functions["add"].doc == "Add a note."


def test_the_pack_is_named_by_declaration_or_file() -> None:
    assert read("x = 1").pack == "notes"
    assert read('pack = "memo"').pack == "memo"


@pytest.mark.parametrize("text", ['pack = "not a name"', "pack = 3", 'pack = "__builtins__"'])
def test_a_pack_needs_a_name(text: str) -> None:
    with pytest.raises(ExtensionError, match=r"notes.py:1: .* cannot be the name of a pack"):
        _ = read(text).pack


def test_a_syntax_error_has_its_place() -> None:
    with pytest.raises(ExtensionError, match=r"^.onetool/tools/notes.py:2: "):
        read("x = 1\ny = = 2\n")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_metadata_is_read(end: str) -> None:
    script = SCRIPT.replace("\n", end)
    assert read(script).metadata == {"requires-python": ">=3.11", "dependencies": ["six==1.17.0"]}


def test_broken_metadata_is_refused() -> None:
    with pytest.raises(ExtensionError, match="not TOML"):
        _ = read("# /// script\n# = 3\n# ///\n").metadata
