"""What a line alone decides is what the judge says of the whole file; the rest is left to it."""

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sampling import sample
from vetbox.code.source import Source, SourceError
from vetbox.findings import Finding
from vetbox.rules import Profile, Rule, RuleSet, load_rules
from vetbox.rules.excerpt import reduce
from vetbox.rules.judging import findings
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.program import Program, program_of
from vetbox.rules.sifting import Sifted
from vetbox.rules.sifting.verdicts import Verdict

FIXTURES = Path(__file__).parents[3] / "fixtures"
PADDING = "".join(f"def other_{n}(a):\n    return a\n\n" for n in range(30))


def rule(name: str, match: dict[str, object], **more: object) -> Rule:
    data = {"id": name, "message": "{callee}!", "severity": "warning", "match": match, **more}
    return rule_from_data(data, name)


LOAD = {"call": {"name": ["pickle.load", "pickle.loads"]}}
HASH = {
    "all": [
        {"call": {"name": ["hashlib.md5"]}},
        {"not": {"call": {"name": "hashlib.*", "args": {"usedforsecurity": {"is": "falsy"}}}}},
    ]
}
RULES = {
    "load": rule("load", LOAD),
    "callee": rule("callee", LOAD, report={"at": "callee"}),
    "hash": rule("hash", HASH),
    "eval": rule("eval", {"call": {"name": "eval"}, "resolve": "dynamic"}),
    "shell": rule(
        "shell",
        {"call": {"name": "subprocess.run", "args": {"shell": {"is": "truthy"}}}},
        report={"at": "arg.shell"},
    ),
    "get": rule("get", {"call": {"name": "requests.get", "absent": ["timeout"]}}),
    "made": rule("made", {"call": {"name": "eval", "args": {"0": {"is": "non_literal"}}}}),
    "silent": rule(
        "silent",
        {
            "any": [
                {"except": {"bare": True, "body": "empty"}},
                {"except": {"type": ["Exception", "BaseException"], "body": "empty"}},
            ]
        },
        message="{source} hides it",
    ),
    "based": rule("based", {"class": {"base": ["pickle.Unpickler", "pickle.Pickler"]}}),
    "doubted": rule(
        "doubted",
        LOAD,
        doubtful=[{"call": {"name": "*", "args": {"encoding": {"is": "literal"}}}}],
    ),
    "dumped": rule(
        "dumped",
        {
            "all": [
                {"call": {"name": "pickle.load"}},
                {
                    "not": {
                        "inside": {"pattern": "pickle.dump($X, $F)\n...\n$Y = pickle.load($F)\n"}
                    }
                },
            ]
        },
    ),
    "named": rule("named", {"name": {"name": "pickle.load"}}),
    "said": rule("said", {"call": {"name": "eval", "args": {"0": {"regex": "^ab+$"}}}}),
    "valued": rule(
        "valued",
        {"call": {"name": "eval", "args": {"0": {"is": "any"}}}},
        message="{callee}({value})",
    ),
}
PROGRAM = program_of(RuleSet.of(RULES.values()), Profile.REPO)


def decided_in(code: str, *names: str) -> dict[str, list[Verdict]]:
    """What the lines of some code decide, behind enough other code."""
    program = program_of(RuleSet.of([RULES[name] for name in names]), Profile.REPO)
    source = Source.from_text(PADDING + code + "\n")
    hits = program.hits(source)
    assert hits, "the prefilter has dropped it already"
    sifted = Sifted()
    reduce(source.text, hits, program.reaches, program.sieve(hits, sifted))
    return sifted.decided


