"""The house itself: what is built, what is locked, and what may not be in it."""

import ast
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Set
from graphlib import TopologicalSorter
from pathlib import Path

import jsonschema
import pytest

import vetbox
from vetbox.documents import read_yaml
from vetbox.rules.schema.rule_file import model_schema, rule_schema

ROOT = Path(__file__).parent.parent
SCHEMAS = {"rule.schema.json": rule_schema, "model.schema.json": model_schema}
LOCKS = ["requirements.txt", "requirements-dev.txt"]
PINNED = re.compile(r"^([a-z0-9-]+)==\S+", re.MULTILINE)
MAX_MODULE_LINES = 350  # a module of more lines is two nouns
LARGE_PACKAGE = 8  # modules; of as many nobody guesses where to begin
HEAVY = {"bandit", "jinja2", "libcst", "mcp", "pydantic", "rich", "wasmtime", "yaml"}
HEAVY |= {"vetbox.rules.language.formula", "vetbox.rules.settling"}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def tracked() -> list[Path]:
    listed = run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")
    return [ROOT / name for name in listed if name]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    done = run(*build, "-w", folder, ROOT, cwd=folder)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("vetbox-*.whl"))


def test_the_wheel_carries_rules_packs_and_types(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    shipped = {str(path.relative_to(ROOT / "rules")) for path in (ROOT / "rules").rglob("*.yaml")}
    assert {f"vetbox/_rules/{name}" for name in shipped} <= set(names)
    assert {"ot_tools/__init__.py", "vetbox/py.typed"} <= set(names)
    assert not [name for name in names if name.startswith(("tests", "fixtures"))]


def test_the_wheel_checks_code_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "env"
    venv.create(home, with_pip=False, symlinks=True)
    site = next(home.glob("lib/python3*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    # A path in a .pth brings the locked dependencies, not the editable vetbox beside them.
    (site / "locked.pth").write_text(sysconfig.get_path("purelib"))
    (tmp_path / "app.py").write_text("import os\nos.system(input())\n")
    done = run(home / "bin/python", "-I", "-m", "vetbox", "check", "app.py", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "app.py:2:1" in done.stdout


def test_the_command_says_the_version_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    done = run(sys.executable, "-I", "-m", "vetbox", "--version", cwd=ROOT)
    assert done.stdout == f"vetbox, version {project['version']}\n"
    assert vetbox.__version__ == project["version"]


def test_importing_vetbox_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("print('hello')\n")
    script = (
        "import sys; from vetbox.cli import main\n"
        "try: main(['check', 'clean.py'])\n"
        "except SystemExit as end: print(end.code, *sys.modules)"
    )
    run(sys.executable, "-I", "-c", script, cwd=tmp_path)  # compiles the rules, once
    done = run(sys.executable, "-I", "-c", script, cwd=tmp_path)
    code, *modules = done.stdout.splitlines()[-1].split()
    assert code == "0", done.stdout + done.stderr
    assert HEAVY & set(modules) == set()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    for entry in re.split(r"\n(?=[a-z])", text):
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


def test_the_lock_covers_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {re.split(r"[><=]", name)[0] for name in project["dependencies"]}
    assert wanted <= set(PINNED.findall((ROOT / "requirements.txt").read_text()))


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_shipped_schemas_are_the_models_own(name: str) -> None:
    """`bin/vetbox rules schema [--models] > rules/schema/...` brings them up to date."""
    assert json.loads((ROOT / "rules/schema" / name).read_text()) == SCHEMAS[name]()


@pytest.mark.parametrize("name", SCHEMAS)
def test_editors_that_obey_a_schema_find_nothing_wrong_with_what_is_shipped(name: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMAS[name]())
    for path in (ROOT / "rules").glob("*/*.yaml"):
        if (path.parent.name == "models") == name.startswith("model"):
            data = read_yaml(path.read_text(), path.name).data
            assert [error.message for error in validator.iter_errors(data)] == [], path.name


def test_every_rule_file_points_its_editor_at_the_schema() -> None:
    line = "# yaml-language-server: $schema="
    for path in (ROOT / "rules").glob("*/*.yaml"):
        first = path.read_text().partition("\n")[0]
        assert first.startswith(line), path.name
        assert (path.parent / first.removeprefix(line)).is_file(), path.name


def test_both_locks_agree() -> None:
    runtime, dev = ((ROOT / lock).read_text() for lock in LOCKS)
    pins = {match.group() for match in PINNED.finditer(runtime)}
    assert pins <= {match.group() for match in PINNED.finditer(dev)}


def test_no_module_is_longer_than_one_noun() -> None:
    long = [
        (path.name, count)
        for path in (ROOT / "src").rglob("*.py")
        if (count := len(path.read_text().splitlines())) > MAX_MODULE_LINES
    ]
    assert long == []


def modules() -> dict[str, ast.Module]:
    """The modules of src by name, and packages as theirs."""
    trees = {}
    for path in (ROOT / "src").rglob("*.py"):
        *parts, last = path.relative_to(ROOT / "src").with_suffix("").parts
        name = ".".join(parts if last == "__init__" else [*parts, last])
        trees[name] = ast.parse(path.read_text())
    return trees


def imported_by(tree: ast.Module, known: Set[str]) -> Iterator[str]:
    """The known modules that one imports: at its top, in a function, or for its types alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from known & {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                part = {f"{node.module}.{alias.name}"}
                yield from known & part or known & {f"{node.module}"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    trees = modules()
    imports = {name: {*imported_by(tree, trees.keys())} for name, tree in trees.items()}
    TopologicalSorter(imports).prepare()  # names the circle, if there is one


def test_large_packages_say_what_each_module_is_for() -> None:
    trees = modules()
    del trees["vetbox"]  # the README says it
    for name, tree in trees.items():
        own = [other.removeprefix(f"{name}.") for other in trees if other.startswith(f"{name}.")]
        named = set(re.findall(r"`(\w+)", ast.get_docstring(tree) or ""))
        if len(own) >= LARGE_PACKAGE:
            assert {module for module in own if "." not in module} - named == set(), name


def test_no_file_names_this_machine_or_a_registry() -> None:
    words = [str(ROOT), sys.prefix, "pypi" + ".org", "pythonhosted" + ".org"]
    guilty = [
        (str(path.relative_to(ROOT)), word)
        for path in tracked()
        if path.is_file()
        for word in words
        if word in path.read_text("utf-8", "replace")
    ]
    assert guilty == []


def test_bootstrap_scripts_are_plain_posix_sh() -> None:
    for name in ("vetbox", "test", "check", "lock", "environment.sh"):
        script = ROOT / "bin" / name
        assert run("sh", "-n", script, cwd=ROOT).returncode == 0
        assert "[[" not in script.read_text()


def test_a_checkout_that_cannot_be_written_is_told_so_at_once() -> None:
    script = f". {ROOT}/bin/environment.sh; root=/dev/null/x; environment requirements.txt"
    tried = run("sh", "-c", script, cwd=ROOT)
    assert tried.returncode == 2
    assert tried.stderr.startswith("vetbox: cannot set up /dev/null/x/.venv: mkdir:")


def test_the_environment_of_the_developers_serves_users_as_well(tmp_path: Path) -> None:
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    for name in ("requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "requirements-dev.txt", tmp_path / ".venv/requirements-dev.txt")
    before = sorted(tmp_path.rglob("*"))
    script = f"set -eu; . {ROOT}/bin/environment.sh; root={tmp_path}; environment requirements.txt"
    assert run("sh", "-c", script, cwd=tmp_path).returncode == 0
    assert sorted(tmp_path.rglob("*")) == before
