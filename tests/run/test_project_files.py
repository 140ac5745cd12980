"""The fs pack's files: inside the project, whatever the path says or the project holds."""

import os
import threading
from pathlib import Path

import pytest

from vetbox.run.project_files import HostProjectFiles
from vetbox.toolkit import ToolError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with files, links out of it, a FIFO, and a secret beside it."""
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_text("import os\nprint('a')\n")
    (root / "src/b.txt").write_text("os\n")
    (root / ".git").mkdir()
    (root / ".git/config").write_text("os\n")
    (tmp_path / "secret").write_text("os: secret\n")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "out").symlink_to(tmp_path)
    os.mkfifo(root / "fifo")
    return root


@pytest.mark.parametrize(
    "path",
    ["../secret", "/etc/passwd", "link", "out/secret", "src/../../secret", "a\0b", "fifo", "src"],
)
def test_only_plain_files_inside_are_read(project: Path, path: str) -> None:
    with pytest.raises(ToolError):
        HostProjectFiles(project).read(path, max_bytes=100)


def test_absolute_paths_inside_are_read(project: Path) -> None:
    assert HostProjectFiles(project).read(str(project / "src/b.txt"), max_bytes=9) == b"os\n"


def test_reading_has_a_size(project: Path) -> None:
    with pytest.raises(ToolError, match="larger than 2 bytes"):
        HostProjectFiles(project).read("src/b.txt", max_bytes=2)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("**/*", ["src/a.py", "src/b.txt"]),
        ("**/*.py", ["src/a.py"]),
        ("src/*", ["src/a.py", "src/b.txt"]),
        ("*.py", []),
        ("**", ["src/a.py", "src/b.txt"]),
        ("src/a.py", ["src/a.py"]),
        ("missing/*", []),
        ("out/*", []),
        ("s?c/[ab].py", ["src/a.py"]),
    ],
)
def test_globs_find_regular_files(project: Path, pattern: str, found: list[str]) -> None:
    assert list(HostProjectFiles(project).matching(pattern, limit=10)) == found


@pytest.mark.parametrize("pattern", ["../*", "/etc/*"])
def test_globs_stay_inside(project: Path, pattern: str) -> None:
    with pytest.raises(ToolError, match="outside the project"):
        HostProjectFiles(project).matching(pattern, limit=10)


def test_globs_of_many_wildcards_are_matched_in_no_time(project: Path) -> None:
    deep = project / "/".join("a" * 40)
    deep.mkdir(parents=True)
    (deep / "a").touch()
    files = HostProjectFiles(project)
    assert not files.matching("**/a/" * 30 + "b", limit=1)
    assert not files.matching("*a" * 300 + "b", limit=1)
    with pytest.raises(ToolError, match="at most 1,000"):
        files.matching("*" * 1001, limit=1)


def test_what_is_hidden_is_not_read_listed_or_searched(project: Path) -> None:
    """Who does not have the handle of a kept result must not come by it, nor by the result."""
    kept = project / ".onetool/tmp"
    kept.mkdir(parents=True)
    (kept / "result-a.txt").write_text("os\n")
    (project / ".onetool/onetool.yaml").write_text("os\n")
    files = HostProjectFiles(project, hidden=(".onetool/tmp",))
    for path in (".onetool/tmp/result-a.txt", ".OneTool/tmp/result-a.txt", "./.onetool//tmp/x"):
        with pytest.raises(ToolError, match="kept for whoever has its handle"):
            files.read(path, max_bytes=9)
    for pattern in (
        ".onetool/tmp/*",
        ".onetool/*/*",
        ".onetool/**/*.txt",
        ".onetool/tmp/result-a.txt",
    ):
        assert not files.matching(pattern, limit=9)
        assert not files.search("o", pattern=pattern, ignore_case=False, limit=9)
    assert files.matching(".onetool/*", limit=9) == [".onetool/onetool.yaml"]
    assert files.read(".onetool/onetool.yaml", max_bytes=9) == b"os\n"


def test_searching_is_linear_and_inside(project: Path) -> None:
    (project / "long.txt").write_text("a" * 30_000 + "!")
    files = HostProjectFiles(project)
    assert not files.search("(a+)+$", pattern="long.txt", ignore_case=False, limit=10)
    found = files.search("OS", pattern="**/*", ignore_case=True, limit=10)
    assert [(match.path, match.line, match.text) for match in found] == [
        ("src/a.py", 1, "import os"),
        ("src/b.txt", 1, "os"),
    ]


def test_a_wrong_expression_is_said(project: Path) -> None:
    with pytest.raises(ToolError, match=r"is not a regular expression: missing"):
        HostProjectFiles(project).search("(", pattern="**/*", ignore_case=False, limit=1)


def test_writing_needs_a_glob_of_the_configuration(project: Path) -> None:
    files = HostProjectFiles(project, writable=("notes/**",))
    files.write("notes/deep/new.md", b"text")
    assert (project / "notes/deep/new.md").read_bytes() == b"text"
    with pytest.raises(ToolError, match="is not allowed"):
        files.write("src/a.py", b"")


@pytest.mark.parametrize(
    "path",
    [
        *(".onetool/onetool.yaml", ".git/config", "conftest.py", "src/conftest.py", "test_a.py"),
        *("tests/helper.py", "pyproject.toml", "setup.cfg", ".GIT/hooks/x", "sub/.onetool/x"),
        *(".github/workflows/x.yml", ".vscode/tasks.json", ".husky/pre-commit", ".claude/x.json"),
        *(".cursor/mcp.json", ".devcontainer/devcontainer.json", "sub/package.json", "noxfile.py"),
        *("justfile", ".gitmodules", ".mcp.json", "lib/a.pth", "AGENTS.md", "docs/CLAUDE.md"),
    ],
)
def test_what_the_host_executes_is_never_written(project: Path, path: str) -> None:
    with pytest.raises(ToolError, match="executed or obeyed"):
        HostProjectFiles(project, writable=("**",)).write(path, b"x")


@pytest.mark.parametrize("path", ["out/new", "../new", "/tmp/new", "out/../src/x", "."])
def test_writing_stays_inside(project: Path, path: str) -> None:
    with pytest.raises(ToolError):
        HostProjectFiles(project, writable=("**",)).write(path, b"x")
    assert sorted(os.listdir(project.parent)) == ["project", "secret"]


def test_a_link_is_replaced_and_not_followed(project: Path) -> None:
    HostProjectFiles(project, writable=("**",)).write("link", b"new")
    assert (project.parent / "secret").read_text() == "os: secret\n"
    assert (project / "link").read_bytes() == b"new"


def test_a_run_that_is_over_stops_the_search(project: Path) -> None:
    files = HostProjectFiles(project)
    files.cancel.set()
    with pytest.raises(ToolError, match="The run is over"):
        files.matching("**/*", limit=1)


class Soon(threading.Event):
    """Set once it has been asked a number of times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def is_set(self) -> bool:
        self.times -= 1
        return self.times < 0


def test_a_run_that_is_over_stops_the_reading_of_what_was_found(project: Path) -> None:
    with pytest.raises(ToolError, match="The run is over"):
        HostProjectFiles(project, cancel=Soon(2)).search(
            "os", pattern="**/*", ignore_case=False, limit=9
        )


def test_a_test_that_the_projects_settings_call_one_is_not_written(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\npython_files = Check_*.py\n")
    files = HostProjectFiles(project, writable=("**",))
    files.write("src/other.py", b"")
    with pytest.raises(ToolError, match="executed or obeyed on the host"):
        files.write("src/check_x.py", b"")


def test_lines_are_counted_as_python_counts_them(project: Path) -> None:
    text = "\ufeffone\x0c\u2028still one\r\ntwo\rthree\nfour"
    (project / "lines.txt").write_bytes(text.encode())
    found = HostProjectFiles(project).search(
        "^(one|two|four)$|still one$", pattern="lines.txt", ignore_case=False, limit=9
    )
    assert [(match.line, match.text[-4:]) for match in found] == [
        (1, " one"),
        (2, "two"),
        (4, "four"),
    ]
