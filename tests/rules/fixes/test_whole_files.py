"""Fixes on whole files: the code means what it did, and the lines around it stay as they were."""

from functools import partial

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.fixes import fixed
from vetbox.rules.loading.loader import rule_from_data

FRAME = {"id": "the-rule", "message": "m", "severity": "error"}
SET = {"match": {"call": {"name": "g", "args": {"a": {"is": "falsy"}}}}}
SUM = {"match": "g($X, $Y)", "fix": {"replace": "$X + $Y", "safety": "safe"}}
BARE = {"match": "g($X)", "fix": {"replace": "$X", "safety": "safe"}}
TEXT = {"match": 'g("$X")', "fix": {"replace": 'h("$X")', "safety": "safe"}}
FOCUSED = {"match": {"pattern": "g($X)", "focus": "$X"}, "unless": ["g(h(...))"]}
FOCUSED["fix"] = {"replace": "h($X)", "safety": "safe"}
INPUT = {"sources": [{"match": "ask()"}], "sanitizers": [{"match": "h(...)"}]}
FLOW = {
    "taint": {**INPUT, "sinks": [{"match": "g($X, ...)"}]},
    "fix": {"replace": "k($X)", "safety": "safe"},
}
FOCUSED_FLOW = {
    "taint": {**INPUT, "sinks": [{"match": {"pattern": "g($X, ...)", "focus": "$X"}}]},
    "report": {"at": "focus"},
    "fix": {"replace": "h($X)", "safety": "safe"},
}
CALLED_FLOW = {
    "taint": {**INPUT, "sinks": [{"match": {"call": {"name": "os.system"}}, "at": "arg.0"}]},
    "fix": {"replace": "k()", "safety": "safe"},
}
REST = {"match": "g($X, $...REST)", "fix": {"replace": "h($...REST, first=$X)", "safety": "safe"}}
BRANCH = {"match": "if g(): ...", "fix": {"replace": "if h(): pass", "safety": "safe"}}
WHOLE = {"match": "def g(): ...", "fix": {"replace": "def h(): pass", "safety": "safe"}}
GONE = {"match": "g()", "fix": {"replace": "", "safety": "safe"}}
WORDS = {"match": {"raw": {"regex": "gee"}}, "fix": {"replace": "eff", "safety": "safe"}}
NUMBERS = {"match": {"raw": {"regex": "g[0-9]+"}}}
NUMBERS["fix"] = {"substitute": {"regex": "g([0-9])", "by": r"f\1"}, "safety": "safe"}
SET["fix"] = {"set-arg": {"a": "True"}, "safety": "safe"}
CASES = {
    "lines that end as Windows ends them": (
        SET,
        "x = 1\r\ng(a=0,\r\n  b='''1\r\n2''',\r\n)\r\n",
        "x = 1\r\ng(a=True,\r\n  b='''1\r\n2''',\r\n)\r\n",
    ),
    "a product": (SUM, "x = 2 * g(1, 2)\n", "x = 2 * (1 + 2)\n"),
    "an attribute": (SUM, "x = g(a, b).c\n", "x = (a + b).c\n"),
    "brackets of its own": (SUM, "x = 2 * (g(1, 2))\n", "x = 2 * (1 + 2)\n"),
    "an argument": (SUM, "f(g(1, 2), q=g(3, 4))\n", "f(1 + 2, q=3 + 4)\n"),
    "a choice": (SUM, "x = g(1 if a else 2, b)\n", "x = (1 if a else 2) + b\n"),
    "two on a line, of which one cannot be": (
        BARE,
        "g(y := 2)\nz = [g(xyz), g(a), g(bb)]\n",
        "g(y := 2)\nz = [xyz, a, bb]\n",
    ),
    "a text": (TEXT, "g('a')\ng(\"b\\n\")\ng(r'\\d')\n", "h('a')\nh(\"b\\n\")\nh(r'\\d')\n"),
    "all other arguments": (
        REST,
        "x = g(1, 2, *a, k=3, **b)\n",
        "x = h(2, *a, k=3, **b, first=1)\n",
    ),
    "a block with a comment behind it": (
        BRANCH,
        "def f():\n    # on it\n    if g():\n        x()\n        # in it\n    # behind\n    z()\n",
        "def f():\n    # on it\n    if h(): pass\n        # in it\n    # behind\n    z()\n",
    ),
    "a branch that hangs on another": (
        BRANCH,
        "if x:\n    a()\nelif g():\n    b()\nelse:\n    c()\n",
        "if x:\n    a()\nelif g():\n    b()\nelse:\n    c()\n",
    ),
    "a definition with decorators": (
        WHOLE,
        "x = 1\n\n\n# it\n@a\n@b(1)\ndef g():\n    return 2\n\n\ny = 3\n",
        "x = 1\n\n\n# it\ndef h(): pass\n\n\ny = 3\n",
    ),
    "what is left out": (GONE, "x = 1\ng()\ny = 2\n", "x = 1\n\ny = 2\n"),
    "what cannot be left out": (GONE, "if x:\n    g()\n", "if x:\n    g()\n"),
    "text": (WORDS, "x = 'gee'  # gee\n", "x = 'eff'  # eff\n"),
    "a part of a text": (NUMBERS, "x = g12\n", "x = f12\n"),
    "what is in focus": (FOCUSED, "x = g(1 + 2)\n", "x = g(h(1 + 2))\n"),
    "where data arrives": (
        FLOW,
        "import z\n\n\ndef f():\n    x = ask()\n    return 2 * g(\n        x,  # it\n    )\n",
        "import z\n\n\ndef f():\n    x = ask()\n    return 2 * k(x)\n",
    ),
    "what arrives": (
        FOCUSED_FLOW,
        "x = ask()\r\nif z:\r\n    g(x + 1,\r\n      2)\r\n",
        "x = ask()\r\nif z:\r\n    g(h(x + 1),\r\n      2)\r\n",
    ),
    "a function that data is handed to": (FLOW, "map(g, ask())\n", "map(g, ask())\n"),
    "a function that is handed to one of the file": (
        CALLED_FLOW,
        "import os\ndef run(f, x):\n    f(x)\nrun(os.system, ask())\nos.system(ask())\n",
        "import os\ndef run(f, x):\n    f(x)\nrun(os.system, ask())\nk()\n",
    ),
    "a variable that holds a text": (TEXT, "x = 'a'\ng(x)\n", "x = 'a'\nh(x)\n"),
}


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("case", CASES)
def test_a_fix_says_what_is_meant_and_changes_nothing_else(case: str, profile: Profile) -> None:
    rule, before, expected = CASES[case]
    rules = RuleSet.of([rule_from_data({**FRAME, **rule}, "pack/the-rule.yaml")])
    found = partial(check, rules=rules, profile=profile)
    after = fixed(before, lambda text: found(Source.from_text(text)))
    assert after.text == expected
    assert fixed(after.text, lambda text: found(Source.from_text(text))).text == expected
