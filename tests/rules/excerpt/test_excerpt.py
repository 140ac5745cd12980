"""The law of the excerpt: what it decides is what the whole file would have decided."""

import ast
import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from vetbox.code.source import Source, SourceError
from vetbox.findings import Finding
from vetbox.rules import Profile, Rule, RuleSet, check, load_rules
from vetbox.rules.excerpt import reduce
from vetbox.rules.excerpt.carriers import CARRIERS
from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.judging import findings as judged
from vetbox.rules.language.anchors import Anchor, Reach
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.program import program_of
from vetbox.rules.resolve.computing import FUNCTIONS, METHODS
from vetbox.rules.resolve.indirection import _WRAPPERS

SYSTEM = {
    "os-system": (
        Anchor(
            words=frozenset({"os", "system"}),
            sites=frozenset({"system"}),
            via=frozenset({"os"}),
            root="os",
            any_receiver=False,
            in_strings=False,
        ),
    )
}
NAMES = {"os-system": Reach.NAMES}


def excerpt_of(text: str) -> str | None:
    found = reduce(text, SYSTEM, NAMES)
    return None if found is None else found.text


RAW = {
    "raw-sql": (
        Anchor(
            words=frozenset({"objects", "raw"}),
            sites=frozenset({"raw"}),
            via=frozenset({"objects"}),
            any_receiver=False,
            dotted=True,
            in_strings=False,
        ),
    )
}
PADDING = "".join(f"def other_{n}(a):\n    return a\n\n" for n in range(20))


@pytest.mark.parametrize(
    "kept",
    [
        "import os\nos.system(x)",
        "from os import system as s\ns(x)",
        "import os as o\no.system(x)",
        "import os\nrun = os.system\nrun(x)",
        "import os\nclass A:\n    run = os.system\nA().run(x)",
        "import os\ntable = {'a': os.system}\ntable['a'](x)",
        "import os\nif x:\n    y = 1\nelse:\n    os.system(y)",
        "import os\ntry:\n    os.system(x)\nfinally:\n    pass",
        "import os\n@wraps(os.system)\ndef f():\n    pass",
        "import os\nx = 'a'\ndef f():\n    os.system(\n        x\n    )",
        "import os\ndef get():\n    return os.system\nget()(x)",
        "import os\nf'{os.system(x)}'",
        "import os\nx = (os\n     .system)(y)",
        "import os\ndef get():\n    yield os.system\nfor f in get():\n    f(x)",
        "from os import system\ndef f():\n    system(x).y = z",
        "from os import system\ndef f():\n    y, system(x)[0] = z",
    ],
)
def test_every_line_that_decides_is_kept(kept: str) -> None:
    found = excerpt_of(PADDING + kept + "\n")
    assert found is not None
    ast.parse(found)
    lines = [line.strip() for line in kept.split("\n") if line.strip() not in {"pass", "y = 1"}]
    assert [line for line in lines if line not in found] == []
    assert "other_1(" not in found


@pytest.mark.parametrize(
    "code",
    ["import os\n# os.system(x)\n", "import os\nself.system(x)\n", "x.system(1)\n", "import os\n"],
)
def test_what_cannot_fire_leaves_no_excerpt(code: str) -> None:
    found = excerpt_of(PADDING + code)
    assert found is not None
    assert "(x" not in found


@pytest.mark.parametrize(
    "code",
    [
        *(
            "x = 'a",
            "x = (",
            "x = ]",
            "\ufb01 = 1",
            "x = 1\rimport os",
            "from os import *",
            "x \\ y",
        ),
        *("@os.system('a')", "match os.system('a'):"),
    ],
)
def test_doubt_asks_for_the_whole_file(code: str) -> None:
    assert excerpt_of(f"{PADDING}import os\nos.system(x)\n{code}\n") is None


