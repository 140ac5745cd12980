"""What `vetbox trust` covers: a changed file asks again."""

import stat
from pathlib import Path

import pytest

from vetbox.app import App
from vetbox.errors import VetboxError
from vetbox.trust import NotTrusted, Part, Standing, TrustStore


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(tmp_path / "user")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in (".onetool/onetool.yaml", ".onetool/tools/word.py", "tests/helper.py", "src/a.py"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# one\n")
    (root / "conftest.py").write_text("")
    return root


def test_a_project_is_not_trusted_until_it_is(store: TrustStore, project: Path) -> None:
    assert not store.is_trusted(project)
    store.trust(project)
    assert store.is_trusted(project)
    assert store.is_trusted(project, Part.TESTS)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        (".onetool/onetool.yaml", Part.CONFIG),
        (".onetool/tools/word.py", Part.CONFIG),
        (".onetool/tools/new.py", Part.CONFIG),
        ("conftest.py", Part.TESTS),
        ("tests/helper.py", Part.TESTS),
        ("src/test_new.py", Part.TESTS),
        ("pytest.ini", Part.TESTS),
    ],
)
def test_a_change_asks_again(store: TrustStore, project: Path, name: str, part: Part) -> None:
    store.trust(project)
    (project / name).write_text("# two\n")
    other = next(each for each in Part if each is not part)
    assert not store.is_trusted(project, part)
    assert store.is_trusted(project, other)
    assert store.changes(project) == (name,)


RULE = "id: x\nmessage: m\nseverity: error\nmatch: {call: {name: os.system}}\n"


@pytest.fixture
def ruled(project: Path) -> Path:
    """A project whose configuration names a file and a folder of rules beside it."""
    (project / ".onetool/onetool.yaml").write_text("rules: [own.yaml, policy, missing]\n")
    (project / "own.yaml").write_text(RULE)
    (project / "policy/venv").mkdir(parents=True)
    (project / "policy/venv/deep.yaml").write_text(RULE.replace("id: x", "id: y"))
    return project


@pytest.mark.parametrize(
    "name",
    [
        *("own.yaml", "policy/venv/deep.yaml", "policy/new.yaml", "missing/late.yaml"),
        "policy/models/http-input.yaml",
    ],
)
def test_rule_files_that_the_configuration_names_count(
    store: TrustStore, ruled: Path, name: str
) -> None:
    store.trust(ruled)
    assert store.is_trusted(ruled)
    (ruled / name).parent.mkdir(exist_ok=True)
    (ruled / name).write_text(RULE.replace("error", "info"))
    assert not store.is_trusted(ruled, Part.CONFIG)
    assert store.changes(ruled) == (name,)


def test_rule_files_that_a_link_leads_to_count(
    store: TrustStore, ruled: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "far.yaml").write_text(RULE)
    (ruled / "missing").symlink_to(outside)
    store.trust(ruled)
    (outside / "far.yaml").write_text(RULE.replace("error", "info"))
    assert store.changes(ruled, Part.CONFIG) == ("missing/far.yaml",)


@pytest.mark.parametrize(
    "text", ["rules: [/etc, ../x, 3]\n", "rules: own.yaml\n", "rules: {a: b}\n", "[\n", "- a\n"]
)
def test_a_configuration_that_names_no_rules_of_the_project_adds_no_file(
    store: TrustStore, ruled: Path, text: str
) -> None:
    (ruled / ".onetool/onetool.yaml").write_text(text)
    files = store.trust(ruled).files[Part.CONFIG]
    assert sorted(files) == [".onetool/onetool.yaml", ".onetool/tools/word.py"]


@pytest.mark.parametrize("name", ["src/a.py", ".onetool/log/audit.jsonl", ".onetool/tmp/result"])
def test_other_files_may_change(store: TrustStore, project: Path, name: str) -> None:
    store.trust(project)
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text("# two\n")
    assert store.is_trusted(project)


