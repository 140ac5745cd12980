from pathlib import Path

import pytest
from pydantic import ValidationError

from vetbox.boundary import FilePattern, NodeId, Params, ProjectPath


class Named(Params):
    path: ProjectPath | None = None
    node: NodeId | None = None
    pattern: FilePattern | None = None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("")
    (tmp_path / "secret.py").write_text("")
    return root


def message(project: Path, **given: object) -> str:
    """The one message a refusal carries, or nothing."""
    try:
        Named.model_validate(given, context={"project": project})
    except ValidationError as refused:
        return "; ".join(error["msg"] for error in refused.errors())
    return ""


@pytest.mark.parametrize("path", [".", "src", "src/", "./src/a.py", "src/a.py"])
def test_what_is_there_is_accepted(project: Path, path: str) -> None:
    assert message(project, path=path) == ""


@pytest.mark.parametrize(
    "path", ["..", "../secret.py", "src/../src/a.py", "..\\x", "src\\..\\..\\x", "/a/../b"]
)
def test_p8_traversal_is_refused_first(project: Path, path: str) -> None:
    assert message(project, path=path) == "Path traversal not allowed"


@pytest.mark.parametrize("path", ["/etc/passwd", "C:\\Windows", "\\\\host\\share", "link"])
def test_p9_what_leads_out_is_refused(project: Path, path: str) -> None:
    (project / "link").symlink_to("/etc")
    assert message(project, path=path) == "Path must be within project directory"


@pytest.mark.parametrize("path", ["nope", "~root", "${HOME}", "%2e%2e/x", "file:///etc/passwd"])
def test_nothing_is_expanded_so_it_does_not_exist(project: Path, path: str) -> None:
    assert message(project, path=path) == f"Path '{path}' does not exist in the project"


@pytest.mark.parametrize("path", ["-", "--", "-c", "@args", "-@x"])
def test_p16_an_option_is_not_a_path(project: Path, path: str) -> None:
    assert "must not begin with '-' or '@'" in message(project, path=path)


@pytest.mark.parametrize("path", ["", " ", "a\0b", "a\nb", "\ud800", "d/" * 5000])
def test_what_no_file_is_called_is_refused(project: Path, path: str) -> None:
    assert message(project, path=path)


@pytest.mark.parametrize("name", ["a\nb.py", "\x1b[2J.py", "\t.py"])
def test_a_file_may_have_any_name_that_the_system_allows(project: Path, name: str) -> None:
    assert message(project, path=name) == f"Path '{shown(name)}' does not exist in the project"
    (project / name).write_text("")
    assert message(project, path=name) == ""


def shown(name: str) -> str:
    return repr(name)[1:-1]


def test_links_that_loop_or_dangle_are_refused(project: Path) -> None:
    (project / "loop").symlink_to("loop")
    (project / "dangling.py").symlink_to("nowhere.py")
    assert message(project, path="loop") == "Path 'loop' is a loop of symbolic links"
    assert (
        message(project, path="dangling.py") == "Path 'dangling.py' does not exist in the project"
    )


def test_a_pipe_is_refused(project: Path) -> None:
    import os

    os.mkfifo(project / "pipe.py")
    assert message(project, path="pipe.py") == "Path 'pipe.py' is not a regular file or folder"


@pytest.mark.parametrize(
    "node", ["src/a.py", "src/new.py::test_x", "src/a.py::T::t[-p evil]", "src/a.py::t[../..]"]
)
def test_node_ids_may_name_what_only_pytest_knows(project: Path, node: str) -> None:
    assert message(project, node=node) == ""


@pytest.mark.parametrize(
    "node", ["::", "", "a.py::", "/etc/passwd::t", "../x.py::t", "-p", "a\0::t"]
)
def test_node_ids_are_paths_of_the_project(project: Path, node: str) -> None:
    assert message(project, node=node)


@pytest.mark.parametrize("pattern", ["test_*.py", "test_?.py", "x-test.py"])
def test_patterns_match_file_names(project: Path, pattern: str) -> None:
    assert message(project, pattern=pattern) == ""


@pytest.mark.parametrize("pattern", ["", "-p", "..", ".", "../*.py", "$(id)", "a.py\n", "a b"])
def test_a_pattern_is_neither_option_nor_path(project: Path, pattern: str) -> None:
    assert message(project, pattern=pattern)
