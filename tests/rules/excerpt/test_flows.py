"""What a line gives its names: all that the resolver follows, and not much else."""

import libcst as cst
import pytest

from vetbox.rules.excerpt.carriers import CARRIERS, HANDING
from vetbox.rules.excerpt.flows import flows_of
from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import indirection, namespaces, tables
from vetbox.rules.resolve.computing import FUNCTIONS
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import Tree

VALUES = [
    "eval", "(eval)", "eval.__call__", "x or eval", "eval if x else 1", "[eval][0]", "(1, eval)",
    "{'a': eval}['a']", "{**{'a': eval}}['a']", "partial(eval, 1)", "cast(int, eval)",
    "(y := eval)", "dict(a=eval)['a']", "list((eval,))[0]", "getattr(x, 'y', eval)",
    "(lambda: eval)()",
    "[*(eval,)][0]", "copy([eval])[0]", "sorted([eval])[0]", "staticmethod(eval)",
    "getitem([eval], 0)", "[eval].copy()[0]", "{'a': eval}.get('a')", "{'a': eval}.pop('a')",
    "tuple(map(eval, 'a'))", "(x and (1, eval))[1]", "[e for e in (eval, 1)]", "eval + 1",
    "f'{eval}'", "str(eval)", "print(eval)", "eval == 1", "-eval", "x[eval]", "{eval: 1}",
    "eval[1:]", "x.get('a', b=eval)",
]  # fmt: skip
IMPORTS = "from functools import partial\nfrom typing import cast\nfrom copy import copy\n"
IMPORTS += "from operator import getitem\n"


def given(line: str, word: str) -> set[tuple[str, bool]]:
    flows = flows_of(line, HANDING)
    assert flows is not None
    return {(one.name.decode(), one.dotted) for one in flows.bound.get(word.encode(), ())}


@pytest.mark.parametrize("value", VALUES)
def test_a_name_that_the_resolver_takes_for_a_function_is_given_it(value: str) -> None:
    tree = Tree(cst.parse_module(f"{IMPORTS}f = {value}\nf\n"))
    *_, last = (node for node in tree.of_type(cst.Name) if getattr(node, "value", "") == "f")
    followed = "eval" in Resolver(tree).names(last, Resolve.DYNAMIC)
    assert ("f", False) in given(f"f = {value}", "eval") or not followed


@pytest.mark.parametrize("value", VALUES[-11:])
def test_a_name_is_not_given_what_its_value_is_computed_from(value: str) -> None:
    assert ("f", False) not in given(f"f = {value}", "eval")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("a = b = eval", {("a", False), ("b", False)}),
        ("self.a = eval", {("a", True)}),
        ("a, (b, *c) = eval, 1", {("a", False), ("b", False), ("c", False)}),
        ("a[b] = eval", set()),
        ("a: b = eval", {("a", False)}),
        ("a: eval = b", set()),
        ("for a in eval:", {("a", False)}),
        ("with eval as a:", {("a", False)}),
        ("def f(a, b=eval, *, c=(eval,)):", {("b", False), ("c", False)}),
        ("def f(a: eval):", {("a", False)}),
        ("a(lambda b=eval: b)", {("b", False)}),
        ("a(b=eval)", set()),
        ("if (a := eval):", {("a", False)}),
        ("a = [b for b in (eval, 1)]", {("b", False)}),
        ("f'{(a := eval)}'", {("a", False)}),
    ],
)
def test_the_names_that_a_line_binds(line: str, names: set[tuple[str, bool]]) -> None:
    assert given(line, "eval") == names


def test_what_a_function_gives_back() -> None:
    flows = flows_of("return eval if x else [a(b), (yield c)]", HANDING)
    assert flows is not None
    assert flows.returned == {b"eval", b"a", b"c"}


def test_captures_are_not_read_from_one_line() -> None:
    assert flows_of("match eval:", HANDING) is None
    assert flows_of("case [a, b]:", HANDING) is None


def test_calls_that_hand_on_cover_what_the_resolver_looks_through() -> None:
    looked_through = (
        *(*indirection._WRAPPERS, *indirection._CALLS, *indirection._ITEM_METHODS),
        *(*tables.COPIES, "dict", "map"),
        *(name for name in namespaces.COPIES if name == "dict"),
    )
    names = {name.rpartition(".")[2].encode() for name in looked_through}
    assert names <= HANDING | {b"reduce"}
    assert {b"reduce"} == HANDING - CARRIERS


def test_what_computes_texts_hands_nothing_on() -> None:
    texts = {name.rpartition(".")[2].encode() for name in FUNCTIONS} & HANDING
    assert texts <= {b"list", b"tuple", b"set", b"sorted", b"reversed", b"dict", b"zip", b"map"}