@pytest.mark.parametrize(
    ("name", "code", "count"),
    [
        ("load", "import pickle\npickle.load(x)", 1),
        ("load", "import pickle as p\np.load(x); p.loads(x)", 2),
        ("load", "from pickle import loads\ndef f():\n    return loads(x)", 1),
        ("load", "def f():\n    from pickle import loads\n    if x: return loads(x)", 1),
        ("load", "def f():\n    import pickle\ndef g():\n    pickle.load(x)", 1),
        ("load", "import pickle\npickle.dump(x)\npickle.load", 0),
        ("load", "import pickle\nload = json.load", 0),
        ("load", "from pickle import loads\nfrom json import load\nload(x)", 0),
        ("load", "def f():\n    from pickle import load\ndef g():\n    load(x)", 0),
        ("hash", "import hashlib\nhashlib.md5(x, usedforsecurity=False)", 0),
        ("hash", "import hashlib\nhashlib.md5(x).hexdigest()", 1),
        ("eval", "eval(x)\neval(f'{eval}')\nx.eval(y)", 2),
        ("eval", "def f():\n    ...\neval(x)", 1),
        ("shell", "import subprocess\nsubprocess.run(x, shell=True)", 1),
        ("shell", "import subprocess\nsubprocess.run(x, shell=0)", 0),
        ("get", "import requests\nrequests.get(u); requests.get(u, timeout=9)", 1),
        ("made", "eval(f'{x}')\neval('1')", 1),
        ("silent", "try: x\nexcept Exception:  # why\n    pass\n", 1),
        ("silent", "try: x\nexcept Exception:\n    pass\n    x\n", 0),
        ("silent", "try: x\nexcept (KeyError, Exception):\n    ...\n", 1),
        ("silent", "try: x\nexcept x.Exception:\n    pass\n", 0),
        ("eval", "import builtins\ndef f(k):\n    getattr(builtins, k)(x)", 0),
        ("eval", "key = 'ev' + 'il'\ngetattr(x, key)(y)  # eval", 0),
        ("said", "a, b = 'a', 'b' * 2\neval('ab'); eval('%sc' % 'ab')", 1),
        ("said", "eval('-'.join(['a', 'b'])); eval((-1, 2)); eval('b' + 'a')  # ab", 0),
        ("named", "import pickle\nf(pickle.load, pickle.loads)", 1),
        ("doubted", "import pickle\npickle.load(x)\npickle.load(x, encoding='é')", 2),
        ("dumped", "import pickle\ndef f():\n    pickle.dump(x, y)\nz = pickle.load(y)", 1),
        ("dumped", "import pickle\nz = pickle.load(y)\npickle.dump(x, y)", 1),
        ("based", "import pickle\nclass A(pickle.Unpickler): pass", 1),
        ("based", "from pickle import Unpickler\nfrom x import B\nclass A(B, Unpickler): pass", 1),
    ],
)
def test_what_is_plain_is_told(name: str, code: str, count: int) -> None:
    assert len(decided_in(code, name)[name]) == count


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("load", "import pickle\npickle = x\npickle.load(y)"),
        ("load", "import pickle as p\ndef f(p):\n    p.load(y)"),
        ("load", "from pickle import load\nfor load in x: load(y)"),
        ("load", "try:\n    import cPickle as p\nexcept E:\n    import pickle as p\np.load(x)"),
        ("load", "if x:\n    from pickle import load\nload(x)"),
        ("load", "def f():\n    load(x)\nfrom pickle import load"),
        ("load", "class A:\n    from pickle import load\n    def f(self): load(x)"),
        ("load", "import pickle as p\nf'{(p := x)}'\np.load(x)"),
        ("load", "import pickle as p\ndel p\np.load(x)"),
        ("load", "import pickle as p\ndef f():\n    global p\n    p = 1\np.load(x)"),
        ("load", "import pickle as p\nmatch x:\n    case [p]: p.load(x)"),
        ("load", "import pickle as p\nmatch x:\n    case p: p.load(x)"),
        ("load", "import pickle\nload = pickle.load\nload(x)"),
        ("load", "import pickle\n@pickle.load\ndef f(): pass"),
        ("load", "import pickle\nf'{pickle.load(x)}'"),
        ("eval", "from x import *\neval(y)"),
        ("eval", "def eval(x): pass\neval(y)"),
        ("eval", "from x import eval\neval(y)"),
        ("eval", "import operator\noperator.call(eval, x)"),
        ("eval", "import builtins\nkey = 'ev' + 'al'\ngetattr(builtins, key)(x)"),
        ("said", "x = 'a'\neval(x + 'b')  # ab"),
        ("doubted", "import pickle\npickle.load(x, encoding=y)\ny = 'é'"),
        ("dumped", "import pickle\npickle.dump(x, y)\nz = pickle.load(y)"),
        ("dumped", "import pickle\nd = pickle.dump\ndef f():\n    d(x, y)\n    z = pickle.load(y)"),
        ("shell", "import subprocess\nsubprocess.run(x, **options)  # shell"),
        ("shell", "import subprocess\non = True\nsubprocess.run(x, shell=on)"),
        ("made", "x = '1'\neval(x)"),
        ("silent", "try: x\nexcept Exception: pass\n"),
        ("silent", "try: x\nexcept Exception:\n    pass; x\n"),
        ("silent", "Exception = x\ntry: x\nexcept Exception:\n    pass\n"),
        ("based", "import pickle\nx = y\nclass A(x.Y, pickle.Unpickler): pass"),
        ("valued", "eval(x)"),
    ],
)
def test_what_is_not_sure_is_left_to_the_judge(name: str, code: str) -> None:
    assert name not in decided_in(code, name)


