"""Policies, from files and from the command line."""

import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from vetbox.cli.programs import printable, show
from vetbox.cli.sandbox import sandbox
from vetbox.errors import VetboxError
from vetbox.sandbox import ExecutionPolicy, Mount, load_policy


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("policy.toml", 'fuel_budget = 5\nenv = {A = "b"}\n[[mounts]]\nhost = "h"\nguest = "/g"\n'),
        ("policy.yaml", "fuel_budget: 5\nenv: {A: b}\nmounts:\n  - {host: h, guest: /g}\n"),
    ],
)
def test_a_policy_is_read_from_a_file(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    policy = load_policy(tmp_path / name)
    assert (policy.fuel_budget, dict(policy.env)) == (5, {"A": "b"})
    assert policy.mounts == (Mount(host="h", guest="/g"),)


def test_an_empty_file_is_the_default_policy(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text("")
    assert load_policy(tmp_path / "policy.yaml") == ExecutionPolicy()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("policy.yaml", "fuel_budget: 5\nfule: 6\n", "policy.yaml:2:1: "),
        ("policy.yaml", "fuel_budget: -5\n", "policy.yaml:1:14: "),
        ("policy.yaml", "fuel_budget: [\n", "policy.yaml:"),
        ("policy.toml", "fule = 6\n", "policy.toml:1:1: "),
        ("policy.toml", "\n[tool.vetbox]\nx = 1\n", "policy.toml:2:1: tool: not a known key"),
        ("policy.toml", "mounts = [{hots = 'h'}]\n", "policy.toml:1:1: mounts.hots: not a known"),
        ("policy.json", "{}", "neither .toml nor .yaml"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(VetboxError, match=said.replace(".", r"\.")):
        load_policy(tmp_path / name)


@pytest.mark.parametrize(
    "wrong",
    [{"fule": 1}, {"memory_bytes": 1_000}, {"timeout_seconds": 0}, {"fuel_budget": 0},
     {"mounts": [{"host": "h", "guest": "relative"}]}, {"mounts": [{"host": "h", "guest": "/"}]},
     {"mounts": [{"host": "h", "guest": "/a/../b"}]},
     {"mounts": [{"host": "h", "guest": "/" + "g" * 100}]},
     {"mounts": [{"host": "h", "guest": "/app"}]}, {"mounts": [{"host": "h", "guest": "/usr"}]},
     {"mounts": [{"host": "h", "guest": "/a"}, {"host": "i", "guest": "/a/"}]},
     {"env": {"": "b"}}, {"env": {"a=": "b"}}, {"env": {"a": "b\0"}}],
)  # fmt: skip
def test_a_policy_refuses_what_it_cannot_hold(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ExecutionPolicy.model_validate(wrong)


def test_a_policy_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        ExecutionPolicy().fuel_budget = 5  # type: ignore[misc]


def invoke(*arguments: str, program: str = "pass") -> tuple[int, str, str]:
    result = CliRunner().invoke(sandbox, ["-", *arguments], input=program)
    return result.exit_code, result.stdout, result.stderr


def test_the_command_runs_a_program_and_sums_up() -> None:
    code, out, err = invoke(program="print('hi'); open('made', 'w')")
    assert (code, out) == (0, "hi\n")
    assert "vetbox: ended in " in err
    assert "vetbox: created: made" in err


def test_the_command_fails_when_the_program_does() -> None:
    code, out, err = invoke("--quiet", program="import sys; print(1); sys.exit('bad')")
    assert (code, out, err) == (1, "1\n", "bad\n")


def test_the_command_takes_limits_and_a_file(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text("stdout_max_bytes = 3\n")
    arguments = ["--policy", str(tmp_path / "policy.toml"), "--files", "0", "--env", "A=b"]
    code, out, err = invoke(*arguments, program="import os; print('12345', os.environ)")
    assert (code, out) == (0, "123")
    assert "output was cut at the policy's limit" in err
    assert "No space left" in invoke(*arguments, program="open('made', 'w')")[2]


def test_the_command_says_which_limit_stopped_the_program() -> None:
    code, _, err = invoke("--timeout", "0.3", program="while True: pass")
    assert code == 1
    assert "vetbox: stopped by its limit on time in " in err


@pytest.mark.parametrize(
    "wrong", [["--timeout", "0"], ["--env", "A"], ["--env", "=b"], ["--mount", "/tmp"]]
)
def test_the_command_refuses_a_wrong_flag(wrong: list[str]) -> None:
    assert invoke(*wrong)[0] == 2


def test_control_characters_do_not_reach_a_terminal() -> None:
    assert printable("\x1b[31mred\u202e\n\tok\x07") == "\\x1b[31mred\\u202e\n\tok\\x07"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_a_program_prints_is_escaped_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for screen, said in ((Terminal(), "\\x07\n"), (io.StringIO(), "\x07\n")):
        monkeypatch.setattr(sys, "stdout", screen)
        show("\x07", err=False)
        assert screen.getvalue() == said
