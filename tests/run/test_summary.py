"""A summary says what kind of thing a text is and how much of it there is."""

import json

import pytest

from vetbox.run.summary import summarised


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("a.py:1: x\na.py:2: y\nb.py:1: z", "3 matches in 2 files"),
        ("a.py:1:5: E501 too long", "1 match in 1 file"),
        ("one\ntwo", "2 lines of text, 7 characters"),
        (json.dumps([{"path": "a", "line": 1}, {"path": "a", "line": 2}]), "2 matches in 1 file"),
        (json.dumps([{"id": 1, "name": "x"}] * 1200), "1,200 items, each with id, name"),
        (json.dumps([1, 2]), "2 items"),
        (
            '{"issues": [{"file_path": "a"}]}',
            "issues: 1 match in 1 file; an object of 1 key: issues",
        ),
        ("[" * 100_000, "1 line of text, 100,000 characters"),
        ("12:30:00 start\n12:30:01 stop", "2 lines of text, 28 characters"),
    ],
)
def test_r63_summaries(text: str, summary: str) -> None:
    assert summarised(text) == summary
