"""serve-code-validation, scenario by scenario."""

import inspect
import os
import stat
from pathlib import Path

import pytest

from vetbox.app import App
from vetbox.app.endpoint import Call
from vetbox.validation import (
    ValidationResult,
    lint_code,
    parse_function_call,
    validate_python_code,
)


def test_v1_valid_syntax_is_valid() -> None:
    assert validate_python_code("x = 1\nprint(x)\n").valid is True


def test_v2_invalid_syntax_is_invalid_and_says_the_line() -> None:
    result = validate_python_code("x = 1\ny = (2\n")
    assert result.valid is False
    assert "line 2" in result.errors[0]


def test_v3_a_syntax_error_on_line_5_says_so_in_the_parsers_words() -> None:
    result = validate_python_code("a = 1\nb = 2\nc = 3\nd = 4\ne = = 5\n")
    assert result.errors == ["Syntax error at line 5: invalid syntax"]
    assert (result.findings[0].location.line, result.findings[0].location.column) == (5, 5)


def test_v4_exec_call_is_blocked() -> None:
    result = validate_python_code('exec("code")')
    assert result.valid is False
    assert result.errors == ["Dangerous call: exec() not allowed"]


def test_v5_eval_call_is_blocked() -> None:
    result = validate_python_code('eval("expression")', check_security=True)
    assert result.valid is False
    assert result.errors == ["Dangerous call: eval() not allowed"]


def test_v5_alias_of_eval_is_still_eval() -> None:
    result = validate_python_code('e = eval\ne("expression")\n')
    assert result.errors == ["Dangerous call: eval() not allowed"]


def test_v6_dynamic_import_is_blocked() -> None:
    result = validate_python_code('__import__("module")')
    assert result.valid is False
    assert result.errors == ["Dangerous call: __import__() not allowed"]


def test_v7_compile_is_blocked() -> None:
    result = validate_python_code('compile("code", "", "exec")')
    assert result.valid is False
    assert result.errors == ["Dangerous call: compile() not allowed"]


def test_v7_a_compile_that_is_not_the_builtin_is_allowed() -> None:
    result = validate_python_code('import re\nre.compile("a+").match("aa")\n')
    assert result == ValidationResult([], [], ())


def test_v8_open_generates_a_warning() -> None:
    result = validate_python_code('open("file.txt")')
    assert result.valid is True
    assert result.warnings == ["Potentially unsafe function 'open'"]


def test_v9_without_the_security_check_nothing_dangerous_is_reported() -> None:
    result = validate_python_code('exec("x")\nopen("f")\n', check_security=False)
    assert result == ValidationResult([], [], ())


def test_v9_without_the_security_check_syntax_is_still_checked() -> None:
    assert validate_python_code("x = (", check_security=False).valid is False


def test_v10_simple_function_call_is_taken_apart() -> None:
    assert parse_function_call('search(query="test")') == ("search", {"query": "test"})


def test_v10_a_call_of_a_packs_function_keeps_its_dots() -> None:
    assert parse_function_call("brave.search(n=-1)") == ("brave.search", {"n": -1})


def test_v11_nested_function_call_needs_full_execution() -> None:
    assert parse_function_call('to_yaml(search(query="test"))') is None


@pytest.mark.parametrize(
    "code", ["f(1)", "f(**{})", "x = 1", "f(a=1)\nf(a=2)", "f(a=b)", "f(a=1)()"]
)
def test_v11_whatever_is_not_one_literal_call_needs_full_execution(code: str) -> None:
    assert parse_function_call(code) is None


def test_v12_multiple_arguments_keep_their_types() -> None:
    name, arguments = parse_function_call('search(query="test", count=5, fresh=True)') or ("", {})
    assert name == "search"
    assert arguments == {"query": "test", "count": 5, "fresh": True}
    assert [type(value) for value in arguments.values()] == [str, int, bool]


def test_v13_invalid_function_call_raises_a_clear_value_error() -> None:
    with pytest.raises(ValueError, match=r"^Not a function call: '\(' was never closed at line 1$"):
        parse_function_call("search(query=")


@pytest.mark.parametrize("code", ["f(a='\0')", "(" * 20_000, "f(a=1, a=2)", "-" * 50_000 + "1"])
def test_v13_hostile_calls_are_value_errors_too(code: str) -> None:
    with pytest.raises(ValueError, match="Not a function call"):
        parse_function_call(code)


def test_v14_ruff_available_returns_warning_strings() -> None:
    assert lint_code("import os\n") == ["F401 `os` imported but unused (line 1)"]