def test_of_several_rules_each_is_told_by_itself() -> None:
    code = "import pickle\npickle.load(x)\neval(y)\n@eval\ndef f(): pass"
    assert decided_in(code, "load", "eval").keys() == {"load"}


# The law -----------------------------------------------------------------------------------------


ROOTS = "def roots():\n    import pickle, hashlib, subprocess, requests, operator\n\n"


def agrees(source: Source, program: Program) -> int:
    """Are the findings those of the whole file? How many."""
    hits = program.hits(source)
    rules = {name: found for name, found in hits.items() if not program.rules[name].flows}
    short = findings(source, program, rules)
    whole = findings(source, program, dict.fromkeys(rules, ()))
    assert sorted(map(as_read, short)) == sorted(map(as_read, whole))
    return len(whole)


def as_read(finding: Finding) -> str:
    """As a finding in a part of a file reads, whose line ends are all the same."""
    return repr(finding).replace("\\r\\n", "\\n")


IMPORTS = (
    "import pickle", "import pickle as p", "import pickle, hashlib as h", "from pickle import load",
    "from pickle import (\n  loads as load, Unpickler\n)", "from x import load", "import os.path",
    "from .pickle import loads", "from . import pickle", "from subprocess import run", "import re",
    "import subprocess", "import requests", "from hashlib import md5", "from requests import get",
    "import x.pickle", "import x as pickle", "from operator import call", "import hashlib",
)  # fmt: skip
CALLEES = (
    "pickle.load", "p.load", "load", "loads", "x.load", "hashlib.md5", "h.md5", "md5", "run",
    "eval", "subprocess.run", "requests.get", "get", "p.Unpickler", "(eval)", "x().load",
    "eval.__call__", "call",
    "builtins.eval", "(pickle\n .load)", "getattr(pickle, 'load')",
)  # fmt: skip
ARGUMENTS = (
    "", "x", "'é'", "x, shell=True", "y, shell=False", "*x", "**x", "x, shell=y", "'1', timeout=9",
    "x, usedforsecurity=False", "f'{x}'", "eval, x", "b, usedforsecurity=0", "(1, 2)",
    "x for x in y",
    "\n  x,  # é\n shell=(True)", "'a' 'ü', timeout=None", "lambda p: p.load(x)", "p",
    "(load := x)",
)  # fmt: skip
SIMPLE = (
    "pickle.dump(x, y)", "load = pickle.dump", "x = pickle.load(y)", "pickle.dump(x, f=y)",
    "x = 'a' + p", "p = 'b' * 2", "eval(x)", "pickle.load(x, encoding='a' 'b')", "x = pickle.load",
    "getattr(x, p)(y)", "getattr(pickle, 'lo' + 'ad')(y)", "eval(f'a{p}')", "eval('%s' % x)",
    "{}", "x = {}", "return {}", "{}; {}", "if {}: {}", "x = 'é', {}  # ö", "f'{{{}}}'",
    "assert {}, {}",
    "p = {}", "load = {}", "pickle = {}", "md5: int = {}", "eval = {}", "del p",
    "global load",
    "for load in {}: pass", "with {} as run: {}", "lambda eval: {}", "[{} for md5 in x]",
    "x.load = {}",
    "def f(p={}): {}", "class A(pickle.Unpickler, p.Pickler): {}",
    "class B(Unpickler): pass",
    "@{}\ndef g(get): {}", "from x import *", "x = [\n  {},\n  'ä', {}]", "while {}: {}",
    "yield {}",
)  # fmt: skip
BLOCKS = (
    ("if {}:", "elif {}:", "else:"), ("def f(x):",), ("def load():",), ("class C:",), ("else: x",),
    ("try:", "except Exception:  # é"), ("try:", "except:"),
    ("try:", "except (x, Exception):", "finally:"),
    ("for p in {}:", "else:"), ("while x:",), ("with {}:",), ("match {}:",),
    ("async def get(p):",),
    ("try:", "except {}:"), ("try:", "except p as load:"),
)  # fmt: skip
BODIES = (["pass"], ["..."], ["continue"], ["pass", "x"], ["'é'"], ["pass;"])


