"""The prefilter may say too much, never too little."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.rules import Profile
from vetbox.rules.filtering.anchoring import anchors_of
from vetbox.rules.filtering.mentions import imported_words
from vetbox.rules.filtering.prefilter import Prefilter, counting
from vetbox.rules.filtering.regex_search import Texts, one_of
from vetbox.rules.filtering.signs import ANY_MARK, OLD_PYTHON, OWN_MARK, SIGNS
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.formula import (
    All,
    Any,
    Argument,
    Assign,
    Call,
    Def,
    Has,
    Import,
    Inside,
    Names,
)
from vetbox.rules.language.values import Contains, Is, Named


def anchor(*words: str, regex: str = "") -> Anchor:
    return Anchor(words=frozenset(words), sites=frozenset(words[-1:]), regex=regex)


RULES = {
    "eval-call": (anchor("eval"), anchor("getattr")),
    "os-system": (anchor("os", "system"),),
    "os-popen": (
        Anchor(
            frozenset({"popen"}), frozenset({"popen"}), frozenset({"os"}), "os", any_receiver=False
        ),
    ),
    "compile": (
        Anchor(
            frozenset({"compile"}),
            frozenset({"compile"}),
            frozenset({"builtins"}),
            any_receiver=False,
        ),
    ),
    "open": (
        Anchor(
            frozenset({"open"}),
            frozenset({"open"}),
            frozenset({"builtins", "f_builtins", "io", "_io"}),
            any_receiver=False,
        ),
    ),
    "key": (anchor(regex=r"AKIA[0-9A-Z]{16}"),),
}
PREFILTER = Prefilter(RULES)


@pytest.mark.parametrize(
    ("code", "hits"),
    [
        ("x = evaluate(1)", set()),
        ("eval(x)", {"eval-call"}),
        ("getattr(a, b)", {"eval-call"}),
        ("import os", set()),
        ("import os\nos.path; system", {"os-system"}),
        ("k = 'AKIA0123456789ABCDEF'", {"key"}),
        ("\uff45\uff56\uff41\uff4c(x)", {"eval-call"}),
        ("\U0001d41e\U0001d42f\U0001d41a\U0001d425(x)", {"eval-call"}),
        ("x=1\reval(x)", {"eval-call"}),
        ("eval\\\n(x)", {"eval-call"}),
        ("f'{eval(x)}'", {"eval-call"}),
        ("\ufeffeval(x)", {"eval-call"}),
        ("\x0ceval(x)", {"eval-call"}),
        ("# coding: latin-1\nx", set()),
        ("import os\nos.popen()", {"os-popen"}),
        ("from \\\n os import (x,\n popen)", {"os-popen"}),
        ("from six import (  # :-)\n os)\nos.popen()", {"os-popen"}),
        ("try: import re, \\\n os as o\nfinally: o.popen()", {"os-popen"}),
        ("self.os.popen()", set()),
        ("os.popen()", {"os-popen"}),
        ("re.compile('x')", set()),
        ("x = compile", {"compile"}),
        ("import builtins as b\nb.compile", {"compile"}),
        ("# -*- coding: utf-8 -*-\nx", set()),
        ("path.open()  # function", set()),
        ("from io import open", {"open"}),
        ("import io as i\ni.open(x)", {"open"}),
        ("path.open(pandas.io)", set()),
        ("frame.f_builtins.get('open')", {"open"}),
        ("def open(path): pass", set()),
        ("class A:\n    async def open(self): pass", set()),
        ("def open(path): pass\nopen('x')", {"open"}),
        ("def f(path=open): pass", {"open"}),
    ],
)
def test_hits_are_the_rules_whose_words_occur(code: str, hits: set[str]) -> None:
    assert set(PREFILTER.hits(code.encode())) == hits


@pytest.mark.parametrize(
    "data",
    [
        b"# coding: utf-7\n+AGUAdgBhAGw-(x)",
        b"#" + b"x" * 10_000 + b"\n# coding: rot13\nriny(k)",
        b"#!/x\r# vim: set fileencoding=unicode_escape :\r\\x65val(x)",
        "eval(x)".encode("utf-16"),
        b"x = 1\0",
        b"x = '\xff'",
    ],
)
def test_bytes_that_may_mean_anything_hit_every_rule(data: bytes) -> None:
    assert PREFILTER.hits(data) == dict.fromkeys(RULES, ())


@pytest.mark.parametrize("word", ["wheel-house", "caf\u00e9_bar", "\u5b57", "9lives"])
def test_a_word_that_is_no_plain_identifier_is_found_by_its_parts(word: str) -> None:
    prefilter = Prefilter({"rule": (anchor(word),), "other": (anchor("eval", word),)})
    assert set(prefilter.hits(f"x = '{word}'; eval(x)".encode())) == {"rule", "other"}
    assert "rule" not in prefilter.hits(b"x = 1") or not word.isascii()


def called(*names: str) -> Call:
    return Call(Names.of(*names))


ASSIGNED = Assign(Names.of("key"))
HOLDING = {
    "either": All((ASSIGNED, Any((Has(called("os.urandom")), Has(called("random.randbytes")))))),
    "both": All(
        (
            ASSIGNED,
            Any((All((Has(called("*.hex")), Has(called("uuid.uuid1")))), Has(called("md5")))),
        )
    ),
    "around": All(
        (
            called("*.fetch"),
            Any((Inside(Def(Names.of("get"))), All((Inside(Def(Names.of("put"))), ASSIGNED)))),
        )
    ),
    "perhaps": All((called("*.send"), Any((Has(called("os.fork")), ASSIGNED)))),
}


@pytest.mark.parametrize(
    ("code", "hits"),
    [
        ("import os\nkey = os.urandom(8)", {"either"}),
        ("import random\nkey = random.randbytes(8)", {"either"}),
        ("key = 1\nimport os, random", set()),
        ("import uuid\nkey = uuid.uuid1().hex()", {"both"}),
        ("key = md5()", {"both"}),
        ("key = x.hex()", set()),
        ("def get(): x.fetch()", {"around"}),
        ("def put(): x.fetch()", {"around"}),
        ("def post(): x.fetch()", set()),
        ("key = x.send()", {"perhaps"}),
    ],
)
def test_what_needs_one_of_several_things_waits_for_any(code: str, hits: set[str]) -> None:
    anchors = {name: counting(anchors_of(one), Profile.REPO) for name, one in HOLDING.items()}
    assert set(Prefilter(anchors).hits(code.encode())) == hits


def test_names_are_asked_for_before_a_keyword_as_they_may_go_by_others() -> None:
    given = Call(Names.of("*"), arguments=((Argument(("command",)), Is("list")),))
    anchors = anchors_of(All((given, called("kubernetes.stream.stream", "*.exec_run"))))
    assert {"stream", "exec_run"} == {site for anchor in anchors for site in anchor.sites}


def test_a_list_of_modules_waits_for_the_name_of_one() -> None:
    listed = Contains(Named(Names(frozenset({"os"}))))
    call = Call(Names(frozenset({"map"})), ((Argument(position=1), listed),))
    prefilter = Prefilter({"handed": counting(anchors_of(call), Profile.AGENT)})
    assert prefilter.hits(b"map(list, pairs)") == {}
    for code in ("import os\nmap(f, [os])", "map(f, [__import__(x)])", "map(f, [sys.modules[x]])"):
        assert prefilter.hits(code.encode()) != {}


@pytest.mark.parametrize(
    ("code", "hits"),
    [("key = choice(a)", True), ("key = 'randint'", True), ("key = choices(a)", False)],
)
def test_one_of_several_words_is_one_of_those_that_are_there(code: str, hits: bool) -> None:
    anchor = Anchor(frozenset({"key"}), texts=(one_of(["randint", "choice"]),))
    assert bool(Prefilter({"chosen": (anchor,)}).hits(code.encode())) == hits


@pytest.mark.parametrize("around", [b"", b"-" * 5_000])
def test_many_texts_are_found_as_few_are(around: bytes) -> None:
    every = [f"{letter}{number}+" for letter in "abc" for number in range(60)]
    wanted = {"a0+", "b34+", "b35+", "c59+"}
    data = around + b" ".join(regex[:-1].encode() for regex in sorted(wanted))
    found = Texts(every).found_in(data)
    assert {regex for regex in every if found[regex]} == wanted | {"b3+", "c5+"}
    assert set(found.first) == {regex for regex in every if found[regex]}


def test_a_rule_without_anchors_hits_every_file() -> None:
    assert Prefilter({"any": ()}).hits(b"") == {"any": ()}


NAMES = {"os-open": "os.open", "raw": "*.objects.raw", "random": "random.random"}
MEMBERS = Prefilter(
    {rule: counting(anchors_of(Call(Names.of(name))), Profile.REPO) for rule, name in NAMES.items()}
)


@pytest.mark.parametrize(
    ("code", "hits"),
    [
        ("import os\nopen(os)", set()),
        ("import os as o\no.open(x)", {"os-open"}),
        ("import os\nos.  # file\\\n  open(x)", {"os-open"}),
        ("import os\n(os.  # file\n  open(x))", {"os-open"}),
        ("import os\r(os.  # file\r  open(x))", {"os-open"}),
        ("from os import (path,\n  open)\nopen(x)", {"os-open"}),
        ("from os import *\nopen(x)", {"os-open"}),
        ("raw = objects", set()),
        ("raw = x.objects.raw_text", set()),
        ("x.objects.raw(y)", {"raw"}),
        ("from x.objects import raw\nraw(y)", {"raw"}),
        ("from x.objects import *\nraw(y)", {"raw"}),
        ("import random\nrandom(1)", {"random"}),
    ],
)
def test_a_member_waits_for_its_dot_or_its_import(code: str, hits: set[str]) -> None:
    assert set(MEMBERS.hits(code.encode())) == hits


FLOWS = Prefilter(
    {"flow": (anchor("eval"), anchor("exec")), "call": (anchor("eval"),)},
    {"flow": (anchor("input"), anchor(regex=r"\bargs\b"))},
)


@pytest.mark.parametrize(
    ("code", "hits"),
    [
        ("eval(x)", {"call"}),
        ("input()", set()),
        ("eval(input())", {"flow", "call"}),
        ("exec(args)", {"flow"}),
        ("exec(kwargs)", set()),
        ("exec(kwargs, args)", {"flow"}),
        ("\uff45\uff56\uff41\uff4c(input())", {"flow", "call"}),
        ("eval(\uff49nput())", {"flow", "call"}),
        ("# coding: utf-7\n+AGUAdgBhAGw-(x)", {"flow", "call"}),
    ],
)
def test_a_flow_waits_for_its_source_as_well(code: str, hits: set[str]) -> None:
    assert set(FLOWS.hits(code.encode())) == hits


def test_the_anchors_of_a_flow_are_those_of_both_its_ends() -> None:
    assert FLOWS.hits(b"eval(input())")["flow"] == (anchor("eval"), anchor("input"))


@given(st.text(), st.text())
def test_a_word_between_separators_is_always_found(before: str, after: str) -> None:
    text = f"{before} eval({after}"
    assert "eval-call" in PREFILTER.hits(text.encode("utf-8", "surrogatepass"))


def test_a_definition_by_its_parameters_waits_for_their_names() -> None:
    names = Names(regex="handler$")
    anchors = anchors_of(Def(names, parameters=frozenset({"event"})))
    assert {anchor.words for anchor in anchors} == {frozenset({"def", "event"})}
    assert Prefilter({"handlers": anchors}).hits(b"def handler(event): pass") != {}
    assert Prefilter({"handlers": anchors}).hits(b"def handler(request): pass") == {}


def test_an_import_that_looks_like_another_waits_for_such_a_word() -> None:
    formula = Import(Names(), resembles=frozenset({"requests"}))
    prefilter = Prefilter({"lookalike": anchors_of(formula)})
    assert set(prefilter.hits(b"import reqeusts")) == {"lookalike"}
    assert prefilter.hits(b"import json, requests\nreqeusts = 1") == {}


@pytest.mark.parametrize(
    ("data", "signs"),
    [
        (b"x = 1", set()),
        (b"print 'hello'", {OLD_PYTHON}),
        (b"x = 1\r\n  print 'hello'", {OLD_PYTHON}),
        (b"x = 1\n=======", {OLD_PYTHON}),
        (b"print('hello')", set()),
        (b"eval(x)  # NoSec", {ANY_MARK}),
        (b"eval(x)  # VETBOX: ignore", {ANY_MARK, OWN_MARK}),
        ("\uff45val(x)  # noqa".encode(), {ANY_MARK}),
        (b"# coding: utf-7\n# noqa\0", {ANY_MARK}),
    ],
)
def test_signs_are_seen_on_the_way(data: bytes, signs: set[str]) -> None:
    assert Prefilter(RULES, signs=SIGNS).seen(data).signs == signs


@pytest.mark.parametrize(
    "code", ["import os # \\", "import os # \\\n", "from os import path # \\d", "import\\"]
)
def test_a_backslash_at_the_end_of_an_only_line_begins_no_other(code: str) -> None:
    assert imported_words(code.encode())
