"""Misuse and bad places: one sentence that says where and what to do, exit code 2, no traceback."""

import errno
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from vetbox.cli import main

MISUSE = 2


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text("import os\nos.system(text)\n")
    return tmp_path


SEMGREP = """\
rules:
  - id: a-call
    pattern: g()
    message: m
    severity: ERROR
    languages: [python]
"""


def vetbox(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def said(*arguments: str) -> str:
    """The last line on stderr of a call that is misuse."""
    result = vetbox(*arguments)
    assert result.exit_code == MISUSE, result.output
    return result.stderr.splitlines()[-1]


def test_a_misspelt_rule_is_answered_with_the_nearest() -> None:
    sentence = "vetbox: 'os-sytem' names no rule or pack; did you mean 'os-system'?"
    assert said("check", "--select", "os-sytem", "app.py") == sentence
    assert said("check", "--ignore", "crypo", "app.py").endswith("did you mean 'crypto'?")
    assert said("check", "--ignore", "zzz", "app.py").endswith("`vetbox rules list` shows all")


@pytest.mark.parametrize(
    "command", ["check .", "check {0}", "run {0}/app.py", "trust --list", "init"]
)
def test_a_current_folder_that_is_gone_is_one_sentence(
    project: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    gone = project / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = vetbox(*shlex.split(command.format(project)))
    assert not isinstance(result.exception, OSError)
    assert result.exit_code < MISUSE or result.stderr.count("\n") < 4
    if command.startswith("check"):
        assert "the current folder is gone" in result.stderr


def test_no_folder_for_temporary_files_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_usable() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "gettempdir", none_usable)
    assert "No usable temporary directory found in ['/tmp']; make" in said("sandbox", "app.py")


def test_a_misspelt_command_is_answered_with_the_nearest() -> None:
    assert said("chek", "app.py") == "Error: No such command 'chek'. Did you mean 'check'?"
    assert said("zzz") == "Error: No such command 'zzz'."


def test_lists_are_written_with_commas_and_spaces() -> None:
    options = ["check", "--no-cache", "--tools", "rules, ruff", "--select", "crypto,shell"]
    result = vetbox(*options, "app.py")
    assert (result.exit_code, "also ruff:S605" in result.output) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--unsafe-fixes"], "--unsafe-fixes goes with --fix or --diff"),
        (["--write-baseline", "--fix"], "--write-baseline does not go with --fix"),
        (["--write-baseline", "--diff"], "--write-baseline does not go with --diff"),
        (["--diff", "--format", "json"], "--diff does not go with --format"),
        (["--diff", "--output", "x.txt"], "--diff does not go with --output"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    project: Path, arguments: list[str], sentence: str
) -> None:
    assert said("check", *arguments, "app.py").startswith(f"Error: {sentence}")
    assert sorted(path.name for path in project.iterdir()) == ["app.py"]


def test_a_report_for_a_folder_that_is_missing_is_refused_before_the_scan() -> None:
    sentence = said("check", "--output", "missing/report.json", "app.py")
    assert sentence.endswith("missing: there is no such folder; make it, or name another place")


def test_addresses_of_rule_pages_are_web_addresses() -> None:
    sentence = said("check", "--rules-url", "javascript:alert(1)", "app.py")
    assert sentence.endswith("rules-url: 'javascript:alert(1)' is no https address")


def test_a_rule_file_that_is_no_mapping_is_told_what_one_is(project: Path) -> None:
    (project / "rule.yaml").write_text("just words\n")
    sentence = said("check", "--rules", "rule.yaml", "app.py")
    assert sentence == "vetbox: rule.yaml:1:1: the file: must be a mapping of keys to values"


def test_a_bad_regex_is_one_sentence(project: Path) -> None:
    (project / "r.yaml").write_text(
        "id: r\nmessage: m\nseverity: error\nmatch: {string: {regex: '(?=x)'}}\n"
    )
    command = [sys.executable, "-m", "vetbox", "check", "--rules", "r.yaml", "app.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == (
        "vetbox: r.yaml:4:25: match.string.regex: not an RE2 regex: invalid perl operator: (?=; "
        "RE2 does not look around; say it by `not`, `unless` or a second condition\n"
    )


def test_a_folder_without_a_rule_is_refused(project: Path) -> None:
    (project / "rules").mkdir()
    (project / "rules/mine.yml").write_text("id: mine\n")
    sentence = "vetbox: rules: no rules here; each is a file of its own, NAME.yaml"
    assert said("check", "app.py", "--rules", "rules") == sentence
    assert said("rules", "list", "--rules", "rules") == sentence
    (project / "rules/models").mkdir()
    assert vetbox("check", "app.py", "--no-cache", "--rules", "rules").exit_code == 1


@pytest.mark.parametrize("command", [["check", "--semgrep-rules"], ["rules", "import"]])
def test_semgrep_files_without_a_rule_are_refused(project: Path, command: list[str]) -> None:
    for name, text in (("notes.yaml", "a: 1\n"), ("none.yaml", "rules: []\n")):
        (project / name).write_text(text)
        assert said(*command, name).endswith(
            f"{name}: no semgrep rules here; name a file with `rules:`, or a folder of such files"
        )


def test_settings_are_named_with_their_place(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.vetbox]\nselect = []\nprofil = "repo"\n')
    assert said("check", "app.py") == (
        f"vetbox: {project}/pyproject.toml:3:1: [tool.vetbox] does not know 'profil'; "
        "did you mean 'profile'?"
    )
    (project / "pyproject.toml").write_text('[tool.vetbox]\nprofile = "repo\n')
    assert said("check", "app.py").startswith(f"vetbox: {project}/pyproject.toml:2:16: not TOML: ")


@pytest.mark.parametrize("key", ["select", "ignore"])
def test_a_misspelt_rule_in_the_settings_is_named_with_its_place(project: Path, key: str) -> None:
    settings = f'[tool.vetbox]\n{key} = [\n  "crypto",\n  "os-sytem",\n]\n'
    (project / "pyproject.toml").write_text(settings)
    sentence = "'os-sytem' names no rule or pack; did you mean 'os-system'?"
    place = f"{project}/pyproject.toml:4:3: [tool.vetbox]"
    assert said("check", "app.py") == f"vetbox: {place} {sentence}"
    assert said("check", f"--{key}", "os-sytem", "app.py") == f"vetbox: {sentence}"


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--mount", "data", "--mount data: write --mount HOST:GUEST"),
        ("--mount", ".:data", "--mount: must be an absolute path such as /data"),
        ("--env", "NAME", "--env NAME: write --env NAME=VALUE"),
        ("--timeout", "-1", "--timeout: must be more than 0"),
        ("--memory", "5", "--memory: must be at least 20,000,000"),
    ],
)
def test_a_limit_of_the_sandbox_that_is_none_is_refused(
    option: str, value: str, sentence: str
) -> None:
    assert said("sandbox", "app.py", option, value).startswith(f"Error: {sentence}")


