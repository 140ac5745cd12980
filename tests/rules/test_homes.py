"""What packages define in modules of their own is known by the name that rules use."""

import re
from pathlib import Path

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.homes import HOMES
from vetbox.validation import validate_python_code

RULES = Path(__file__).parents[2] / "rules"


@pytest.mark.parametrize("home", sorted(HOMES))
def test_a_home_is_what_rules_call_it(home: str) -> None:
    assert canonical.imported(home) == HOMES[home]
    assert canonical.attribute(*home.rsplit(".", 1)) == HOMES[home]


def test_no_rule_names_a_home() -> None:
    """It would never match: the resolver gives the shorter name."""
    homes = "|".join(map(re.escape, HOMES))
    named = re.compile(rf"(?<![\w./])(?:{homes})(?=[.\s,\]\"'])")
    assert not [path.name for path in RULES.rglob("*.yaml") if named.search(path.read_text())]


@pytest.mark.parametrize(
    "code",
    [
        "from joblib.numpy_pickle import load\nload('x')",
        "import joblib.numpy_pickle as n\nn.load('x')",
        "import joblib\njoblib.numpy_pickle.load('x')",
        "from joblib.numpy_pickle import *\nload('x')",
        "from joblib import numpy_pickle\nnumpy_pickle.load('x')",
    ],
)
def test_every_way_to_a_home_leads_there(code: str) -> None:
    assert [f.code for f in validate_python_code(code).findings] == ["model-file-load"]


def test_other_modules_of_the_package_stay_themselves() -> None:
    assert validate_python_code("from joblib.hashing import load\nload('x')").findings == ()


@pytest.mark.parametrize("home", sorted(HOMES.keys() - {"past.builtins"}))
def test_a_part_of_a_file_decides_whatever_module_defines_what_is_called(home: str) -> None:
    call = {"call": {"name": f"{HOMES[home]}.launch"}}
    rule = {"id": "launch", "message": "found", "severity": "warning", "match": call}
    rules = RuleSet.of([rule_from_data(rule, "pack/launch.yaml")])
    package, _, module = home.rpartition(".")
    for code in (
        f"from {home} import launch\nlaunch(x)",
        f"import {home} as m\nm.launch(x)",
        f"import {home}\n{home}.launch(x)",
        f"from {package} import {module} as m\nm.launch(x)",
        f"from {package} import {module}\n{module}.launch(x)",
    ):
        found = check(Source.from_text(f"y = 1\n{code}\n"), rules, profile=Profile.REPO)
        assert [(one.code, one.location.line) for one in found] == [("launch", 3)], code
