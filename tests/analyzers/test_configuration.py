from pathlib import Path

import pytest

from vetbox.analyzers.configuration import ConfigurationError, read_configuration
from vetbox.documents import DocumentError

TOOLS = ("rules", "ruff", "bandit", "pylint", "flake8")


def settings(
    project: Path, name: str, text: str, tools: tuple[str, ...] = TOOLS
) -> dict[str, object]:
    (project / name).write_text(text)
    found = read_configuration(project, name, tools)
    return {tool: options.model_dump(exclude_unset=True) for tool, options in found.items()}


def test_tables_of_a_toml_file_are_told_apart(tmp_path: Path) -> None:
    text = """
[project]
name = "x"
[tool.mypy]
plugins = "./evil.py"
[tool.ruff]
line-length = 100
[tool.ruff.lint]
select = ["S", "E"]
[tool.bandit]
skips = ["B101"]
[tool.pylint."messages control"]
disable = ["C0114"]
"""
    assert settings(tmp_path, "pyproject.toml", text) == {
        "ruff": {"line_length": 100, "select": ("S", "E")},
        "bandit": {"skips": ("B101",)},
        "pylint": {"disable": ("C0114",)},
    }


def test_one_tools_own_file_needs_no_tables(tmp_path: Path) -> None:
    assert settings(tmp_path, "my.toml", 'lint.ignore = ["S101"]', ("ruff",)) == {
        "ruff": {"ignore": ("S101",)}
    }


def test_ini_sections_and_lists(tmp_path: Path) -> None:
    text = "[MAIN]\njobs=2\n[MESSAGES CONTROL]\ndisable=C0114,\n  C0115\n[flake8]\nignore = E501\n"
    assert settings(tmp_path, "rc", text) == {
        "pylint": {"jobs": 2, "disable": ("C0114", "C0115")},
        "flake8": {"ignore": ("E501",)},
    }


def test_yaml_is_bandits(tmp_path: Path) -> None:
    assert settings(tmp_path, "b.yaml", "skips: [B101, B311]\n") == {
        "bandit": {"skips": ("B101", "B311")}
    }


@pytest.mark.parametrize(
    ("name", "text", "tools"),
    [
        ("evil.toml", "extend = '/etc/passwd'", ("ruff",)),
        ("fix.toml", "fix = true\nunsafe-fixes = true", ("ruff",)),
        ("exclude.toml", "exclude = ['*.py']", ("ruff",)),
        ("per.toml", "[lint.per-file-ignores]\n'*' = ['S']", ("ruff",)),
        ("t.toml", "[tool.ruff]\nselect = ['S --fix']", TOOLS),
        ("pyproject.toml", "tool = 3", TOOLS),
        ("pyproject.toml", "[tool]\nruff = 3", TOOLS),
        ("pyproject.toml", "[[tool.ruff]]\nselect = ['S']", TOOLS),
        ("e.toml", "[tool.ruff]\nselect = []", TOOLS),
        ("u.toml", "[tool.mypy]\nplugins = './evil.py'", TOOLS),
        ("rc", "[MAIN]\ninit-hook=import os\n", ("pylint",)),
        ("rc", "[MAIN]\nload-plugins=evil\n", ("pylint",)),
        ("rc", "[MAIN]\njobs=1\n", ("ruff", "bandit")),
        ("f8", "[flake8:local-plugins]\nextension = X = evil:f\n", ("flake8",)),
        ("b.yaml", "exclude_dirs: ['/']\n", ("bandit",)),
        ("b.yaml", "a: &a [1]\nb: *a\n", ("bandit",)),
        ("many.toml", "select = ['S']", TOOLS),
        ("rc", "root:x:0:0\n", ("pylint",)),
    ],
)
def test_a19_content_beyond_the_allow_list_is_refused(
    tmp_path: Path, name: str, text: str, tools: tuple[str, ...]
) -> None:
    with pytest.raises((ConfigurationError, DocumentError)) as refused:
        settings(tmp_path, name, text, tools)
    assert str(refused.value).startswith(name)


def test_a_refusal_names_the_key_and_what_is_accepted(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as refused:
        settings(tmp_path, "b.yaml", "plugins: [x]\n")
    assert (
        str(refused.value) == "b.yaml: 'plugins' is not accepted for bandit; only skips, tests are"
    )
