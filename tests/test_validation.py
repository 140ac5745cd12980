"""What the engine itself fails on is refused: nothing is raised, and nothing of it may run."""

import logging

import pytest

from vetbox import validation
from vetbox.validation import validate_python_code


def test_code_that_the_engine_fails_on_is_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise KeyError("a defect")

    monkeypatch.setattr(validation, "check", failing)
    with caplog.at_level(logging.ERROR):
        result = validate_python_code("x = 1")
    assert not result.valid
    assert "could not be judged, vetbox failed on it (KeyError: 'a defect')" in result.errors[0]
    assert [one.code for one in result.findings] == ["crashed"]
    assert "KeyError" in caplog.text  # with its traceback, for whoever mends it
