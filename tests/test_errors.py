"""The family of errors: what a child process raises reaches its parent as it was."""

import pickle
from pathlib import Path

import pytest

from vetbox.code.source import SourceError
from vetbox.documents import DocumentError
from vetbox.errors import RuleError, VetboxError, cause
from vetbox.findings import Failure, FailureKind

FAILURE = Failure("a.py", FailureKind.SYNTAX, "the code ends too soon", 3)


@pytest.mark.parametrize(
    "error",
    [
        VetboxError("a sentence"),
        RuleError(["one", "two"]),
        DocumentError("a.yaml", 1, 2, "wrong"),
        SourceError(FAILURE),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_crosses_to_another_process_whole(error: VetboxError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_a_cause_is_said_without_number_and_path(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as failed:
        (tmp_path / "none.toml").read_text()
    assert cause(failed.value) == "No such file or directory"
    assert cause(ValueError("no number")) == "no number"
