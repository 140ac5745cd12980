"""Snippets: read, completed, rendered within limits."""

import pytest

from vetbox.config import Snippet
from vetbox.run.shorthand import SnippetError, expanded

SNIPPETS = {
    "say": Snippet.model_validate(
        {
            "params": {"text": {"required": True}, "times": {"default": 2}},
            "body": "{{ text | tojson }} * {{ times }}",
        }
    )
}


def body(text: str) -> dict[str, Snippet]:
    return {"s": Snippet(body=text)}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("$say text=hi", '"hi" * 2'),
        ('$say text="two words" times=3', '"two words" * 3'),
        ("$say text='it is'", '"it is" * 2'),
        (r'$say text="a \"b\""', r'"a \"b\"" * 2'),
        ("$say\ntext: two words\ntimes: 3", '"two words" * 3'),
        ("  $say text=x  \n", '"x" * 2'),
        ("x = '$say text=hi'", "x = '$say text=hi'"),
        ("$say text=a=b", '"a=b" * 2'),
    ],
)
def test_r31_forms_of_a_call(command: str, code: str) -> None:
    assert expanded(command, SNIPPETS) == code


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("$no", r"There is no snippet \$no. Available snippets: \$say"),
        ("$say", r"\$say needs text: \$say takes text, times"),
        ("$say text=x size=3", r"\$say has no parameter size"),
        ("$say text=x and more", "Cannot read 'and more'"),
        ("$say\ntext", "Cannot read 'text'"),
        ("$say text=x text=y", "The parameter text is given twice"),
        ("$say text=x\ntext: y", "The parameter text is given twice"),
        ("$1", "invalid syntax"),
    ],
)
def test_errors_say_what_is_expected(command: str, error: str) -> None:
    with pytest.raises(SnippetError, match=error):
        expanded(command, SNIPPETS)


@pytest.mark.parametrize(
    "template",
    [
        "{{ missing }}",
        "{{ ''.__class__.__mro__ }}",
        "{% include '/etc/passwd' %}",
        "{% import 'x' as y %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ 'a' * 10**9 }}",
        "{{ 'a' * 200000 }}",
        "{{ 'a' | center(10**9) }}",
        "{{ '%1000000000d' | format(1) }}",
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    ],
)
def test_templates_have_limits(template: str) -> None:
    with pytest.raises(SnippetError):
        expanded("$s", body(template))


def test_a_snippet_is_expanded_once() -> None:
    assert expanded("$s", body("$s")) == "$s"