@st.composite
def calls(draw: st.DrawFn) -> str:
    return f"{draw(st.sampled_from(CALLEES))}({draw(st.sampled_from(ARGUMENTS))})"


@st.composite
def filled(draw: st.DrawFn, template: str) -> str:
    while "{}" in template:
        template = template.replace("{}", draw(calls()), 1)
    return template.replace("{{", "{").replace("}}", "}")


@st.composite
def blocks(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """The lines of a block, which may hold others."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["import", "line", "line", "block"]))
        if kind == "block" and depth < 3:
            for opener in draw(st.sampled_from(BLOCKS)):
                inside = draw(st.sampled_from(BODIES) | blocks(depth + 1))
                if opener.startswith("match"):
                    inside = ["case load:", *(f"  {line}" for line in inside)]
                lines += [draw(filled(opener)), *(f"    {line}" for line in inside)]
        elif kind == "import":
            lines.append(draw(st.sampled_from(IMPORTS)))
        else:
            lines.append(draw(filled(draw(st.sampled_from(SIMPLE)))))
    return lines


@given(lines=blocks(), newline=st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=300, deadline=None)
def test_the_law_holds_on_made_up_programs(lines: list[str], newline: str) -> None:
    text = PADDING + ROOTS + "\n".join(lines) + "\n"
    source = Source.from_text(text.replace("\n", newline))
    try:
        source.tree  # noqa: B018 - is it Python at all?
    except SourceError:
        return
    agrees(source, PROGRAM)


@pytest.mark.slow
def test_the_law_holds_on_every_fixture() -> None:
    program = program_of(load_rules(), Profile.REPO)
    count = 0
    for path in sample(sorted(FIXTURES.rglob("*.py")), each=6):
        try:
            source = Source.from_text(PADDING + path.read_text("utf-8"), path.name)
            source.tree  # noqa: B018 - what is not Python has no findings to compare
        except (SourceError, UnicodeDecodeError):
            continue
        count += agrees(source, program)
    assert count > 80


@pytest.mark.slow
def test_the_law_holds_on_the_standard_library() -> None:
    program = program_of(load_rules(), Profile.REPO)
    count = 0
    for path in sample(sorted(Path(sysconfig.get_path("stdlib")).glob("*/*.py"))[::4]):
        try:
            count += agrees(Source.from_bytes(path.read_bytes(), path.name), program)
        except SourceError:
            continue
    assert count > 5  # some systems leave parts of the library out
