"""The rules are a seat belt; this is the wall: with them switched off, no escape leaves the box."""

import json
import os
from pathlib import Path

import pytest

from vetbox.audit import AuditLog
from vetbox.config import Config
from vetbox.run.runner import Runner
from vetbox.sandbox import ExecutionPolicy

CORPUS = Path(__file__).parents[1] / "attacks/01_validator.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
ESCAPES = [case for case in CASES if case["expect"]["verdict"] in {"block", "flag"}]
SECRET = "CANARY-in-the-environment"
# What would show that a program read the host: its users, its secrets, its own name.
TRACES = ("root:x:0", SECRET, "vetbox.workers")
REACHES = """
import os, sys
said = []
for path in ("/etc/passwd", "/proc/self/environ", "/root", "..", {outside!r}):
    try:
        said.append(os.listdir(path) if os.path.isdir(path) else open(path).read())
    except Exception as error:
        said.append(type(error).__name__)
try:
    open({outside!r} + "/PWNED", "w")
except Exception as error:
    said.append(type(error).__name__)
said, dict(os.environ), sys.platform
"""


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A project that is not trusted, and no validation."""
    root = tmp_path_factory.mktemp("wall")
    policy = ExecutionPolicy(timeout_seconds=3)
    return Runner(
        root,
        Config(),
        trusted=False,
        audit=AuditLog(root),
        policy=policy,
        check_security=False,
    )


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that no program may touch, and a secret that none may see."""
    monkeypatch.setenv("VETBOX_TEST_CANARY", SECRET)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_program_that_tries_everything_finds_nothing(runner: Runner, outside: Path) -> None:
    said = runner.run(REACHES.format(outside=str(outside)))
    assert said.success, said.result
    assert said.result.endswith('{},"wasi"]')
    assert not any(trace in said.result for trace in TRACES)
    assert os.listdir(outside) == []


def test_no_escape_reaches_the_host(runner: Runner, outside: Path) -> None:
    for case in ESCAPES:
        said = runner.run(case["input"]["code"])
        assert not any(trace in said.result for trace in TRACES), case["id"]
        assert os.listdir(outside) == [], case["id"]
    assert sorted(path.name for path in runner.root.iterdir()) == [".onetool"]
