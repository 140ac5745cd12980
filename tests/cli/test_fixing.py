"""`vetbox check --fix`: what it writes, and everything that it leaves as it was."""

import os
import resource
from pathlib import Path

import pytest
from click.testing import CliRunner

from vetbox.cli import main

RULE = """
id: plain-load
message: "yaml.load() builds any object"
severity: error
match: {pattern: "yaml.load($X)"}
fix: {replace: "yaml.safe_load($X)", safety: safe}
"""
BEFORE = b"# coding: latin-1\r\nimport yaml\r\nname = '\xe9'\r\nyaml.load(open( 'x' ))  # why\r\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "plain-load.yaml").write_text(RULE)
    (tmp_path / "a.py").write_bytes(BEFORE)
    (tmp_path / "a.py").chmod(0o640)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    options = ["check", "a.py", "--rules", "rules", "--select", "plain-load", "--no-cache"]
    result = CliRunner().invoke(main, [*options, *arguments])
    return result.exit_code, result.output


def test_fix_changes_the_call_and_no_other_byte(project: Path) -> None:
    code, _ = run("--fix")
    assert code == 0
    assert (project / "a.py").read_bytes() == BEFORE.replace(b"yaml.load", b"yaml.safe_load")
    assert (project / "a.py").stat().st_mode & 0o777 == 0o640


def test_a_second_fix_changes_nothing(project: Path) -> None:
    run("--fix")
    once = (project / "a.py").read_bytes()
    assert run("--fix")[0] == 0
    assert (project / "a.py").read_bytes() == once


def test_what_was_fixed_is_counted(project: Path) -> None:
    assert "vetbox: fixed 1 file\n" in run("--fix")[1]
    assert "vetbox: fixed 0 files\n" in run("--fix")[1]


def test_diff_shows_the_change_and_writes_nothing(project: Path) -> None:
    code, output = run("--diff")
    assert code == 1
    assert "-yaml.load(open( 'x' ))" in output
    assert "+yaml.safe_load(open( 'x' ))" in output
    assert (project / "a.py").read_bytes() == BEFORE


def test_unsafe_fixes_wait_to_be_asked_for(project: Path) -> None:
    path = project / "rules" / "plain-load.yaml"
    path.write_text(path.read_text().replace("safety: safe", "safety: unsafe"))
    assert run("--fix")[0] == 1
    assert (project / "a.py").read_bytes() == BEFORE
    assert run("--fix", "--unsafe-fixes")[0] == 0


@pytest.mark.parametrize(
    ("option", "said"), [("--fix", "fixed 0 files"), ("--diff", "0 files would be fixed")]
)
def test_unsafe_fixes_that_are_left_out_are_counted(project: Path, option: str, said: str) -> None:
    path = project / "rules" / "plain-load.yaml"
    path.write_text(path.read_text().replace("safety: safe", "safety: unsafe"))
    more = "; 1 more finding can be fixed with --unsafe-fixes, which may change behaviour\n"
    assert f"vetbox: {said}{more}" in run(option)[1]
    assert "--unsafe-fixes" not in run(option, "--unsafe-fixes")[1]


def test_suppressed_findings_are_not_fixed(project: Path) -> None:
    kept = BEFORE.replace(b"# why", b"# vetbox: ignore[plain-load] -- our own file")
    (project / "a.py").write_bytes(kept)
    run("--fix")
    assert (project / "a.py").read_bytes() == kept


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_a_link_is_left_as_it_is_and_named(project: Path, option: str) -> None:
    (project / "a.py").rename(project / "real.py")
    (project / "a.py").symlink_to("real.py")
    code, said = run(option)
    assert "vetbox: a.py is a link and is left as it is; fix the file it leads to\n" in said
    assert (code, (project / "a.py").is_symlink()) == (1 if option == "--fix" else 0, True)
    assert (project / "real.py").read_bytes() == BEFORE


def test_a_file_that_cannot_be_written_stays_as_it_was(project: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        code, said = run("--fix")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert code == 2
    assert (
        said == "vetbox: a.py could not be fixed: File too large; the files before it were fixed\n"
    )
    assert (project / "a.py").read_bytes() == BEFORE
    assert sorted(path.name for path in project.iterdir()) == ["a.py", "rules"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_a_file_that_root_mends_stays_its_owners(project: Path) -> None:
    os.chown(project / "a.py", 4321, 4322)
    assert run("--fix")[0] == 0
    found = (project / "a.py").stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o7777) == (4321, 4322, 0o640)


def test_a_file_with_the_longest_of_names_is_mended(project: Path) -> None:
    name = "a" * 252 + ".py"
    (project / "a.py").rename(project / name)
    options = ["--rules", "rules", "--select", "plain-load", "--no-cache", "--fix"]
    assert CliRunner().invoke(main, ["check", name, *options]).exit_code == 0