def test_a_site_of_any_receiver_may_be_imported_by_another_name() -> None:
    execute = {"query": (Anchor(frozenset({"execute"}), frozenset({"execute"})),)}
    code = "import db; from db import execute as e\ne(x)\n"
    found = reduce(PADDING + code, execute, {"query": Reach.NAMES})
    assert found is not None
    assert "e(x)" in found.text


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("Book.objects.raw(x)", True),
        ("self.model.objects.raw(x)", True),
        ("found = Book.objects\nfound.raw(x)", True),
        ("def f():\n    return Book.objects\nf().raw(x)", True),
        ("from books import objects\nobjects.raw(x)", True),
        ("from books.objects import raw\nraw(x)", True),
        ("class A:\n    objects = 1\nx.raw(y)", False),
        ("raw = read(objects)\nraw(y)", False),
    ],
)
def test_a_site_behind_a_word_of_any_receiver(code: str, kept: bool) -> None:
    found = reduce(PADDING + code + "\n", RAW, {"raw-sql": Reach.NAMES})
    assert found is not None
    assert ("raw(" in found.text) == kept


def test_lines_and_columns_are_those_of_the_file() -> None:
    text = f"{PADDING}import os\nclass A:\n    def f(self):\n        os.system('''\n''', x)\n"
    found = reduce(text, SYSTEM, NAMES)
    assert found is not None
    original = ["", *text.split("\n")]
    shown = ["", *found.text.split("\n")]
    assert all(shown[n] == original[line] for n, line in enumerate(found.lines) if line)


def test_carriers_cover_what_the_resolver_looks_through() -> None:
    names = {name.rpartition(".")[2] for name in (*FUNCTIONS, *METHODS, *_WRAPPERS)}
    assert {name for name in names if name.encode() not in CARRIERS} == set()


RULES = load_rules()


def both(source: Source, profile: Profile) -> tuple[list[Finding], list[Finding]]:
    """What the rules find by way of prefilter and excerpt, and in the file as a whole."""
    program = program_of(RULES, profile)
    on = {n for n, rule in program.rules.items() if not rule.taint and source.path in rule.paths}
    hits = {rule: held for rule, held in program.hits(source).items() if rule in on}
    short = judged(source, program, hits) if hits else []
    whole = judged(source, program, dict.fromkeys(on, ()))
    return sorted(short, key=repr), sorted(whole, key=repr)


def corpus(size: int) -> list[Path]:
    stdlib = Path(sysconfig.get_path("stdlib"))
    files = sorted(path for path in stdlib.glob("*/*.py") if path.stat().st_size < 30_000)
    return random.Random(7).sample(files, size)


@pytest.mark.slow
@pytest.mark.parametrize("profile", list(Profile))
def test_the_law_holds_on_real_code(profile: Profile) -> None:
    for path in corpus(40):
        try:
            source = Source.from_bytes(path.read_bytes(), path.as_posix())
            short, whole = both(source, profile)
        except SourceError:
            continue
        assert short == whole, path


STATEMENTS = (
    "import os", "import os as o", "from os import system", "from os import system as s",
    "import subprocess as sp", "x = os.system", "y = x", "y = 'ls'", "x('a')", "s(y)",
    "o.system(y)",
    "os.system('a' + y)",
    "sp.run(y, shell=True)", "z = True", "sp.call('ls', shell=z)", "eval(y)",
    "e = eval", "e(y)", "d = {'a': e}", "d['a'](y)", "getattr(os, 'sys' + 'tem')(y)", "del x",
    "k = lambda f=eval: f(1)", "w = [e for e in (eval, 1)]", "print(f'{eval(y)}')", "global y",
)  # fmt: skip
OPENERS = (
    "def f(y=eval):",
    "class C:",
    "if y:",
    "for x in (os.system, 1):",
    "with y as x:",
    "while z:",
)