def test_explain_says_that_a_file_has_fewer_lines() -> None:
    sentence = said("explain", "os-system", "app.py:99")
    assert sentence == "vetbox: app.py has 2 lines; name one of them, as in app.py:2"
    assert said("explain", "os-system", "app.py:0").startswith("vetbox: app.py has 2 lines")


def test_explain_says_that_a_comment_accepts_what_fires(project: Path) -> None:
    (project / "b.py").write_text("import os\nos.system(x)  # nosec B605\nos.system(y)\n")
    told = "\n  and is accepted by a comment, so reports list it as suppressed: # nosec B605\n"
    assert told in vetbox("explain", "os-system", "b.py:2").stdout
    assert "accepted" not in vetbox("explain", "os-system", "b.py:3").stdout
    assert "accepted" not in vetbox("explain", "os-system", "b.py:2", "--profile", "agent").stdout


def test_explain_takes_a_place_as_reports_write_it() -> None:
    assert "fires at app.py:2" in vetbox("explain", "os-system", "app.py:2:1").stdout


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"x = 1\ny = (\n", "b.py:2: '(' was never closed"),
        (b"x = 1\ny = '\xff'\n", "b.py:2: line 2 is not utf-8: invalid start byte; save the"),
    ],
)
def test_explain_says_where_a_file_is_broken(project: Path, data: bytes, sentence: str) -> None:
    (project / "b.py").write_bytes(data)
    assert said("explain", "os-system", "b.py:1").startswith(f"vetbox: {sentence}")


