"""Laws: what must hold for any code, held by generated programs."""

import libcst as cst
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.language.values import Resolve
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.page import Lines
from vetbox.rules.positions import spans
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import Tree

NAMES = st.sampled_from(["a", "b", "eval", "os"])
OTHERS = st.sampled_from(["a", "b", "os"])
VALUES = st.sampled_from(["eval", "os.system", "str", "a", "b", "1", "(eval, a)[0]", "f(b)"])


def programs(names: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Short programs that bind, branch, loop, define and call."""
    statement = st.one_of(
        st.builds("{} = {}".format, names, VALUES),
        st.builds("if {}:\n    {} = {}".format, NAMES, names, VALUES),
        st.builds("for {} in {}:\n    {}(x)".format, names, VALUES, NAMES),
        st.builds("def {}({}={}):\n    return {}".format, names, names, VALUES, VALUES),
        st.builds("import os as {}".format, names),
        st.builds("del {}".format, names),
        st.builds("{}({})".format, NAMES, VALUES),
    )
    return st.lists(statement, min_size=1, max_size=8).map("\n".join)


RULE = {"id": "r", "message": "{callee}", "severity": "error"}
EVAL = RuleSet.of(
    [rule_from_data({**RULE, "match": {"call": {"name": "eval"}, "resolve": "dynamic"}}, "r")]
)


@given(programs(NAMES))
@settings(max_examples=150, deadline=None)
def test_every_level_of_following_ends_and_answers_the_same_twice(program: str) -> None:
    tree = Tree(cst.parse_module(program))
    first, second = Resolver(tree), Resolver(tree)
    for node in tree.of_type(cst.Name, cst.Attribute, cst.Call):
        for level in Resolve:
            assert first.names(node, level) == second.names(node, level)


@given(programs(NAMES))
@settings(max_examples=100, deadline=None)
def test_a_found_place_is_the_source_at_that_place(program: str) -> None:
    lines = program.split("\n")
    for finding in check(Source.from_text(program), EVAL, profile=Profile.AGENT):
        at = finding.location
        assert at.line == at.end_line
        assert lines[at.line - 1][at.column - 1 : at.end_column - 1] == finding.source


@given(programs(OTHERS))
@settings(max_examples=100, deadline=None)
def test_wrapping_code_in_a_function_hides_no_direct_eval(program: str) -> None:
    body = "".join(f"    {line}\n" for line in program.split("\n"))
    assert direct_evals(f"def wrapper():\n{body}") == direct_evals(program)


def direct_evals(code: str) -> int:
    found = check(Source.from_text(code), EVAL, profile=Profile.AGENT)
    return sum(finding.source.startswith("eval(") for finding in found)


@given(st.text(alphabet="ab'\"#()=:\n \t\r\f", max_size=60))
@settings(max_examples=300, deadline=None)
def test_every_node_is_written_where_it_is_said_to_be(text: str) -> None:
    try:
        source = Source.from_text(text)
        module = source.module
    except Exception:  # noqa: BLE001 - what the gate refuses has no places
        return
    tree = Tree(module)
    names = tree.of_type(cst.Name)
    found = spans(tree, source.code, names)
    for name in names:
        start, end = found[id(name)]
        assert source.code[start:end] == name.value
        assert spans(tree, source.code, [name]) == {id(name): (start, end)}
    assert Lines.of(source.code).place(0) == (1, 1)


REPEATED = """\
@first
class A:
\tx = f(a)

\tdef m(self):
\t\tx = f(a)  # twice
\t\tif x: x = f(a); x = f(a)
\t\telif f(a):
\t\t\tx = f(a)
\t\telse:
\t\t\tmatch f(a):
\t\t\t  case A(x):
\t\t\t  \tx = f(a)
\t\t\t  \tx = (f)(a,
b)

async def n(): await f(a)
try:
    # one
    x = f(a)
except* f:
    # another
    x = f(a)
"""


@pytest.mark.parametrize("end", ["", "\n", "\n# the end", "\nx = f(a)", "\nx = f(a)\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_place_is_the_same_whatever_else_is_written_out(end: str, newline: str) -> None:
    source = Source.from_text((REPEATED.rstrip() + end).replace("\n", newline))
    tree = Tree(source.module)
    nodes = [node for those in tree.by_type.values() for node in those]
    everything = spans(tree, source.code, [tree.module, *nodes])
    for node in nodes:
        own = everything.get(id(node))
        assert spans(tree, source.code, [node]).get(id(node)) == own