@st.composite
def modules(draw: st.DrawFn) -> str:
    lines: list[str] = []
    depth = 0
    for _ in range(draw(st.integers(1, 14))):
        depth = draw(st.integers(0, depth))
        if draw(st.integers(0, 3)) == 0 and depth < 3:
            lines.append("    " * depth + draw(st.sampled_from(OPENERS)))
            depth += 1
        lines.append("    " * depth + draw(st.sampled_from(STATEMENTS)))
    return "\n".join(lines) + "\n"


@settings(max_examples=120, deadline=None)
@given(modules(), st.sampled_from(list(Profile)))
def test_the_law_holds_on_made_up_code(code: str, profile: Profile) -> None:
    source = Source.from_text(code + PADDING)
    try:
        short, whole = both(source, profile)
    except SourceError:
        return
    assert short == whole


RE = {
    "regex": (
        Anchor(
            words=frozenset({"re", "match"}),
            sites=frozenset({"match"}),
            via=frozenset({"re"}),
            root="re",
            any_receiver=False,
            in_strings=False,
        ),
    )
}


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("import re\nr = re\nr.match(x)", True),
        ("from six import re\nm = re.match\nm(x)", True),
        ("import re\nfor r in (re,): r.match(x)", True),
        ("import re\ndef f(x):\n    re, im = x.parts()\n    im.match(x)", False),
        ("from sympy import re\nr = re\nr.match(x)", False),
        ("r = re.group()\nr.match(x)", False),
    ],
)
def test_what_shares_the_name_of_a_module_leads_nowhere(code: str, kept: bool) -> None:
    found = reduce(PADDING + code + "\n", RE, {"regex": Reach.NAMES})
    assert found is not None
    assert bool(found.text) == kept


COMPUTED = {
    "id": "computed-name",
    "message": "A computed name",
    "severity": "warning",
    "match": {"name": {"name": ["sys.?"]}, "resolve": "dynamic"},
}


@pytest.mark.parametrize(
    "use",
    [
        "import sys\ndef f(name):\n    return getattr(sys, name)",
        "import sys as s\ndef f(name):\n    return getattr(s, name)(1)",
        "import sys\nm = sys\nx = vars(m)[input()]",
    ],
)
def test_a_computed_name_is_found_in_an_excerpt(use: str) -> None:
    rule = rule_from_data(COMPUTED, "pack/computed-name.yaml")
    program = program_of(RuleSet.of([rule]), Profile.REPO)
    source = Source.from_text(PADDING + use + "\n")
    whole = judged(source, program, {rule.id: ()})
    assert len(whole) == 1
    assert judged(source, program, program.hits(source)) == whole


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("class A:\n    y = 'a'\n    def f(self):\n        os.system(self.y)", True),
        ("class B:\n    y = 'a'\nclass A:\n    def f(self):\n        os.system(self.y)", False),
        ("class B:\n    y = 'a'\nclass A:\n    def f(self, b):\n        os.system(b.y)", True),
        ("class B:\n    y = 'a'\nimport b\nos.system(b.y)", False),
        ("class B:\n    y = 'a'\nb = B()\nos.system(b.y)", True),
        ("def g():\n    y = 'a'\n    return y\nos.system(g())", True),
        ("def g(x):\n    y = 'a'\n    os.system(x)\n    return y", False),
        ("def g(x):\n    y = 'returned'\nos.system(g())", False),
    ],
)
def test_what_gives_an_attribute_or_a_result(code: str, kept: bool) -> None:
    found = excerpt_of(f"{PADDING}import os\n{code}\n")
    assert found is not None
    assert ("    y = " in found) == kept


def rule(name: str, match: object) -> Rule:
    given = {"id": name, "message": "found", "severity": "error", "match": match}
    return rule_from_data(given, f"{name}.yaml")


