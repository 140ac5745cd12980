"""What is read of a request once more is good where a test asked about that very element."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

RULES = load_rules()
HEAD = "import os\nimport re\nimport sys\nfrom flask import abort, request\n"
GUARD = 'if not re.fullmatch(r"\\w+", {asked}): abort(400)'
GOOD = [
    ('request.args["host"]', 'request.args["host"]'),
    ('request.args.get("host")', 'request.args.get("host")'),
    ('request.args["host"]', 'request.args.get("host")'),
    ("request.data", "request.data"),
]
BAD = [
    ('request.args["host"]', 'request.args["port"]'),
    ('request.args["host"]', 'request.form["host"]'),
    ('request.args.get("host")', 'request.args.get("port")'),
    ('request.args["host"]', "str(request.args)"),
    ('request.args["host"]', "next(request.args.values())"),
    ('request.json["a"]["host"]', 'request.json["b"]["host"]'),
    ("request.data.strip()", "request.get_data()"),
]


def rules_in(code: str) -> set[str]:
    source = Source.from_text(HEAD + code, "app.py")
    return {one.code for one in check(source, RULES, profile=Profile.REPO)}


def used(asked: str, read: str, guard: str = GUARD) -> bool:
    code = f"def view():\n    {guard.format(asked=asked)}\n    os.system('ping ' + {read})\n"
    return "shell-from-request" in rules_in(code)


@pytest.mark.parametrize(("asked", "read"), GOOD)
def test_the_very_one_that_was_asked_about_is_good(asked: str, read: str) -> None:
    assert not used(asked, read)
    assert used(asked, read, 'if not re.fullmatch(r"\\w+", {asked}): print("odd")')


@pytest.mark.parametrize(("asked", "read"), BAD)
def test_another_one_is_not(asked: str, read: str) -> None:
    assert used(asked, read)


def test_a_text_may_be_asked_itself() -> None:
    assert not used(
        'request.args["a"]', 'request.args["a"]', "if not {asked}.isalnum(): abort(400)"
    )


def test_of_something_else_by_the_name_nothing_is_known() -> None:
    code = (
        "def view():\n    form = request.form\n    " + GUARD.format(asked='form["host"]') + "\n"
        "    form = request.values\n    os.system('ping ' + form[\"host\"])\n"
    )
    assert "shell-from-request" in rules_in(code)


@pytest.mark.parametrize("asked", ["input()", "sys.stdin.readline()"])
def test_what_is_typed_once_more_is_something_else(asked: str) -> None:
    guard = GUARD.format(asked=asked)
    code = f"def ask():\n    {guard}\n    os.system('ping ' + {asked})\n"
    assert "shell-from-input" in rules_in(code)
