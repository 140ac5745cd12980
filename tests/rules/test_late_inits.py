"""The nodes of libcst are the same with their constructors made late."""

import subprocess
import sys
from pathlib import Path

import pytest

SIGNATURES = """
import inspect
import libcst
import sys
def kinds(kind):
    return {kind}.union(*map(kinds, kind.__subclasses__()))
def abstract(kind):
    methods = (getattr(kind, name, None) for name in dir(kind))
    return any(getattr(method, "__isabstractmethod__", False) for method in methods)
for kind in sorted(kinds(libcst.CSTNode), key=lambda kind: kind.__name__):
    if vars(sys.modules[kind.__module__]).get(kind.__name__) is not kind:
        continue  # a class that got slots is made twice
    print([base.__name__ for base in kind.__mro__ if base.__name__ != "ABC"])
    if abstract(kind) or not kind.__module__.startswith("libcst."):
        continue
    try:
        kind(nothing=0)
    except TypeError as error:
        print(kind.__qualname__, error, inspect.signature(kind))
    print(kind.__match_args__, kind.__eq__.__qualname__, kind.__hash__.__qualname__)
"""
PARSED = """
import glob
import libcst
for path in sorted(glob.glob("fixtures/projects/**/*.py", recursive=True)):
    text = open(path).read()
    module = libcst.parse_module(text)
    assert module.code == text and module != libcst.parse_module(text)
    print(module, module.deep_clone().deep_equals(module))
    print(module.with_changes(body=module.body[:1]).code)
"""
MADE = "from vetbox.own_process import own\nown()\nfrom vetbox.rules import late_inits\n"
ROOT = Path(__file__).parents[2]


def said_by(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout


@pytest.mark.parametrize("script", [SIGNATURES, PARSED])
def test_a_node_is_made_and_compared_as_it_always_was(script: str) -> None:
    plain, late = said_by(script), said_by(MADE + script)
    assert len(plain) > 10_000
    assert late == plain


def test_classes_that_others_make_meanwhile_are_theirs() -> None:
    script = (
        MADE + "import dataclasses\n"
        "from libcst.metadata import CodePosition, QualifiedName, QualifiedNameSource\n"
        "one = QualifiedName('a', QualifiedNameSource.LOCAL)\n"
        "assert one == QualifiedName('a', QualifiedNameSource.LOCAL) and {one: 1}[one]\n"
        "assert dataclasses.dataclass.__module__ == 'dataclasses'\n"
        "try: one.name = 'b'\n"
        "except dataclasses.FrozenInstanceError: print('frozen')\n"
    )
    assert said_by(script) == "frozen\n"


def test_classes_of_nodes_are_plain_and_all_others_as_abstract_as_they_are() -> None:
    script = (
        MADE + "import abc, sys, libcst\n"
        "from libcst.metadata import BaseMetadataProvider\n"
        "assert type(libcst.Name) is type and abc.ABC.__module__ == 'abc'\n"
        "assert isinstance(libcst.Name('a'), libcst.BaseExpression)\n"
        "assert not isinstance(libcst.Name('a'), libcst.BaseStatement)\n"
        "held = {vars(module).get('ABC') for module in sys.modules.values()}\n"
        "print(held == {None, abc.ABC})\n"
    )
    assert said_by(script) == "True\n"


def test_what_libcst_says_of_nodes_is_imported_when_somebody_asks() -> None:
    script = (
        MADE + "import sys, libcst\n"
        "print('libcst.metadata' in sys.modules, 'libcst.metadata.scope_provider' in sys.modules)\n"
        "from libcst.metadata import MetadataWrapper, PositionProvider\n"
        "assert MetadataWrapper is libcst.MetadataWrapper\n"
        "nodes = MetadataWrapper(libcst.parse_module('a = 1')).resolve(PositionProvider)\n"
        "print(libcst.metadata.__spec__.name, len(nodes) > 3)\n"
    )
    assert said_by(script) == "False False\nlibcst.metadata True\n"


def test_where_libcst_is_known_already_it_stays_as_it_is() -> None:
    script = (
        "import dataclasses, libcst\n" + MADE + "try: libcst.Name('')\n"
        "except libcst.CSTValidationError: print('validated')\n"
    )
    assert said_by(script) == "validated\n"


def test_rules_that_a_command_compiles_bring_no_other_libcst(tmp_path: Path) -> None:
    rule = "id: a\nmessage: a\nseverity: info\nmatch: 'f($X)'\nwhy: a\ninstead: a\ntags: [a]\n"
    (tmp_path / "a.yaml").write_text(rule)
    script = (
        f"import os\nos.environ['XDG_CACHE_HOME'] = {str(tmp_path)!r}\n"
        "from pathlib import Path\nfrom vetbox.own_process import own\nown()\n"
        "from vetbox.rules.loading.loader import load_rules\n"
        f"load_rules(Path({str(tmp_path)!r}), shipped=False)\n"
        "import libcst\nlibcst.Name('')\nprint('made')\n"
    )
    assert said_by(script) == "made\n"


def test_who_imports_vetbox_keeps_libcst_as_it_is() -> None:
    script = (
        "from vetbox.validation import validate_python_code\n"
        "assert not validate_python_code('eval(x)').valid\n"
        "import libcst\n"
        "try: libcst.Name('')\n"
        "except libcst.CSTValidationError: print('validated')\n"
    )
    assert said_by(script) == "validated\n"


@pytest.mark.parametrize(("command", "owned"), [("check", True), ("run", False), ("serve", False)])
def test_a_command_that_may_run_the_code_of_others_is_not_ours_alone(
    command: str, owned: bool
) -> None:
    script = (
        f"import sys\nsys.argv = ['vetbox', {command!r}, '--help']\n"
        "from vetbox.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "from vetbox.own_process import is_owned\n"
        "print(is_owned())\n"
    )
    assert said_by(script).splitlines()[-1] == str(owned)