THROUGH_NAMES = RuleSet.of(
    [
        rule("digest-compared", {"pattern": "hmac.new(...).hexdigest() == $X"}),
        rule("text-returned", {"pattern": "return <... log.text(...) ...>"}),
        rule(
            "debugged", {"call": {"name": "flask.Flask.run", "args": {"debug": {"is": "truthy"}}}}
        ),
        rule("marked", {"call": {"name": "markup.Markup"}}),
        rule("deleted", {"call": {"name": "pathlib.Path.unlink"}}),
    ]
)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import hmac\ndef f(a):\n    m = hmac.new(a).hexdigest()\n    return m == a", [4]),
        ("import hmac\ndef f(a):\n    m = hmac.new(a).hexdigest()\n    return f'{m == a}'", [4]),
        ("import hmac as h\ndef f(a):\n    return h.new(a).hexdigest() == a", [3]),
        ("import log as g\ndef f(a):\n    return 'a' + g.text(a)", [3]),
        ("import log\ndef f(a):\n    t = log.text(a)\n    return [t]", [4]),
        ("from pathlib import Path\nP = Path()\ndef f(a):\n    t = P / a\n    t.unlink()", [5]),
        (
            """\
from markup import Markup
from flask import Flask
def made():
    app = Flask()
    app.title = Markup('')
    return app
def main():
    made().run(debug=True)""",
            [5, 8],
        ),
    ],
)
def test_what_is_found_through_names_is_found_in_an_excerpt(code: str, found: list[int]) -> None:
    program = program_of(THROUGH_NAMES, Profile.REPO)
    source = Source.from_text(f"{code}\n{PADDING}", "a.py")
    hits = program.hits(source)
    assert reduce(source.text, hits, program.reaches, program.sieve(hits)) is not None
    assert [one.location.line for one in judged(source, program, hits)] == found


ENCLOSED = RuleSet.of(
    [
        rule(name, {"all": [{"call": {"name": "alpha.one"}}, {"inside": around}]})
        for name, around in {
            "in-call": {"call": {"name": "beta.two"}},
            "in-decorated": {"def": {"decorator": ["beta.two"]}},
            "in-subclass": {"class": {"base": ["beta.two"]}},
        }.items()
    ]
)


@pytest.mark.parametrize(
    "code",
    [
        "two(one(3))",
        "x = [two(one(y)) for y in k]",
        "class A:\n    x = two(one(3))",
        "@two\ndef f():\n    one(3)",
        "class A:\n    @two\n    def f(self):\n        one(3)",
        "class A(two):\n    x = one(3)",
    ],
)
def test_what_encloses_a_place_keeps_its_meaning_in_an_excerpt(code: str) -> None:
    text = f"from alpha import one\nfrom beta import two\n{PADDING}{code}\n{PADDING}"
    program = program_of(ENCLOSED, Profile.REPO)
    source = Source.from_text(text, "a.py")
    hits = program.hits(source)
    assert reduce(source.text, hits, program.reaches, program.sieve(hits)) is not None
    assert len(judged(source, program, hits)) == 1


IN_HEIR = {
    "all": [{"call": {"name": "alpha.one"}}, {"inside": {"class": {"ancestor": "beta.two"}}}]
}


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("class A(two): y = 1\n" + PADDING + "class B(A):\n    def f(self): one(3)", 1),
        ("class B(A):\n    def f(self): one(3)\n" + PADDING + "class A(two): y = 1", 0),
        (
            "class A(x, two): y = 1\n" + PADDING + "class C(A): y = 1\nclass B(C):\n    x = one(3)",
            1,
        ),
        ("class A(two): y = 1\n" + PADDING + "class B(C):\n    x = one(3)", 0),
        ("class A: y = two\n" + PADDING + "class B(A):\n    x = one(3)", 0),
    ],
)
def test_an_excerpt_has_the_bases_of_what_classes_inherit_from(code: str, count: int) -> None:
    program = program_of(RuleSet.of([rule("in-heir", IN_HEIR)]), Profile.REPO)
    text = f"from alpha import one\nfrom beta import two\n{PADDING}{code}\n{PADDING}"
    source = Source.from_text(text, "a.py")
    assert len(judged(source, program, program.hits(source))) == count


