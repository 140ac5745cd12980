"""Labels: what data is, what it becomes on its way, and which of it a sink refuses."""

from itertools import chain, combinations
from time import process_time

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from vetbox.cli import main
from vetbox.code.source import Source
from vetbox.findings import Finding
from vetbox.rules import Profile, RuleError, RuleSet, check
from vetbox.rules.language.requirement import Requirement
from vetbox.rules.loading.loader import rule_from_data

NAMES = ("A", "B", "C")


def rule(**taint: object) -> RuleSet:
    data = {"id": "the-rule", "message": "{kind} of {source}", "severity": "error", "taint": taint}
    return RuleSet.of([rule_from_data(data, "pack/the-rule.yaml")])


RULES = rule(
    sources=[
        {"match": "read(...)", "label": "READ"},
        {"match": "own(...)", "label": "OWN"},
        {"match": "decode($X)", "label": "DECODED", "requires": "READ and not OWN"},
        {"kind": "env-secret", "label": "SECRET"},
        {"match": "gather($X)", "at": "arg.0", "label": "READ", "by": "side-effect"},
        {"match": "def on_mail($X): ...", "at": "parameters", "label": "READ"},
    ],
    sinks=[
        {"match": "run($X)", "requires": "DECODED"},
        {"match": "send(...)", "requires": "READ and SECRET"},
        {"match": "keep($X)", "requires": "not READ"},
        {"match": "show($X)"},
    ],
    sanitizers=[{"match": "clean(...)"}, {"match": "is_good($X)", "by": "guard"}],
)
REFUSED = [
    "run(decode(read()))",
    "x = read()\nx = decode(x)\nrun(x)",
    "for x in read():\n    y = decode(x)\nrun(y)",
    "def f(x):\n    run(decode(x))\nf(read())",
    "def f(x):\n    return decode(x)\nrun(f(read()))",
    "def f(x):\n    run(x)\nf(decode(read()))",
    "def f(x):\n    return x\nrun(decode(f(read())))",
    "def f(x):\n    return decode(x)\ndef g(x):\n    return f(x)\nrun(g(read()))",
    "def f(x, y):\n    run(decode(x + y))\nf(read(), 1)\nf(read(), own())",
    "class A:\n    def go(self, x):\n        run(decode(x))\nA().go(read())",
    (
        "class A:\n    def __init__(self):\n        self.x = decode(read())\n"
        "    def go(self):\n        run(self.x)"
    ),
    "import os\nsend(read(), os.environ['API_KEY'])",
    "import os\ndef f(x, y):\n    send(x, y)\nf(os.environ['API_KEY'], read())",
    "import os\ndef f(x):\n    send(x, read())\nf(os.environ['API_KEY'])",
    "keep(own())",
    "def f(x):\n    keep(x)\nf(own())",
    "show(own())",
    "show(read())",
    "gather(x)\nshow(x)",
    "def f():\n    x = []\n    gather(x)\n    show(x)",
    "x = decode(read()) if not is_good(x) else 1\nrun(x)",
    "def on_mail(x):\n    run(decode(x))",
]
LET_BE = [
    "run(read())",
    "run(decode(1))",
    "run(decode(own()))",
    "run(decode(read() + own()))",
    "run(decode(clean(read())))",
    "run(clean(decode(read())))",
    "x = read()\nif is_good(x):\n    run(decode(x))",
    "def f(x):\n    run(decode(x))\nf(own())\nf(clean(read()))\nf(1)",
    "def f(x):\n    run(decode(clean(x)))\nf(read())",
    "def f(x, y):\n    run(decode(x + y))\nf(read(), own())",
    "def f(x):\n    return decode(x)\nrun(f(own()))\nrun(f(read() + own()))",
    "def f(x):\n    return decode(x)\nf(read())\nrun(f(1))",
    "import os\nsend(read())\nsend(os.environ['API_KEY'])\nsend(read(), 'API_KEY')",
    "import os\ndef f(x, y):\n    send(x, y)\nf(os.environ['API_KEY'], 1)\nf(1, read())",
    "keep(read())",
    "keep(1)",
    "keep(read() + own())",
    "show(x)\ngather(x)",
    "gather(x)\nx = 1\nshow(x)",
]