@pytest.mark.parametrize("command", ["run", "sandbox"])
def test_a_program_that_cannot_be_read_is_one_sentence(project: Path, command: str) -> None:
    (project / "odd.py").write_bytes(b"x = 1\ny = '\xff'\n")
    (project / "null.py").write_bytes(b"x = 1\0")
    assert said(command, "odd.py").startswith("vetbox: odd.py:2: line 2 is not utf-8: ")
    assert said(command, "null.py").endswith("null.py:1: source code cannot contain null bytes")
    assert "the file has over 1,000,000 bytes" in said(command, "/dev/zero")


@pytest.mark.parametrize("command", [["run"], ["sandbox", "--quiet"]])
def test_a_program_is_decoded_as_python_does(project: Path, command: list[str]) -> None:
    (project / "marked.py").write_bytes(b"\xef\xbb\xbfprint('\xc3\xbc')\n")
    (project / "latin.py").write_bytes(b"# coding: latin-1\nprint('\xfc')\n")
    for name in ("marked.py", "latin.py"):
        result = vetbox(*command, name)
        assert (result.exit_code, result.stdout) == (0, "\u00fc\n")


@pytest.mark.parametrize("option", ["--token-file", "--allowed-host", "--allowed-origin"])
def test_options_of_http_are_refused_without_it(option: str) -> None:
    assert "go with --http" in said("serve", option, "app.py")


@pytest.mark.parametrize(
    "command",
    [
        ["trust", ""],
        ["trust", "--revoke", ""],
        ["check", "-o", "", "app.py"],
        ["check", "--baseline", "", "app.py"],
        ["sandbox", "app.py", "--workspace", ""],
    ],
)
def test_an_empty_name_is_no_place(command: list[str]) -> None:
    assert said(*command).endswith("an empty name is no place")


@pytest.mark.parametrize("option", ["--select", "--ignore", "--tools"])
@pytest.mark.parametrize("words", ["", " , "])
def test_a_list_of_nothing_is_not_a_list_of_all(option: str, words: str) -> None:
    assert said("check", option, words, "app.py") == (
        f"vetbox: {option} names nothing; leave it out, or name something"
    )


@pytest.mark.parametrize("kind", ["fifo", "link"])
@pytest.mark.parametrize("option", ["--rules", "--semgrep-rules"])
def test_a_rule_file_without_end_is_refused(project: Path, kind: str, option: str) -> None:
    folder = project / "own"
    folder.mkdir()
    if kind == "fifo":
        os.mkfifo(folder / "x.yaml")
    else:
        (folder / "x.yaml").symlink_to("/dev/zero")
    result = vetbox("check", "--no-cache", option, "own", "app.py")
    assert result.exit_code in (1, MISUSE)
    assert "not a regular file" in result.output


def test_a_device_is_no_rule_to_test() -> None:
    assert said("rules", "test", "/dev/zero").endswith("/dev/zero: no such rule file or folder")


@pytest.mark.parametrize("options", [["--allowed-host", "*"], ["--allowed-origin", "x"]])
def test_hosts_and_origins_are_compared_exactly(options: list[str]) -> None:
    assert "is not a" in said("serve", "--http", "127.0.0.1:0", *options)


