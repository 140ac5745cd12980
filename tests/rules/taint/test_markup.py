"""A sink that asks for markup is told which texts with tags the data has come together with."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.loading.loader import rule_from_data

RULE = {
    "id": "the-rule",
    "message": "{source}",
    "severity": "error",
    "taint": {
        "sources": [{"match": {"call": {"name": "ask"}}}],
        "sinks": [{"match": {"call": {"name": "show"}}, "at": "arg.0", "requires": "MARKUP"}],
        "sanitizers": [{"match": {"call": {"name": "html.escape"}}}],
    },
}
MARKED = [
    "show('<b>' + ask())",
    "show(f'<b>{ask()}')",
    "show('<b>%s' % ask())",
    "show('<b>{}'.format(ask()))",
    "show('<b>{x}'.format(x=ask()))",
    "show('</p>'.join([ask()]))",
    "show('<!-- ' 'x' + ask())",
    "def page(x): return '<b>' + x\nshow(page(ask()))",
    "TEXT = '<b>%s'\ndef f(): show(TEXT % ask())",
    "def f():\n    x = []\n    x.append('<b>')\n    x.append(ask())\n    show(''.join(x))",
    "def f():\n    x = '<b>'\n    for y in ask(): x += y\n    show(x)",
    "def put(x): show('<b>' + x)\nput(ask())",
    "def put(x): show(x)\nput('<b>' + ask())",
    "class A:\n    def __init__(self, x): self.x = '<b>' + x\nshow(A(ask()).x)",
]
PLAIN = [
    "show(ask())",
    "show('a < b ' + ask())",
    "show('a ' + ask())\nother('<b>' + ask())",
    "show('<b>' + html.escape(ask()))",
    "show(html.escape('<b>' + ask()))",
    "show('<b>')",
    "show({'a': '<b>', 'b': ask()})",
    "x = ['<b>', ask()]\nshow(x)",
    "x = {'a': '<b>', 'b': ask()}\nshow(x['b'])",
]


def found(code: str, profile: Profile = Profile.REPO) -> list[str]:
    rules = RuleSet.of([rule_from_data(RULE, "pack/the-rule.yaml")])
    source = Source.from_text(f"import html\n{code}\n")
    return [one.message for one in check(source, rules, profile=profile)]


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("code", MARKED)
def test_what_comes_together_with_a_tag_is_markup(code: str, profile: Profile) -> None:
    assert found(code, profile) == ["ask()"]


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("code", PLAIN)
def test_what_has_no_tag_is_none(code: str, profile: Profile) -> None:
    assert found(code, profile) == []
