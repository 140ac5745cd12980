"""What code is held to: the shipped rules and the project's own, wherever it is judged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from vetbox.app import App, Call
from vetbox.app.judgement import ValidateParams
from vetbox.rules import RuleError
from vetbox.trust import TrustStore

NO_SHOUTING = """\
id: no-shouting
message: "shout() not allowed"
severity: error
confidence: high
profiles: {agent: error, repo: error}
match:
  call: {name: shout}
why: "The neighbours sleep."
instead: "Use whisper()."
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".onetool/rules").mkdir(parents=True)
    (folder / ".onetool/onetool.yaml").write_text("rules: [.onetool/rules]\n")
    (folder / ".onetool/rules/no-shouting.yaml").write_text(NO_SHOUTING)
    return folder


@pytest.fixture
def app(root: Path, tmp_path: Path) -> Iterator[App]:
    """The project, trusted."""
    TrustStore(tmp_path / "user").trust(root)
    opened = App.open(root, trust_folder=tmp_path / "user")
    yield opened
    opened.close()


def validated(app: App, code: str) -> list[str]:
    return app.endpoints["validate_python_code"].answer(ValidateParams(code=code), Call()).errors


def test_a_projects_own_rules_hold_for_run_and_validation_alike(app: App) -> None:
    result = app.runner.run("x = 1\n\nshout()")
    assert (result.error_type, result.line_number) == ("Refused", 3)
    assert "line 3: shout() not allowed" in result.result
    assert "why: The neighbours sleep." in result.result
    assert "instead: Use whisper()." in result.result
    assert validated(app, "shout()") == ["shout() not allowed"]
    assert "no-shouting" in app.runner.run("[r['id'] for r in ot.rules()]").result
    assert app.runner.run("1 + 1").result == "2"


def test_the_rules_of_an_untrusted_project_are_not_read(root: Path, tmp_path: Path) -> None:
    app = App.open(root, trust_folder=tmp_path / "user")
    assert validated(app, "shout()") == []
    app.close()


def test_a_projects_rule_never_takes_the_place_of_a_shipped_one(app: App, root: Path) -> None:
    tame = NO_SHOUTING.replace("no-shouting", "eval-call")
    (root / ".onetool/rules/eval-call.yaml").write_text(tame)
    assert app.runner.run("eval('1')").error_type == "Refused"


def test_an_analysis_refuses_a_rule_that_is_called_like_a_shipped_one(app: App, root: Path) -> None:
    tame = NO_SHOUTING.replace("no-shouting", "eval-call")
    (root / ".onetool/rules/eval-call.yaml").write_text(tame)
    with pytest.raises(RuleError, match=r"^\.onetool/rules: id: 'eval-call' is a shipped rule's"):
        app.rules.select()


def test_rules_that_cannot_be_read_let_nothing_run(app: App, root: Path) -> None:
    (root / ".onetool/rules/no-shouting.yaml").write_text("id: [")
    result = app.runner.run("1 + 1")
    assert (result.success, result.error_type) == (False, "JudgementError")
    assert "no-shouting.yaml" in result.result


HALVES = [r"'\ud800 lone'", r"len('\udfff') + len('\ud83d\ude00')", r"{'\ud800': ['\udc00' + 'x']}"]


@pytest.mark.parametrize("code", HALVES)
def test_half_a_surrogate_pair_in_a_literal_is_judged_like_any_text(app: App, code: str) -> None:
    assert app.runner.run(code).success


def test_half_a_surrogate_pair_hides_nothing(app: App) -> None:
    assert app.runner.run(r"x = '\ud800'; eval(x)").error_type == "Refused"
    assert app.runner.run(r"exec('\ud800' and 'a')").error_type == "Refused"
