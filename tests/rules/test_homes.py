"""What packages define in modules of their own is known by the name that rules use."""

import re
from pathlib import Path

import pytest

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