def test_v15_ruff_not_installed_is_silent() -> None:
    assert lint_code("import os\n", ruff=Path("/nonexistent/ruff")) == []


def fake_ruff(folder: Path, script: str) -> Path:
    path = folder / "ruff"
    path.write_text(f"#!/bin/sh\n{script}\n")
    os.chmod(path, stat.S_IRWXU)
    return path


def test_v16_ruff_has_five_seconds() -> None:
    assert inspect.signature(lint_code).parameters["timeout_s"].default == 5


def test_v16_ruff_that_takes_too_long_is_silent(tmp_path: Path) -> None:
    slow = fake_ruff(tmp_path, "/bin/sleep 60")
    assert lint_code("import os\n", ruff=slow, timeout_s=0.3) == []


@pytest.mark.parametrize(
    "script", ["echo nonsense", "echo '[{}]'", "echo '[1]'", "exit 3", "kill -9 $$"]
)
def test_v16_ruff_that_is_broken_is_silent(tmp_path: Path, script: str) -> None:
    assert lint_code("import os\n", ruff=fake_ruff(tmp_path, script)) == []


def test_v17_lint_warnings_do_not_block() -> None:
    result = validate_python_code("import os\n", lint_warnings=True)
    assert result.valid is True
    assert result.warnings == ["F401 `os` imported but unused (line 1)"]


def test_v17_a_client_that_reads_text_alone_is_told_the_warnings(tmp_path: Path) -> None:
    endpoint = App.open(tmp_path, trust_folder=tmp_path).endpoints["validate_python_code"]
    code = "import os\nopen('file.txt')\n"
    answer = endpoint.answer(endpoint.params(code=code, lint_warnings=True), Call())
    assert endpoint.text(answer).splitlines() == [
        "The code is valid.",
        "2:1: warning: Potentially unsafe function 'open'",
        "style: F401 `os` imported but unused (line 1)",
    ]


def test_v18_the_result_has_a_verdict_errors_and_warnings() -> None:
    result = validate_python_code("anything at all")
    assert type(result.valid) is bool
    assert [type(text) for text in result.errors] == [str]
    assert result.warnings == []


def test_v19_all_errors_are_collected_one_per_occurrence() -> None:
    result = validate_python_code('exec("a")\neval("b")\nexec("c")\n')
    assert result.errors == [
        "Dangerous call: exec() not allowed",
        "Dangerous call: eval() not allowed",
        "Dangerous call: exec() not allowed",
    ]
    assert [finding.location.line for finding in result.findings] == [1, 2, 3]


def test_v20_security_goes_to_errors_and_style_to_warnings() -> None:
    result = validate_python_code('import os\neval("x")\n', lint_warnings=True)
    assert result.errors == ["Dangerous call: eval() not allowed"]
    assert result.warnings == ["F401 `os` imported but unused (line 1)"]


def test_v21_opening_a_file_is_warned_about_and_still_valid() -> None:
    result = validate_python_code('with open("file.txt") as f:\n    text = f.read()\n')
    assert (result.valid, result.errors) == (True, [])
    assert result.warnings == ["Potentially unsafe function 'open'"]
    assert [finding.location.line for finding in result.findings] == [1]


@pytest.mark.parametrize(
    "code",
    [
        'x = "\\ud800"\n',
        'open("\\ud800")\n',
        'import requests\ngetattr(requests, "\\udc80")()\n',
        'import os\nos.environ["\\ud800"] = "--headless \\ud800"\n',
    ],
)
def test_half_a_character_in_a_text_is_judged_and_can_be_printed(code: str) -> None:
    result = validate_python_code(code)
    assert "\n".join([*result.errors, *result.warnings]).encode("utf-8") is not None
    assert all((one.callee or "").encode("utf-8") is not None for one in result.findings)


def test_inline_suppressions_do_not_silence_the_judge() -> None:
    code = 'eval("x")  # vetbox: ignore[eval-call] -- trust me\nexec("y")  # nosec  # noqa\n'
    assert len(validate_python_code(code).errors) == 2


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("x = 1\0", "null bytes"),
        ("(" * 20_000, "nest"),
        ("x = 1" + " and 1" * 7_200, "1,000"),
        ("-" * 3_000 + "1", "200"),
        ("x" + ".y" * 3_000, "200"),
        ("if x: pass\n" + "elif y: pass\n" * 3_000, "500"),
        ("#" * 1_000_001, "1,000,000"),
        ("x = '\ud800'\n", "line 1"),
    ],
)
def test_what_cannot_be_parsed_is_an_error_with_a_line_or_a_limit(code: str, words: str) -> None:
    [error] = validate_python_code(code).errors
    assert words in error
