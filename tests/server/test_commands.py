"""`vetbox trust`, `vetbox init`: the commands around a project's configuration."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from click.testing import CliRunner, Result

from vetbox.cli import main
from vetbox.cli.init import TEMPLATE
from vetbox.config import Config, load_config
from vetbox.config.schema import published_schema
from vetbox.trust import TrustStore


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VETBOX_CONFIG_DIR", str(tmp_path / "user"))


def vetbox(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def uncommented() -> str:
    """The template with its examples switched on."""
    return re.sub(r"^# ?(?=( *[a-z]+:|  ))", "", TEMPLATE, flags=re.MULTILINE)


def test_init_writes_a_file_that_changes_nothing(project: Path) -> None:
    assert vetbox("init", project).exit_code == 0
    assert load_config(project) == Config()


def test_init_never_overwrites(project: Path) -> None:
    vetbox("init", project)
    done = vetbox("init", project)
    assert done.exit_code == 2
    assert "is there already" in done.output


def test_the_examples_of_init_are_valid(project: Path) -> None:
    (project / ".onetool").mkdir()
    (project / ".onetool/onetool.yaml").write_text(uncommented())
    config = load_config(project)
    assert set(config.servers) == {"files", "search"}
    assert config.snippets["search"].params["count"].default == 5
    assert config.rules == ("team-rules",)


def test_init_names_every_key(project: Path) -> None:
    written = yaml.safe_load(uncommented())
    assert set(written) == set(Config.model_fields)
    for section in ("output", "security", "tools", "server"):
        assert set(written[section]) == set(Config.model_fields[section].annotation.model_fields)


def test_the_schema_accepts_the_examples_and_refuses_unknown_keys() -> None:
    printed = json.loads(vetbox("init", "--schema").output)
    assert printed == json.loads(json.dumps(published_schema()))
    validator = jsonschema.Draft202012Validator(printed)
    assert validator.is_valid(yaml.safe_load(uncommented()))
    assert not validator.is_valid({"outputs": {}})


def test_trust_shows_what_it_covers(project: Path) -> None:
    (project / "conftest.py").write_text("")
    done = vetbox("trust", project)
    assert done.exit_code == 0
    assert f"Trusted {project}:" in done.output
    assert "conftest.py" in done.output
    assert TrustStore().is_trusted(project)


def test_what_is_to_be_typed_is_quoted_for_the_shell(project: Path) -> None:
    folder = project / "my project"
    folder.mkdir()
    assert vetbox("init", folder).output.endswith(f"run `vetbox trust '{folder}'`.\n")
    assert f"run `vetbox trust '{folder}'`." in vetbox("run", "-C", folder, "-c", "1").stderr


def test_nobody_trusts_a_whole_machine() -> None:
    done = vetbox("trust", "/")
    assert (done.exit_code, done.stderr.count("name a project's root")) == (2, 1)


def test_trust_does_not_list_what_it_should_revoke(project: Path) -> None:
    done = vetbox("trust", "--list", "--revoke", project)
    assert (done.exit_code, "--list does not go with --revoke" in done.stderr) == (2, True)


def test_trust_lists_and_revokes(project: Path) -> None:
    (project / "conftest.py").write_text("")
    vetbox("trust", project)
    assert "(unchanged)" in vetbox("trust", "--list").output
    (project / "conftest.py").write_text("1\n")
    assert "(no longer, changed: conftest.py)" in vetbox("trust", "--list").output
    assert "no longer trusted" in vetbox("trust", project, "--revoke").output
    assert vetbox("trust", "--list").output == "No project is trusted.\n"


def test_a_file_name_cannot_write_to_the_terminal(project: Path) -> None:
    (project / "test_\x1b[31m.py").write_text("")
    assert "\x1b" not in vetbox("trust", project).output


def test_a_missing_folder_is_misuse(project: Path) -> None:
    done = vetbox("trust", project / "nowhere")
    assert done.exit_code == 2
    assert "is not a folder" in done.output
