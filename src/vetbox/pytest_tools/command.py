"""How a project's pytest is called: its interpreter, the hygiene around it, its arguments."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from vetbox.process import Surroundings
from vetbox.pytest_tools.params import DiscoverTestsParams, ExecuteTestsParams

PLUGIN = Path(__file__).with_name("plugin.py")
VENVS = (".venv", "venv")
# What a program may need to know about its user; tokens and PYTEST_*/PYTHON* are not among it.
INHERITED = ("USER", "LOGNAME", "SHELL", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "XDG_RUNTIME_DIR")
# Where pytest looks for its configuration, and what marks a file that others use too.
CONFIGURATIONS = {
    "pytest.toml": "",
    ".pytest.toml": "",
    "pytest.ini": "",
    ".pytest.ini": "",
    "pyproject.toml": "[tool.pytest",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}


def interpreter(project: Path) -> Path:
    """The project's own Python, from its virtual environment where it has one."""
    for name in VENVS:
        python = project / name / "bin" / "python"
        if python.is_file():
            return python
    return Path(sys.executable)


def environment(project: Path, place: Surroundings) -> Mapping[str, str]:
    own = {name: os.environ[name] for name in INHERITED if name in os.environ}
    path = f"{interpreter(project).parent}:/usr/local/bin:/usr/bin:/bin"
    return {**own, "HOME": str(place.home), "TMPDIR": str(place.home), "PATH": path}


def command(project: Path, place: Surroundings, variable: str) -> list[str | Path]:
    """Everything but the choice of tests; `-I` keeps the working folder out of imports."""
    return [
        *(interpreter(project), "-I", "--check-hash-based-pycs", "always"),
        *(PLUGIN, variable, project, place.folder / "bytecode"),
        *(f"--rootdir={project}", f"--confcutdir={project}"),
        *configuration(project, place),
        *(f"--basetemp={place.folder / 'tmp'}", "-o", f"cache_dir={place.folder / 'cache'}"),
        "--color=no",
    ]


def configuration(project: Path, place: Surroundings) -> list[str]:
    """An empty configuration for a project without one: pytest would look above the project."""
    if any(configures(project / name, mark) for name, mark in CONFIGURATIONS.items()):
        return []
    empty = place.folder / "pytest.ini"
    empty.write_text("[pytest]\n", encoding="utf-8")
    return ["-c", str(empty)]


def configures(file: Path, mark: str) -> bool:
    try:
        return file.is_file() and mark in file.read_text("utf-8", "replace")
    except OSError:
        return False


def discovery(params: DiscoverTestsParams) -> list[str]:
    """The arguments that find tests."""
    return ["--collect-only", *pattern(params.pattern), *paths(params.path)]


def execution(params: ExecuteTestsParams) -> list[str]:
    """The arguments that choose and run tests."""
    return [
        *(["-" + "v" * params.verbosity] if params.verbosity else []),
        *(["--exitfirst"] if params.failfast else []),
        *([f"--maxfail={params.maxfail}"] if params.maxfail is not None else []),
        f"--show-capture={params.show_capture}",
        *(["-m", params.markers] if params.markers else []),
        *(["-k", params.keywords] if params.keywords else []),
        *pattern(params.pattern),
        *paths(*(params.node_ids or ()), params.path),
    ]


def pattern(names: str | None) -> list[str]:
    return ["-o", f"python_files={names}"] if names else []


def paths(*named: str | None) -> list[str]:
    """`./` in front: pytest takes options and @files anywhere among its arguments."""
    return [f"./{path.removeprefix('./')}" for path in named if path]