def test_a_token_without_end_is_none() -> None:
    sentence = said("serve", "--http", "127.0.0.1:0", "--token-file", "/dev/zero")
    assert sentence.startswith("vetbox: The token in /dev/zero is not one")


def test_nobody_trusted_is_said(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(project / "config"))
    result = vetbox("trust", "--list")
    assert (result.exit_code, result.output) == (0, "No project is trusted.\n")


def test_a_baseline_says_where_it_is_and_how_it_is_used(project: Path) -> None:
    result = vetbox("check", "--no-cache", "--write-baseline", "app.py")
    place = project / "vetbox-baseline.json"
    assert (result.exit_code, place.exists()) == (0, True)
    assert result.stderr == f"vetbox: wrote {place.name}; check with --baseline {place.name}\n"


# Terminals, pipes and disks ----------------------------------------------------------------------

CHECK = [sys.executable, "-m", "vetbox", "check", "--no-cache", "app.py"]


def test_an_interrupted_command_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("vetbox.cli.check.run_check", interrupt)
    result = vetbox("check", "app.py")
    assert (result.exit_code, result.stderr) == (130, "vetbox: interrupted\n")


def test_help_names_the_command_that_people_type() -> None:
    command = [sys.executable, "-m", "vetbox", "check", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: vetbox check [OPTIONS] [PATHS]...\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("more", [[], ["--format", "json"], ["--output", "/dev/full"]])
def test_a_full_disk_is_one_sentence(more: list[str]) -> None:
    target = None if "--output" in more else os.open("/dev/full", os.O_WRONLY)
    stdout = subprocess.PIPE if target is None else target
    done = subprocess.run(
        [*CHECK, *more], stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
    )
    if target is not None:
        os.close(target)
    assert done.returncode == MISUSE
    assert done.stderr.startswith("vetbox: the report could not be written to ")
    assert done.stderr.endswith("No space left on device; make room, or name another place\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("check app.py -o report.txt", "report.txt"),
        ("check app.py --tools ruff", "f000000.py"),
        ("check app.py --write-baseline --baseline old.json", "old.json"),
        ("trust .", "trust.json"),
        ("init", "onetool.yaml"),
        ("rules site pages", "pages/"),
    ],
)
def test_what_finds_no_room_is_named_and_what_was_there_stays(
    project: Path, command: str, place: str
) -> None:
    (project / "report.txt").write_text("old\n")
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 0; {shlex.quote(sys.executable)} -m vetbox {command}"],
        env={**os.environ, "VETBOX_CONFIG_DIR": str(project / "user")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (MISUSE, "")
    assert done.stderr.count("\n") == 1
    assert place in done.stderr
    assert done.stderr.endswith("File too large; make room, or name another place\n")
    assert "standard output" not in done.stderr
    assert (project / "report.txt").read_text() == "old\n"
    left = {path.name for path in project.rglob("*") if path.is_file()}
    assert left == {"app.py", "report.txt"}


@pytest.mark.parametrize("command", ["check -", "run -", "sandbox -"])
def test_a_closed_standard_input_is_one_sentence(project: Path, command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{shlex.quote(sys.executable)} -m vetbox {command} <&-"],
        capture_output=True,
        text=True,
        check=False,
    )
    said = "vetbox: standard input is closed; pipe the code in, or name a file\n"
    assert (done.returncode, done.stdout, done.stderr) == (MISUSE, "", said)


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_a_reader_that_leaves_early_ends_it_quietly(form: str) -> None:
    done = subprocess.run(
        f"{sys.executable} -m vetbox check --no-cache --format {form} app.py | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (len(done.stdout), done.stderr) == (1, "")


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_a_terminal_of_another_encoding_shows_plain_frames(encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(CHECK, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert "   +- app.py:2:1" in done.stdout.decode(encoding)
    assert " 2 | os.system(text)\n   | ^^^^^^^^^^^^^^^\n" in done.stdout.decode(encoding)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "app.py", "-o", "app.py"],
        ["check", ".", "-o", "other.py"],
        ["check", "script", "-o", "./script"],
        ["check", "app.py", "-o", "link"],
        ["check", ".", "--write-baseline", "--baseline", "other.py"],
    ],
)
def test_code_is_never_overwritten_by_a_report(project: Path, arguments: list[str]) -> None:
    for name in ("other.py", "script"):
        (project / name).write_text("x = 1\n")
    (project / "link").symlink_to("app.py")
    name = arguments[-1]
    assert said(*arguments) == (
        f"vetbox: {Path(name)}: this is code that would be overwritten; name another file"
    )
    assert (project / "other.py").read_text() == (project / "script").read_text() == "x = 1\n"
    assert "os.system" in (project / "app.py").read_text()


def test_a_report_takes_the_place_of_an_older_one(project: Path) -> None:
    for _ in range(2):
        result = vetbox("check", "app.py", "--no-cache", "-o", "report.txt")
        assert (result.exit_code, result.stderr) == (1, "")


def test_semgrep_files_that_cannot_be_read_are_failures_of_the_check(project: Path) -> None:
    (project / "semgrep").mkdir()
    (project / "semgrep/good.yaml").write_text(SEMGREP)
    (project / "semgrep/bad.yaml").write_text("rules: [\n")
    (project / "app.py").write_text("x = 1\n")
    for form in ("text", "json", "sarif", "github", "junit", "html"):
        arguments = ("app.py", "--no-cache", "--semgrep-rules", "semgrep", "--format", form)
        result = vetbox("check", *arguments)
        assert result.exit_code == 1, form
        assert "semgrep/bad.yaml" in result.stdout, form


def test_of_two_semgrep_rules_of_one_name_the_second_is_named(project: Path) -> None:
    (project / "two.yaml").write_text(SEMGREP + SEMGREP.partition("\n")[2])
    told = "two.yaml: a-call: not imported: another rule has its name; rename one\n"
    assert told in vetbox("check", "--no-cache", "--semgrep-rules", "two.yaml", "app.py").stderr
    result = vetbox("rules", "import", "two.yaml")
    assert (result.exit_code, result.stderr) == (1, told + "1 of 2 rules converted\n")


def test_a_semgrep_rule_that_could_not_be_loaded_is_not_written(project: Path) -> None:
    (project / "bad.yaml").write_text(SEMGREP.replace("g()", "'g('"))
    result = vetbox("rules", "import", "bad.yaml")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the pattern is not Python" in result.stderr


@pytest.mark.parametrize(("key", "told"), [("pattern-foo", "pattern-foo"), ("foo", "no pattern")])
def test_a_semgrep_rule_without_a_known_operator_says_which_it_has(
    project: Path, key: str, told: str
) -> None:
    (project / "rules.yaml").write_text(SEMGREP.replace("pattern", key))
    assert vetbox("rules", "import", "rules.yaml").stderr.startswith(
        f"rules.yaml: a-call: not imported: {told}\n"
    )


def test_a_semgrep_rule_that_is_imported_without_its_fix_says_so(project: Path) -> None:
    text = (
        "rules:\n  - id: a-run\n    pattern: |\n      $X = f()\n      g($X)\n    fix: g(1)\n"
        "    message: m\n    severity: ERROR\n    languages: [python]\n"
    )
    (project / "run.yaml").write_text(text)
    told = "run.yaml: a-run: imported without its fix: is written over one statement, "
    assert told in vetbox("check", "--no-cache", "--semgrep-rules", "run.yaml", "app.py").stderr
    result = vetbox("rules", "import", "run.yaml")
    assert (result.exit_code, result.stderr.startswith(told)) == (0, True)
    assert "fix:" not in result.stdout
    (project / "run.yaml").write_text(text.replace("    fix: g(1)\n", ""))
    assert "without" not in vetbox("rules", "import", "run.yaml").stderr


def test_a_fix_that_asks_for_what_no_pattern_binds_is_left_out(project: Path) -> None:
    (project / "fixed.yaml").write_text(SEMGREP + "    fix: h($X)\n")
    result = vetbox("rules", "import", "fixed.yaml")
    told = "fixed.yaml: a-call: imported without its fix: no pattern binds $X; "
    assert (result.exit_code, result.stderr.startswith(told)) == (0, True)
    assert "fix:" not in result.stdout


UNFIT = """rules:
  - id: to-anything
    mode: taint
    pattern-sources: [{pattern: input()}]
    pattern-sinks: [{pattern: $F(...)}]
    message: m
    severity: ERROR
    languages: [python]
"""


def test_a_semgrep_rule_that_could_not_be_loaded_from_a_file_is_not_converted(
    project: Path,
) -> None:
    (project / "unfit.yaml").write_text(UNFIT)
    result = vetbox("rules", "import", "unfit.yaml", "-o", "own")
    assert result.exit_code == 1
    assert "has no word of its own" in result.stderr
    assert "`check --semgrep-rules` runs it as it is" in result.stderr
    assert not (project / "own").exists()
    asked = vetbox("check", "--no-cache", "--semgrep-rules", "unfit.yaml", "app.py")
    assert "not imported" not in asked.stderr


def test_a_semgrep_file_that_is_no_yaml_is_told_with_its_place_once(project: Path) -> None:
    (project / "bad.yaml").write_text("rules: [\n")
    told = "not YAML: expected the node content, but found '<stream end>'; close the bracket"
    assert f"bad.yaml:2:1: not imported: {told}\n" in vetbox("rules", "import", "bad.yaml").stderr
    checked = vetbox("check", "app.py", "--no-cache", "--semgrep-rules", "bad.yaml").stdout
    assert f"not analysed[unreadable] {told}\n   ╭─ bad.yaml:2:1\n" in checked


def test_semgrep_rules_among_ones_own_are_told_from_them(project: Path) -> None:
    (project / "rules.yaml").write_text(SEMGREP)
    assert said("check", "--rules", "rules.yaml", "app.py") == (
        "vetbox: rules.yaml:1:1: rules for semgrep; "
        "run them by --semgrep-rules, or convert them by `vetbox rules import`"
    )


def test_semgrep_rules_to_test_are_named() -> None:
    assert said("rules", "test", "--semgrep").startswith("Error: --semgrep needs PATHS")


def test_a_semgrep_rule_without_languages_is_told_so(project: Path) -> None:
    (project / "rules.yaml").write_text(SEMGREP.replace("    languages: [python]\n", ""))
    assert ": it has no languages\n" in vetbox("rules", "import", "rules.yaml").stderr


def test_a_semgrep_rule_without_an_id_is_named(project: Path) -> None:
    (project / "rules.yaml").write_text(SEMGREP + "  - pattern: f()\n    message: m\n")
    result = vetbox("check", "app.py", "--no-cache", "--semgrep-rules", "rules.yaml")
    assert "rules.yaml: rule 2: not imported: it has no id" in result.stderr


@pytest.mark.parametrize(
    "command", ["rules show unused-suppression", "explain unused-suppression a.py:1"]
)
def test_what_is_said_of_comments_is_told_from_rules(project: Path, command: str) -> None:
    (project / "a.py").write_text("x = 1\n")
    assert "said of comments. A suppression that accepts nothing" in said(*command.split())


def test_no_name_in_an_error_reaches_the_terminal_as_a_command(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.vetbox]\nselect = ["a\\u001b[31m\\u202e"]\n')
    assert "[tool.vetbox] 'a\\x1b[31m\\u202e' names no rule or pack" in said("check", "app.py")


COMMANDS = (
    "check app.py --format json",
    "run -c 1",
    "rules list",
    "rules schema",
    "init --schema",
    "trust --list",
    "--help",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_or_closed_output_is_no_traceback(project: Path, command: str) -> None:
    vetbox_ = f"{shlex.quote(sys.executable)} -m vetbox {command}"
    for place, code in ((">/dev/full", (MISUSE,)), (">&-", (0, 1))):
        done = subprocess.run(
            ["sh", "-c", f"{vetbox_} {place}"], capture_output=True, text=True, check=False
        )
        assert done.returncode in code, (place, done.stderr)
        assert "Traceback" not in done.stderr
        assert done.stderr.count("\n") == (MISUSE in code)


@pytest.mark.parametrize(
    "command",
    [["check"], ["run"], ["sandbox"], ["rules", "test"], ["rules", "import"], ["init"]],
)
def test_a_place_that_is_not_there_is_named_and_nothing_else(command: list[str]) -> None:
    kind = {"run": "File", "sandbox": "File", "init": "Directory"}.get(command[0], "Path")
    assert said(*command, "nope") == f"Error: {kind} 'nope' does not exist."


RULE = {
    "id": "id: my-rule",
    "message": "message: m",
    "severity": "severity: error",
    "cwe": "cwe: [78]",
    "profiles": "profiles: {repo: info}",
    "match": "match: f()",
}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("id: no good", "1:5: id: 'no good' is no id: write words and numbers, as in no-pickle"),
        ("id: 3", "1:5: id: must be a string"),
        ("cwe: [CWE-78]", "4:7: cwe.0: 'CWE-78' is no number of a CWE; write it as in [78]"),
        ("cwe: 78", "4:6: cwe: must be a list: in [ ], or each entry behind a -"),
        (
            "match: f($x)",
            "6:8: match: the pattern is not Python: invalid syntax, line 1 of the pattern; a meta",
        ),
        ("match: ~", "6:1: the file: 'match' is empty; indent what belongs to it, or leave it out"),
        ("cwe: [0]", "4:7: cwe.0: must be at least 1"),
        ("profiles: {repo: fatal}", "5:18: profiles.repo: 'fatal' is not one of error, warning,"),
        ("match: 'f('", "6:8: match: the pattern is not Python: '(' was never closed, line 1 of"),
        ("match: {call: {name: os system}}", "6:22: match.call.name: 'os system' is not a dotted"),
    ],
)
def test_a_mistake_in_a_rule_is_told_once_and_in_words_of_the_file(
    project: Path, line: str, sentence: str
) -> None:
    lines = RULE | {line.partition(":")[0]: line}
    (project / "rule.yaml").write_text("\n".join(lines.values()))
    result = vetbox("check", "--rules", "rule.yaml", "app.py")
    assert result.exit_code == MISUSE
    assert result.stderr.startswith(f"vetbox: rule.yaml:{sentence}")
    assert result.stderr.count("\n") == 1


def test_an_unknown_key_is_answered_with_those_there_are(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.vetbox]\nzzz = 1\n")
    assert "does not know 'zzz'; its keys are select, ignore, " in said("check", "app.py")
    (project / "pyproject.toml").unlink()
    (project / "limits.yaml").write_text("zzz: 1\n")
    said_of_limits = said("sandbox", "--policy", "limits.yaml", "app.py")
    assert "zzz: not a known key; the keys here are fuel_budget, " in said_of_limits


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_what_is_not_imported_is_named_once(project: Path, option: str) -> None:
    other = SEMGREP.replace("python", "js").replace("id: ", "id: other-")
    (project / "semgrep").mkdir()
    (project / "semgrep/other.yaml").write_text(other)
    result = vetbox("check", "app.py", "--no-cache", "--semgrep-rules", "semgrep", option)
    assert result.stderr.count("not imported") == 1
