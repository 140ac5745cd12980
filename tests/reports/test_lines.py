"""Lines are counted as Python counts them, whatever the file's encoding."""

from pathlib import Path

import pytest

from vetbox.reports.lines import lines_of


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a = 1\nb = 2", ["a = 1", "b = 2"]),
        (b"a = 1\rb = 2\r\nc = 3", ["a = 1", "b = 2", "c = 3"]),
        (b"a = 1\x0c\nb = 2", ["a = 1\x0c", "b = 2"]),
        (b"\xef\xbb\xbfa = 1", ["a = 1"]),
        (b"# coding: latin-1\ns = '\xe9'", ["# coding: latin-1", "s = 'é'"]),
        (b"# coding: no-such\ns = '\xe9'", ["# coding: no-such", "s = '\ufffd'"]),
    ],
)
def test_lines_are_those_of_the_parser(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    assert lines_of(str(path)) == lines


def test_a_file_that_is_gone_has_no_lines(tmp_path: Path) -> None:
    assert lines_of(str(tmp_path / "gone.py")) == ()