ALIASED = "rsa.generate_private_key"


@pytest.mark.parametrize(
    "code",
    [
        f"z = {ALIASED}; z(3, 3072)",
        f"z = {ALIASED} if eval(q) else None\nz(3, 3072)",
        f"[z := {ALIASED}, z(3, 3072)]",
        f"[z(3, 3072) for z in [{ALIASED}]]",
        f"for z in [{ALIASED}]: z(3, 3072)",
        f"def f(z={ALIASED}): return z(3, 3072)",
        f"def f(z={ALIASED}, y=eval(q)):\n    return z(3, 3072)",
        f"(lambda z={ALIASED}: z(3, 3072))()",
    ],
)
def test_a_line_that_gives_itself_or_others_a_name_is_read_whole(code: str) -> None:
    imported = "from cryptography.hazmat.primitives.asymmetric import rsa\n"
    source = Source.from_text(f"{imported}{PADDING * 2}{code}\n{PADDING}")
    found = {finding.code for finding in check(source, load_rules(), profile=Profile.REPO)}
    assert found == {"small-rsa-exponent"} | ({"eval-call"} if "eval" in code else set())


LINES = [
    "key = 'word'  # key",
    "# a word key \u00e9\u4e16\U0001f600 key",
    "text = '\u4e16 \U0001f600 key'; other = f'{key}'",
    "def key(\n    a='\u00e9', key=2\n): pass",
    '"""a key\n\u4e16key\n"""',
    "call(other_key, *key)",
    "",
]


@given(
    st.lists(st.sampled_from(LINES), max_size=8),
    st.sampled_from(["key", r"\bkey\b", r"key|\z", "(?:|key)", r"[\w']*key", r"\x{4e16}.*", "$"]),
)
def test_lines_are_told_by_characters_where_re2_counts_bytes(lines: list[str], regex: str) -> None:
    layout = Layout("\n".join(lines))
    assert Sites(layout, [Anchor(regex=regex)]).lines == set(lines_by_characters(layout, regex))


def lines_by_characters(layout: Layout, regex: str) -> Iterator[int]:
    """The lines on which code or a string begins to match, each search begun behind such a line."""
    after = 0
    while match := re2.compile(regex).search(layout.text, after):
        start = match.start()
        if start == len(layout.text):
            return
        line = layout.line_at(start)
        if layout.masked[start] == ord(" "):
            after = layout.data.find(b"\n", start) + 1 or len(layout.data)
        else:
            after = max(layout.ends[line], start + 1)
            yield line


@pytest.mark.parametrize("name", ["a.b.*.f", "a.*.C.f", "a.*.*.f", "a*.b.*.f", "*.b.*.f"])
@pytest.mark.parametrize(
    "code",
    [
        "from a.b import C\nc = C()\nc.f()\n",
        "from a import b\nb.C().f()\n",
        "import a.b as x\nC = x.C\nC().f()\n",
        "import a.b\ndef g():\n    with a.b.C() as c:\n        c.f()\n",
    ],
)
def test_a_name_with_any_word_in_it_is_found_in_an_excerpt(name: str, code: str) -> None:
    rules = RuleSet.of([rule("any-word", {"call": {"name": [name]}})])
    found = check(Source.from_text(PADDING + code), rules, profile=Profile.REPO)
    assert [one.callee for one in found] == ["a.b.C.f"]


def test_a_comment_above_all_statements_names_none_of_them() -> None:
    """What uses a module's name is kept with it; a comment uses nothing, and is no line."""
    text = "# system\nimport os\nsystem = os.system(x)\n" + "y = 1\n" * 9
    found = reduce(text, SYSTEM, {"os-system": Reach.FUNCTION})
    assert found is not None
    assert found.lines[1:] == (2, 3)
