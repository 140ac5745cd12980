"""Code patterns of dotted names start no work on files that cannot hold them, and miss none."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, Rule, RuleSet, check
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.program import program_of

FRAME = {"id": "the-rule", "message": "{callee}", "severity": "error"}
LOGGER = {
    "call": {"name": ["*.error"]},
    "pattern": "$L.$M(...)",
    "where": [{"metavariable": "$L", "regex": "(?i)^(?:_?log(?:ger)?)$"}],
}
CHAIN = {"pattern": "chain.$M(...)", "where": [{"metavariable": "$M", "regex": "^(?:run|invoke)$"}]}

TOOL = {"all": [{"pattern": "return $X"}, {"inside": {"def": {"decorator": ["*.tool"]}}}]}
ASKED = {"def": {"name": ["on_message"], "decorator": ["*.event"]}}
SERVED = {
    "all": [{"def": {"parameters": ["request"]}}, {"inside": {"class": {"base": ["*.*Servicer"]}}}]
}
MADE = {
    "all": [
        {"call": {"name": ["hashlib.md5"]}},
        {"has": {"call": {"name": ["time.time_ns"]}}},
        {
            "any": [
                {"inside": {"def": {"name-regex": "^make_"}}},
                {"inside": {"assign": {"target-regex": "^token$"}}},
            ]
        },
    ]
}
NUMBER = {
    "pattern": "int($REQUEST.$FIELDS[...])",
    "where": [
        {"metavariable": "$REQUEST", "regex": r"(?:^|\.)request$"},
        {"metavariable": "$FIELDS", "regex": "^args$"},
    ],
}
KEYED = {
    "all": [
        {
            "pattern": '$ENVIRON["$KEY"]',
            "where": [{"metavariable": "$KEY", "regex": "^(?:PATH_INFO|HTTP_.*)$"}],
        },
        {"inside": {"def": {"parameters": ["start_response"]}}},
    ]
}
ROLE = '{..., "role": $WHO, ...}'
OPENED = {"pattern": "lib.Cipher.new(...).decrypt(...)"}
ANY = {"pattern": "lib.Cipher.new(...).$M(...)"}
FOUND = [
    (OPENED, "import lib\ndef f(a):\n    c = lib.Cipher.new(a)\n    return c.decrypt(a)\n"),
    (ANY, "import lib\nc = lib.Cipher.new(1)\nprint()\nc.decrypt(d)\n"),
    (OPENED, "from lib import Cipher as C\nc = C.new(\n    1\n)\nd = 2\nc.decrypt(d)\n"),
    (SERVED, "class A(grpc_a.AServicer):\n    def f(self, request):\n        pass\n"),
    (SERVED, "from a import BServicer as B\nclass A(B):\n    def f(self, request):\n        1\n"),
    (TOOL, "@server.tool()\ndef f():\n    return 1\n"),
    (ASKED, "@bot.event\nasync def on_message(message):\n    pass\n"),
    (ASKED, "import a\n\n@first\n@a.b.event\n@other\ndef on_message():\n    pass\n"),
    (ASKED, "class A:\n    @other\n    @bot.event()\n    def on_message(self): pass\n"),
    (MADE, "import time as t, hashlib\ndef make_a(): hashlib.md5(t.time_ns())\n"),
    (MADE, "import time, hashlib\ntoken = hashlib.md5(time.time_ns())\n"),
    (ROLE, "x = [\n    {'a': 1, 'role': you}]\n"),
    (KEYED, "def f(env, start_response):\n    return env['PATH_INFO']\n"),
    (KEYED, "def f(env, start_response):\n    return env  \\\n        [('HTTP_' 'X')]\n"),
    ("$F(**$X)", "f()(\n    # all\n    ** x)\n"),
    ("$X += $X", "text  \\\n  += (text)\n"),
    ("$X += $X", "a.b[0] += a.b[0]\n"),
    ("$X **= $X", "x **= x\n"),
    ("$X = $X + $X", "x = (x\n   + x)\n"),
    ("$X = $X * $X", "x: int = x * x\n"),
    ("request.GET", "def view(request):\n    return request.GET['a']\n"),
    ("request.GET", "def view(request):\n    return (request\n        .GET['a'])\n"),
    ("request.GET", "def view(request):\n    return request.  \\\n        GET\n"),
    ("sys.argv", "import sys as s\nprint(s.argv)\n"),
    ("sys.argv", "from sys import argv as given\nprint(given)\n"),
    ("sys.argv", "import os, \\\n    sys as s\nprint(s.argv)\n"),
    ("sys.argv", "if True: import sys as s\nprint(s.argv)\n"),
    ("sys.argv", "from sys import (\n    path,  # :)\n    argv as given,\n)\nprint(given)\n"),
    ("self.write(...)", "class A:\n    def get(self):\n        self.write(1)\n"),
    ("eval(...)", "eval(x)\n"),
    ("eval(...)", "def f(eval):\n    eval(1)\n"),
    ("eval(...)", "import builtins as b\nb.eval(x)\n"),
    ("eval(...)", "import six\nsix.moves.builtins.eval(x)\n"),
    ("eval(...)", "import logging\nlogging.builtins.eval(x)\n"),
    ("eval(...)", "frame.f_builtins.eval(x)\n"),
    ("eval(...)", "from builtins import *\neval(x)\n"),
    ("eval(...)", "import eval as e\ne(1)\n"),
    ("eval(...)", "e = [eval]\nfor f in e:\n    f(x)\n"),
    ("eval(...)", "class A:\n    def f(self):\n        self.e = eval\n        self.e(x)\n"),
    ("open($F, mode=$M)", "import io\nio.open(f, mode='r')\n"),
    ("a.run(..., shell=True)", "import a as b\nb.run(1, **{'shell': True})\n"),
    (CHAIN, "def f(chain):\n    chain.run(1)\n"),
    (CHAIN, "import chain as c\nc.invoke()\n"),
    (NUMBER, "int(request.args['n'])\n"),
    (NUMBER, "n = int((self.request\n    .args)['n'])\n"),
    (NUMBER, "number = int\nnumber(request.args['n'])\n"),
    (LOGGER, "def f(LOG):\n    LOG.error(1)\n"),
    ('$A.get("HTTP_X", ...)', "a.get('HTTP_X')\n"),
    ('$A.get("HTTP_X", ...)', "a.get('HTTP_' 'X', None)\n"),
    ('$A.get("HTTP_X", ...)', "a.get('HTTP' + r'_X')\n"),
    ('$A.get("x", ...)', "a.get('\\x78')\n"),
]
SPARED = [
    (ASKED, "@bot.event\ndef on_ready():\n    pass\n"),
    (ASKED, "@bot.other\ndef on_message(event):\n    pass\n"),
    (SERVED, "class A(grpc_a.AService):\n    def f(self, request):\n        pass\n"),
    (TOOL, "def f(tool):\n    return 1\n"),
    (MADE, "import time, hashlib\ndef have_a(): hashlib.md5(time.time_ns())\n"),
    (MADE, "import hashlib\ndef make_a(): hashlib.md5(clock.time_ns())\n"),
    (ROLE, "x = {'a': 1}\n"),
    (KEYED, "def f(env, start_response):\n    return 'PATH_INFO'\n"),
    (KEYED, "def f(env):\n    return env['PATH_INFO']\n"),
    ("$F(**$X)", "f(x ** 2)\n"),
    ("request.GET", "def view(request, names):\n    return names.GET\n"),
    ("request.GET", "import requests\ndef view(request, names):\n    return names.GET\n"),
    ("self.write(...)", "class A:\n    def get(self, out):\n        out.write(1)\n"),
    ("eval(...)", "def f(x):\n    x.eval(1)\n    x.builtin.eval(1)\n"),
    ("open($F, mode=$M)", "import os\nos.open(f, mode='r')\n"),
    ("a.run(..., shell=True)", "import a as b\nb.run(1)\n"),
    (CHAIN, "from itertools import chain\nchain(a)\nb.run()\n"),
    (NUMBER, "int(answer.args['n'])\n"),
    (NUMBER, "int(request.form['n'])\n"),
    (LOGGER, "def f(log, page):\n    page.error(1)\n"),
    ('$A.get("HTTP_X", ...)', "a.get('HTTP_', 'X')\n"),
    ('$A.get("HTTP_X", ...)', "a.get('http_x')\n"),
]


@pytest.mark.parametrize(("pattern", "code"), FOUND)
def test_what_a_pattern_means_is_found(pattern: object, code: str) -> None:
    assert check(Source.from_text(code), RuleSet.of([_rule(pattern)]), profile=Profile.REPO)


@pytest.mark.parametrize(("pattern", "code"), SPARED)
def test_what_cannot_be_meant_is_spared(pattern: object, code: str) -> None:
    assert not program_of(RuleSet.of([_rule(pattern)]), Profile.REPO).hits(Source.from_text(code))


def _rule(pattern: object) -> Rule:
    match = {"pattern": pattern} if isinstance(pattern, str) else pattern
    return rule_from_data({**FRAME, "match": match}, "pack/the-rule.yaml")
