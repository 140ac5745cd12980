"""[tool.vetbox]: found upwards, checked key by key."""

import os
from pathlib import Path

import pytest

from vetbox.settings import Settings, SettingsError, read_settings


def project(folder: Path, table: str) -> Path:
    (folder / "pyproject.toml").write_text(f"[project]\nname = 'x'\n\n[tool.vetbox]\n{table}\n")
    return folder


def test_a_project_without_a_table_has_the_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == Settings(tmp_path)


def test_the_nearest_pyproject_upwards_counts(tmp_path: Path) -> None:
    inner = project(tmp_path, "ignore = ['assert-used']") / "src" / "app"
    inner.mkdir(parents=True)
    settings = read_settings(inner)
    assert (settings.root, settings.ignore) == (tmp_path, ("assert-used",))


def test_paths_are_relative_to_the_project(tmp_path: Path) -> None:
    project(tmp_path, "rules = ['security']\nbaseline = 'known.json'")
    settings = read_settings(tmp_path)
    assert settings.rules == (tmp_path / "security",)
    assert settings.baseline == tmp_path / "known.json"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("ingore = []", "does not know 'ingore'; did you mean 'ignore'?"),
        ("ignore = 'x'", "ignore: must be a list of strings"),
        ("select = [1]", "select: must be a list of strings"),
        ("profile = 'strict'", "profile: 'strict' is not one of repo, agent"),
        ("error-on = 3", "error-on: 3 is not one of error, warning, info"),
        ("baseline = true", "baseline: must be a string"),
        ("baseline = ''", "baseline: is empty; leave it out"),
        ("tools = []", "tools: must not be empty; leave it out to run vetbox's rules only"),
        ("rules-url = 'pages'", "rules-url: 'pages' is no https address"),
    ],
)
def test_what_it_does_not_know_is_an_error_that_names_the_key(
    tmp_path: Path, table: str, problem: str
) -> None:
    with pytest.raises(SettingsError) as error:
        read_settings(project(tmp_path, table))
    assert str(error.value) == f"{tmp_path}/pyproject.toml:5:1: [tool.vetbox] {problem}"


def test_a_broken_pyproject_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.vetbox\n")
    with pytest.raises(SettingsError, match=r"pyproject\.toml:1:13: not TOML: "):
        read_settings(tmp_path)


@pytest.mark.parametrize(
    "text", ["[tool]\nvetbox = 1\n", "tool = 'vetbox'\n", f"vetbox = {'[' * 50_000}\n"]
)
def test_what_is_no_table_of_ours_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"pyproject\.toml:\d:1: "):
        read_settings(tmp_path)


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/null", "nowhere.toml", "."])
def test_a_pyproject_that_is_no_file_is_said(tmp_path: Path, target: str) -> None:
    (tmp_path / "pyproject.toml").symlink_to(target)
    with pytest.raises(SettingsError, match=r"pyproject\.toml"):
        read_settings(tmp_path)


def test_a_pyproject_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    with pytest.raises(SettingsError, match="not a regular file"):
        read_settings(tmp_path)


def test_a_pyproject_without_end_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "pyproject.toml").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(SettingsError, match="larger than"):
        read_settings(tmp_path)


def test_a_tool_that_is_no_table_is_said_where_nothing_is_ours(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("tool = 3\n")
    with pytest.raises(SettingsError, match="tool is not a table"):
        read_settings(tmp_path)
