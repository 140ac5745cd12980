"""What the tests of the engine share: a rule from a line of YAML, and what it finds in code."""

from collections.abc import Callable, Mapping
from typing import Any

import libcst as cst
import pytest

from vetbox.code.source import Source
from vetbox.documents import read_yaml
from vetbox.findings import Finding
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.language.formula import Resolve
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import Tree

FRAME: Mapping[str, Any] = {"id": "the-rule", "message": "{callee}", "severity": "error"}


@pytest.fixture
def found() -> Callable[..., list[Finding]]:
    """`found("call: {name: eval}", code)`: the findings of one rule."""

    def find(match: str, code: str, *, profile: str = "agent", **rest: Any) -> list[Finding]:
        data = {**FRAME, "match": read_yaml(match, "rule.yaml").data, **rest}
        rules = RuleSet.of([rule_from_data(data, "pack/the-rule.yaml")])
        return list(check(Source.from_text(code), rules, profile=Profile(profile)))

    return find


@pytest.fixture
def callees() -> Callable[..., set[str]]:
    """What the last call of some code may call."""

    def resolve(code: str, level: Resolve = Resolve.DYNAMIC) -> set[str]:
        tree = Tree(cst.parse_module(code))
        outermost = [c for c in tree.of_type(cst.Call) if not _within_call(tree, c)]
        call = outermost[-1]
        assert isinstance(call, cst.Call)
        return set(Resolver(tree).callee(call, level))

    return resolve


def _within_call(tree: Tree, node: cst.CSTNode) -> bool:
    return any(isinstance(around, cst.Call) for around in tree.ancestors(node))