def found(code: str, rules: RuleSet = RULES) -> tuple[Finding, ...]:
    return check(Source.from_text(f"{code}\n"), rules, profile=Profile.REPO)


@pytest.mark.parametrize("code", REFUSED)
def test_a_sink_refuses_what_carries_its_labels(code: str) -> None:
    assert len(found(code)) == 1


@pytest.mark.parametrize("code", LET_BE)
def test_a_sink_lets_be_what_does_not(code: str) -> None:
    assert not found(code)


def test_the_way_says_where_data_became_what_is_refused() -> None:
    (finding,) = found("def f(x):\n    y = decode(x)\n    run(y)\nf(read())")
    assert [(step.location.line, step.note) for step in finding.trace] == [
        (4, "READ enters here"),
        (4, "passed to this call"),
        (1, "parameter x"),
        (2, "becomes DECODED here"),
        (2, "assigned here"),
        (3, "through this call"),
    ]
    assert finding.message == "DECODED of read()"


def test_the_way_is_that_of_the_label_that_is_wanted() -> None:
    rules = rule(
        sources=[{"match": "first()", "label": "A"}, {"match": "second()", "label": "B"}],
        sinks=[{"match": "run(...)", "requires": "not C and B"}],
        propagators=[{"match": "$X.mark($Y)", "from": "$Y", "to": "$X", "label": "C"}],
    )
    (finding,) = found("run(first(), second())", rules)
    assert finding.message == "B of second()"


@pytest.mark.parametrize(
    ("code", "fires"),
    [
        ("def f(t):\n    x = get()\n    t.add(x)\n    run(t)", True),
        ("def f(t):\n    x = other()\n    t.add(x)\n    run(t)", False),
        ("def f(x):\n    t = []\n    t.add(x)\n    run(t)\nf(get())", True),
        ("def f(x):\n    t = []\n    t.add(x)\n    run(t)\nf(other())", False),
    ],
)
def test_a_propagator_hands_on_what_it_requires(code: str, fires: bool) -> None:
    rules = rule(
        sources=[{"match": "get()", "label": "A"}, {"match": "other()", "label": "B"}],
        sinks=[{"match": "run($X)", "requires": "ADDED"}],
        propagators=[
            {
                "match": "$T.add($X)",
                "from": "$X",
                "to": "$T",
                "label": "ADDED",
                "requires": "A",
                "replaces": ["A"],
            }
        ],
    )
    assert bool(found(code, rules)) is fires


def test_labels_upon_labels_cost_no_more_than_lines() -> None:
    rules = rule(
        sources=[
            {"match": "read()", "label": "A"},
            {"match": "$X + $Y", "label": "B", "requires": "A or B or C"},
            {"match": "$X * $Y", "label": "C", "requires": "(A or B) and not D or C"},
            {"match": "$X - $Y", "label": "D", "requires": "B or C or D"},
        ],
        sinks=[{"match": "run($X)", "requires": "B and (C or D)"}],
    )
    line = "        b = b + a0\n        c = (b * a1) * c\n        b = c - b\n"
    body = f"def f(a0, a1, a2):\n    b = c = a1\n    for i in a2:\n{line * 60}    run(b)\n"
    start = process_time()
    assert len(found(f"{body}f(read(), 1, 2)", rules)) == 1
    assert process_time() - start < 10


def test_one_rules_labels_are_nothing_to_another() -> None:
    both = [
        {
            "id": name,
            "message": "m",
            "severity": "error",
            "taint": {
                "sources": [{"match": source, "label": "IN"}],
                "sinks": [{"match": "run($X)", "requires": "IN"}],
            },
        }
        for name, source in (("one", "first()"), ("two", "second()"))
    ]
    rules = RuleSet.of(rule_from_data(data, f"pack/{data['id']}.yaml") for data in both)
    assert [finding.code for finding in found("run(second())", rules)] == ["two"]


