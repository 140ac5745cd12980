"""A code base is told of the four builtins in the same sentence as an agent: corpora name by it."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

CALLS = {
    "eval": "eval(text)",
    "exec": "exec(text)",
    "compile": 'compile(text, "x", "exec")',
    "__import__": "__import__(name)",
}


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("name", CALLS)
def test_a_builtin_is_named_alike_in_every_profile(name: str, profile: Profile) -> None:
    code = f"def f(text, name):\n    return {CALLS[name]}\n"
    found = check(Source.from_text(code), load_rules(), profile=profile)
    assert f"Dangerous call: {name}() not allowed" in {one.message for one in found}