def test_what_a_link_leads_to_counts(store: TrustStore, project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("# one\n")
    (project / "test_linked.py").symlink_to(tmp_path / "outside.py")
    store.trust(project)
    (tmp_path / "outside.py").write_text("# two\n")
    assert not store.is_trusted(project, Part.TESTS)


def test_a_fifo_does_not_hold_the_walk(store: TrustStore, project: Path) -> None:
    import os

    os.mkfifo(project / "test_fifo.py")
    store.trust(project)
    assert store.is_trusted(project)


def test_the_refusal_says_what_to_do(store: TrustStore, project: Path) -> None:
    store.trust(project)
    (project / "conftest.py").write_text("import evil\n")
    with pytest.raises(NotTrusted) as caught:
        store.require(project, Part.TESTS, "execute_tests")
    assert str(caught.value) == (
        "execute_tests needs a trusted project, because it runs the project's own code "
        "(conftest.py changed since it was trusted): look at that code, then run "
        f"`vetbox trust {project}`."
    )


def test_trust_is_taken_back(store: TrustStore, project: Path) -> None:
    store.trust(project)
    assert store.revoke(project)
    assert not store.is_trusted(project)
    assert not store.revoke(project)


def test_the_record_is_the_users_alone(store: TrustStore, project: Path) -> None:
    store.trust(project)
    mode = (store.folder / "trust.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_a_damaged_record_trusts_nothing(store: TrustStore, project: Path) -> None:
    store.trust(project)
    (store.folder / "trust.json").write_text('{"projects": [')
    with pytest.raises(VetboxError, match="is damaged"):
        store.is_trusted(project)


def test_a_moved_project_is_another_one(store: TrustStore, project: Path) -> None:
    store.trust(project)
    moved = project.rename(project.parent / "moved")
    assert not store.is_trusted(moved)


def test_a_kept_result_changes_nothing_wherever_it_lies(store: TrustStore, project: Path) -> None:
    store.trust(project)
    kept = project / ".onetool/results"
    kept.mkdir()
    for end in ("txt", "meta.json", "txt.0f.tmp"):
        (kept / f"result-{'0' * 32}.{end}").write_text("x")
    assert store.is_trusted(project)
    (project / ".onetool/tools" / f"result-{'0' * 32}.py").write_text("pack = 'x'")
    assert not store.is_trusted(project)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("pytest.ini", "[pytest]\npython_files = check_*.py\n"),
        ("pytest.ini", "[pytest]\npython_files =\n    spec_*.py\n\n    check_*.py\naddopts = -q\n"),
        ("tox.ini", "[pytest]\naddopts = -o python_files=check_*.py\n"),
        ("setup.cfg", "[tool:pytest]\npython_files: src/check_*.py\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\npython_files = [\n  'check_*.py',\n]\n"),
        ("pyproject.toml", "[tool.pytest]\nini_options = {python_files = 'check_one.py'}\n"),
    ],
)
def test_a_test_that_the_projects_settings_call_one_asks_again(
    store: TrustStore, project: Path, settings: str, text: str
) -> None:
    (project / settings).write_text(text)
    (project / "src/check_one.py").write_text("# one\n")
    store.trust(project)
    assert store.is_trusted(project, Part.TESTS)
    (project / "src/a.py").write_text("# no test\n")
    assert store.is_trusted(project, Part.TESTS)
    (project / "src/check_one.py").write_text("# two\n")
    assert not store.is_trusted(project, Part.TESTS)


def test_an_extension_that_changed_since_the_project_was_opened_is_not_run(
    store: TrustStore, tmp_path: Path
) -> None:
    root = tmp_path / "own"
    tools = root / ".onetool" / "tools"
    tools.mkdir(parents=True)
    (tools / "word.py").write_text("def say() -> str:\n    return 'one'\n")
    store.trust(root)
    app = App.open(root, trust_folder=store.folder)
    try:
        (tools / "word.py").write_text("def say() -> str:\n    return 'two'\n")
        changed = app.runner.run("word.say()")
        assert not changed.success
        assert "(.onetool/tools/word.py changed since it was trusted)" in changed.result
        assert f"run `vetbox trust {root}`" in changed.result
        store.trust(root)
        assert app.runner.run("word.say()").result == "two"
        (tools / "_helper.py").write_text("")
        assert "changed since" in app.runner.run("word.say()").result
        (tools / "_helper.py").unlink()
        assert app.runner.run("word.say()").result == "two"
        store.revoke(root)
        assert "needs a trusted project" in app.runner.run("word.say()").result
    finally:
        app.close()


def test_what_stands_is_hashed_again_only_after_a_change(
    store: TrustStore, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.trust(project)
    standing = Standing(store, project)
    standing.check("It")
    asked: list[str] = []
    monkeypatch.setattr(TrustStore, "require", lambda *given: asked.append(given[-1]))
    standing.check("It")
    (project / ".onetool/tmp").mkdir()
    (project / ".onetool/tmp/result.txt").write_text("kept")
    standing.check("It")
    assert asked == []
    (project / ".onetool/tools/word.py").write_text("# two\n")
    standing.check("It")
    assert asked == ["It"]