@pytest.mark.parametrize(
    "text", ["", "A and", "A < B", "f(A)", "A if B else C", "1", "A B", "A." * 9]
)
def test_what_is_no_condition_on_labels_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match="is no condition on labels; write labels joined by and"):
        rule(sources=[{"match": "f()", "label": "A"}], sinks=[{"match": "g()", "requires": text}])


@pytest.mark.parametrize("text", ["(" * 400 + "A" + ")" * 400, "not " * 100_000 + "A"])
def test_a_condition_of_any_depth_is_answered(text: str) -> None:
    with pytest.raises(ValueError, match="longer than 500 characters"):
        Requirement.of(text)


def conditions() -> st.SearchStrategy[Requirement]:
    return st.recursive(
        st.sampled_from(NAMES).map(Requirement),
        lambda inner: (
            inner.map(lambda one: Requirement("not", (one,)))
            | st.builds(
                Requirement,
                st.sampled_from(["and", "or"]),
                st.lists(inner, min_size=2, max_size=3).map(tuple),
            )
        ),
        max_leaves=6,
    )


@given(conditions())
def test_a_condition_holds_where_python_says_so(requirement: Requirement) -> None:
    for labels in chain.from_iterable(combinations(NAMES, count) for count in range(4)):
        values = {name: name in labels for name in NAMES}
        expected = eval(str(requirement), {"__builtins__": {}}, values)
        assert requirement.holds(set(labels)) is expected
        assert Requirement.of(str(requirement)).holds(set(labels)) is expected


@given(conditions())
def test_a_weaker_condition_is_another_one(requirement: Requirement) -> None:
    assert str(requirement) not in map(str, requirement.weaker())
    assert requirement.wanted <= requirement.labels <= set(NAMES)


def test_show_and_explain_say_the_labels(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "two-things.yaml").write_text(
        "id: two-things\nmessage: both meet\nseverity: error\nwhy: they must not meet\n"
        "taint:\n  sources: [{match: one(), label: A}, {match: other($X), label: B, requires: A}]\n"
        "  sinks: [{match: run($X), requires: B and not A or A}]\n"
    )
    (tmp_path / "a.py").write_text("run(one())\n")
    options = ["--rules", str(tmp_path / "rules")]
    shown = CliRunner().invoke(main, ["rules", "show", "two-things", *options]).output
    assert "code like one() as A, code like other($X) that is A as B" in " ".join(shown.split())
    assert "code like run($X) that is (B and not A) or A" in " ".join(shown.split())
    place = f"{tmp_path / 'a.py'}:1"
    told = CliRunner().invoke(main, ["explain", "two-things", place, *options]).output
    assert "a source stands here: A" in told


NUMBERS = rule(
    sources=[
        {"match": "read(...)", "label": "TEXT"},
        {"match": {"any": ["int($X)", "float($X)"]}, "label": "NUMBER", "requires": "TEXT"},
    ],
    sinks=[{"match": "wait($X)", "at": "arg.0", "requires": "NUMBER"}],
)


@pytest.mark.parametrize(
    "code",
    [
        "wait(int(read()))",
        "x = read()\nn = int(x)\nwait(n)",
        "def f(n):\n    wait(n)\nf(float(read()))",
        "def f(x):\n    wait(int(x))\nf(read())",
        "def f(x):\n    return int(x)\nn = f(read())\nwait(n * 2)",
    ],
)
def test_a_number_is_made_of_the_text_it_is_read_of(code: str) -> None:
    assert len(check(Source.from_text(code), NUMBERS, profile=Profile.REPO)) == 1


@pytest.mark.parametrize("code", ["wait(read())", "wait(len(read()))", "wait(int(5))"])
def test_no_other_number_is(code: str) -> None:
    assert not check(Source.from_text(code), NUMBERS, profile=Profile.REPO)
