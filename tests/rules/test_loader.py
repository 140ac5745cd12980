"""Loading: every mistake is named with its place, and the cache changes nothing but the time."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from vetbox.code.source import Source
from vetbox.rule_files import RuleFiles, shipped_rules_dir
from vetbox.rules import Profile, RuleError, check, load_rules
from vetbox.rules.language.rule import RuleSet
from vetbox.rules.loading.aside import compiled_aside
from vetbox.rules.loading.cache import CompiledCache
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.schema.rule_file import rule_schema

RULE = """\
id: my-rule
message: "no {callee}"
severity: error
match:
  call: {name: os.system}
"""


def problems(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "my-rule.yaml").write_text(text)
    with pytest.raises(RuleError) as refusal:
        load_rules(tmp_path, shipped=False)
    return [problem.removeprefix(f"{tmp_path}/") for problem in refusal.value.problems]


MISTAKES = {
    "severity": (
        RULE.replace("error", "eror"),
        "my-rule.yaml:3:11: severity: 'eror' is not one of error, warning, info; did you mean",
    ),
    "unknown key": (
        RULE.replace("severity", "severty"),
        "my-rule.yaml:3:1: the file: 'severty' is not a known key; did you mean 'severity'?",
    ),
    "unknown key below": (
        RULE.replace("{name: os.system}", "{nam: os.system}"),
        "my-rule.yaml:5:10: match.call: 'nam' is not a known key; did you mean 'name'?",
    ),
    "missing key": (
        RULE.replace("message", "# message"),
        "my-rule.yaml:1:1: the file: the key 'message' is missing; add it",
    ),
    "wrong type": (
        RULE.replace("os.system", "[1]"),
        "my-rule.yaml:5:17: match.call.name.0: must be a string",
    ),
    "not a regex": (
        RULE.replace("name: os.system", "name-regex: '('"),
        "my-rule.yaml:5:22: match.call.name-regex: not an RE2 regex: missing ): (",
    ),
    "back-reference": (
        RULE.replace("name: os.system", r"name-regex: '(a)\1'"),
        (
            r"my-rule.yaml:5:22: match.call.name-regex: not an RE2 regex: invalid escape sequence"
            r": \1; RE2 does not refer back; write"
        ),
    ),
    "look-around": (
        RULE.replace("name: os.system", "name-regex: '(?<!a)b'"),
        (
            "my-rule.yaml:5:22: match.call.name-regex: not an RE2 regex: invalid perl operator"
            ": (?<!; RE2 does not look around; say"
        ),
    ),
    "one of several is not a regex": (
        RULE.replace("name: os.system", "name-regex: [a, '(']"),
        "my-rule.yaml:5:22: match.call.name-regex: not an RE2 regex: missing ): (",
    ),
    "no alternative": (
        RULE.replace("name: os.system", "name-regex: []"),
        "my-rule.yaml:5:22: match.call.name-regex: no alternative is given",
    ),
    "unknown subpattern": (
        RULE.replace("name: os.system", "name-regex: '(?&shell)'"),
        "my-rule.yaml:5:22: match.call.name-regex: 'shell' is no subpattern of this file; write it",
    ),
    "subpattern below": (
        RULE + "subpatterns: {one: '(?&two)', two: b}\n",
        "my-rule.yaml:6:20: subpatterns.one: 'two' is no subpattern of this file",
    ),
    "subpattern that is no regex": (
        RULE.replace("name: os.system", "name-regex: '(?&a)'") + "subpatterns: {a: '('}\n",
        "my-rule.yaml:6:18: subpatterns.a: not an RE2 regex: missing ): (",
    ),
    "no matcher": (
        RULE.replace("call: {name: os.system}", "{}"),
        "my-rule.yaml:5:3: match: says nothing; name a matcher such as call or import",
    ),
    "an empty key": (
        RULE.replace("call: {name: os.system}", "call: {name: os.system}\n  not-inside: ~"),
        "my-rule.yaml:6:3: match: 'not-inside' is empty; indent what belongs to it",
    ),
    "not a name": (
        RULE.replace("os.system", "os.system()"),
        "my-rule.yaml:5:16: match.call.name: 'os.system()' is not a dotted name",
    ),
    "endless id": (RULE.replace("my-rule", "a" * 201), "my-rule.yaml:1:5: id: "),
    "no weakness": (
        RULE.replace("severity", "cwe: [0]\nseverity"),
        "my-rule.yaml:3:7: cwe.0: ",
    ),
    "bad comparison": (
        RULE.replace("{name: os.system}", "{name: f, args: {0: {compare: big}}}"),
        "my-rule.yaml:5:39: match.call.args.0.compare: 'big' is not a comparison such as '< 2048'",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, mistake: str) -> None:
    text, sentence = MISTAKES[mistake]
    assert problems(tmp_path, text)[0].startswith(sentence)


LISTED = """\
subpatterns:
  hex: '[0-9a-f]{4}'
  key: ['k-(?&hex)', '(?i)token']
match:
  string: {regex: ['^(?&key)$', '=(?&hex)']}
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [("k-12ab", True), ("TOKEN", True), ("=12ab", True), ("K-12ab", False), ("a k-12ab", False)],
)
def test_a_regex_is_a_list_of_alternatives_and_what_they_share(
    tmp_path: Path, text: str, found: bool
) -> None:
    (tmp_path / "my-rule.yaml").write_text(
        RULE.partition("match")[0].replace("{callee}", "{string}") + LISTED
    )
    rules = load_rules(tmp_path, shipped=False)
    source = Source.from_text(f"x = {text!r}\n")
    assert bool(check(source, rules, profile=Profile.REPO)) is found


def test_subpatterns_that_double_are_refused_before_they_are_written_out(tmp_path: Path) -> None:
    doubled = "".join(f"  p{n + 1}: '(?&p{n})(?&p{n})'\n" for n in range(60))
    text = RULE.replace("name: os.system", "name-regex: '(?&p60)'")
    found = problems(tmp_path, f"{text}subpatterns:\n  p0: abcdefgh\n{doubled}")
    assert "a regex of more than 2000 characters; split it" in found[0]


def test_what_a_rule_says_is_left_as_it_is_written(tmp_path: Path) -> None:
    text = RULE.replace("no {callee}", "no (?&a)").replace("name: os.system", "name-regex: '(?&a)'")
    (tmp_path / "my-rule.yaml").write_text(text + "subpatterns: {a: b}\n")
    assert load_rules(tmp_path, shipped=False).rules["my-rule"].message == "no (?&a)"


def test_the_mistakes_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(RULE.replace("error", "eror").replace("my-", "other-"))
    assert len(problems(tmp_path, RULE.replace("error", "eror"))) == 2


def test_two_rules_of_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(RULE)
    assert problems(tmp_path, RULE) == ["other.yaml:1:1: id: 'my-rule' is taken by another rule"]


def test_only_rules_on_flows_excuse(tmp_path: Path) -> None:
    flow = RULE.replace("my-rule", "my-flow").partition("match")[0]
    flow += "taint:\n  sources: [{match: 'read_mail(...)'}]\n  sinks: [{kind: shell}]\n"
    (tmp_path / "my-flow.yaml").write_text(flow)
    (tmp_path / "plain.yaml").write_text(RULE.replace("my-rule", "plain"))
    known = RULE + "excused-by: [my-flow, shell-from-request]\n"
    (tmp_path / "my-rule.yaml").write_text(known)
    assert load_rules(tmp_path, shipped=False).rules["my-rule"].excused_by
    sentence = "is no rule on flows; `vetbox rules list` has all rules"
    assert problems(tmp_path, known.replace("shell-from-request", "shell-form-request")) == [
        f"my-rule.yaml:6:23: excused-by.1: 'shell-form-request' {sentence}"
    ]
    assert problems(tmp_path, known.replace("my-flow", "plain")) == [
        f"my-rule.yaml:6:14: excused-by.0: 'plain' {sentence}"
    ]


def test_only_rules_tell_what_another_leaves_to_them(tmp_path: Path) -> None:
    (tmp_path / "plain.yaml").write_text(RULE.replace("my-rule", "plain"))
    known = RULE + "told-by: [plain, shell-from-request]\n"
    (tmp_path / "my-rule.yaml").write_text(known)
    assert load_rules(tmp_path, shipped=False).rules["my-rule"].told_by
    sentence = "is no rule; `vetbox rules list` has all rules"
    assert problems(tmp_path, known.replace("shell-from-request", "shell-form-request")) == [
        f"my-rule.yaml:6:18: told-by.1: 'shell-form-request' {sentence}"
    ]


@pytest.mark.parametrize("told_by", ["my-rule", "other"])
def test_rules_that_leave_a_place_to_each_other_are_refused(tmp_path: Path, told_by: str) -> None:
    """Else each would be silent for the other, and what both find would be lost."""
    (tmp_path / "other.yaml").write_text(RULE.replace("my-rule", "other") + "told-by: [my-rule]\n")
    found = problems(tmp_path, RULE + f"told-by: [{told_by}]\n")
    sentence = "would be left to itself; take one rule out of the circle"
    assert f"my-rule.yaml:6:10: told-by: 'my-rule' {sentence}" in found


def test_a_file_that_is_missing_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no such rule file or folder"):
        load_rules(tmp_path / "nowhere", shipped=False)
    (tmp_path / "r.yaml").write_bytes(b"id: \xff\n")
    with pytest.raises(RuleError, match="not UTF-8 text"):
        load_rules(tmp_path, shipped=False)


def test_a_users_file_may_hold_several_rules(tmp_path: Path) -> None:
    indented = "".join(f"  {line}\n" for line in RULE.splitlines())
    second = indented.replace("my-rule", "two")
    text = f"schema: 1\nrules:\n- {indented[2:]}- {second[2:]}"
    (tmp_path / "own.yaml").write_text(text)
    assert set(load_rules(tmp_path, shipped=False).rules) == {"my-rule", "two"}


def test_a_users_rule_replaces_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "eval-call.yaml").write_text(RULE.replace("my-rule", "eval-call"))
    assert load_rules(tmp_path).rules["eval-call"].message == "no {callee}"


def test_rules_are_chosen_by_id_pack_or_glob() -> None:
    rules = load_rules()
    assert set(rules.select(select=["eval-call"]).rules) == {"eval-call"}
    builtins = set(rules.select(select=["builtins"]).rules)
    assert {"eval-call", "open-call"} <= builtins
    assert set(rules.select(select=["builtins"], ignore=["*-call"]).rules) < builtins
    with pytest.raises(RuleError, match="'nothing-like-it' names no rule or pack"):
        rules.select(select=["nothing-like-it"])


def test_the_digest_changes_with_what_a_rule_says(tmp_path: Path) -> None:
    (tmp_path / "my-rule.yaml").write_text(RULE)
    before = load_rules(tmp_path, shipped=False).digest
    assert load_rules(tmp_path, shipped=False).digest == before
    (tmp_path / "my-rule.yaml").write_text(RULE.replace("os.system", "os.popen"))
    assert load_rules(tmp_path, shipped=False).digest != before


def test_a_rule_set_survives_pickling() -> None:
    rules = load_rules()
    copy = pickle.loads(pickle.dumps(rules))
    assert dict(copy.rules) == dict(rules.rules)
    assert copy.digest == rules.digest


def test_a_cached_load_imports_neither_yaml_nor_pydantic(tmp_path: Path) -> None:
    script = (
        "import sys; from vetbox.rules import load_rules; load_rules()\n"
        "print(sorted({'yaml', 'pydantic', 'libcst', 're2'} & set(sys.modules)))"
    )
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
        )
    assert done.stdout == "[]\n"


def test_a_cache_that_holds_something_else_is_not_believed(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> object:
            return os.system, ("touch evil",)

    cache = CompiledCache("rules", (tmp_path,))
    for content in (pickle.dumps(Evil()), b"\x80\x05not a pickle"):
        (tmp_path / "rules").write_bytes(content)
        assert cache.load() is None


def test_a_folder_that_takes_no_file_leaves_it_to_the_next(tmp_path: Path) -> None:
    full, other = tmp_path / "full", tmp_path / "other"
    full.write_text("no folder")
    cache = CompiledCache("rules", (full, other))
    cache.store(())
    assert cache.load() == ()
    assert [path.name for path in other.iterdir()] == ["rules"]
    CompiledCache("rules", (full,)).store(())  # nowhere at all: compiled each time


def test_the_shipped_rules_are_compiled_in_a_process_of_its_own() -> None:
    rules = compiled_aside()
    assert rules is not None
    assert RuleSet.of(rules).rules.keys() == load_rules().rules.keys()


@pytest.mark.parametrize("program", ["false", "true", "nowhere"])
def test_what_cannot_be_compiled_aside_is_compiled_here(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert compiled_aside() is None


def test_the_shipped_rules_are_kept_for_who_has_no_home(tmp_path: Path) -> None:
    load_rules()
    own = CompiledCache.of(RuleFiles.below([shipped_rules_dir()]))
    home = {"HOME": "/dev/null", "XDG_CACHE_HOME": "", "PATH": os.environ["PATH"]}
    script = "import sys, vetbox.rules as r; r.load_rules(); print('yaml' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], env=home, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
    (tmp_path / "my-rule.yaml").write_text(RULE)
    assert own.folders[0] not in CompiledCache.of(RuleFiles.below([tmp_path])).folders


def test_the_published_schema_knows_every_key_of_a_rule() -> None:
    schema = rule_schema()
    assert {"id", "message", "severity", "match", "profiles", "why"} <= set(schema["properties"])
    assert {"call", "string_ref", "not-inside"} <= set(
        schema["$defs"]["FormulaModel"]["properties"]
    )


@pytest.mark.parametrize(
    "narrowing",
    [
        {"where": [{"metavariable": "$X", "regex": "a"}], "focus": "$X"},
        {"spelled": True},
        {"assigned": False, "defaults": False, "nested": True},
    ],
)
def test_formula_that_only_narrows_looks_for_nothing(narrowing: dict[str, object]) -> None:
    data = {"id": "nothing", "message": "M", "severity": "error", "match": narrowing}
    with pytest.raises(RuleError, match="nothing to look for"):
        rule_from_data(data, "nothing.yaml")


def test_a_class_is_asked_for_bases_or_for_ancestors() -> None:
    data = {
        "id": "both",
        "message": "M",
        "severity": "error",
        "match": {"class": {"base": "a.B", "ancestor": "c.D"}},
    }
    with pytest.raises(RuleError, match="base or ancestor"):
        rule_from_data(data, "both.yaml")


def test_equal_anchors_are_one_whether_or_not_the_rules_were_kept(tmp_path: Path) -> None:
    for rule in ("first", "second"):
        (tmp_path / f"{rule}.yaml").write_text(RULE.replace("my-rule", rule))
    for _ in ("compiled", "kept"):
        first, second = load_rules(tmp_path, shipped=False).rules.values()
        assert first.anchors
        assert first.anchors is second.anchors


def test_a_changed_rule_or_model_changes_the_digest(tmp_path: Path) -> None:
    rule, model = tmp_path / "pack" / "one.yaml", tmp_path / "models" / "mine.yaml"
    for file in (rule, model):
        file.parent.mkdir()
        file.write_text("a: 1\n")
    digests = {RuleFiles.below([tmp_path]).digest, RuleFiles.below([shipped_rules_dir()]).digest}
    for file in (rule, model):
        before = file.stat()
        file.write_text("a: 2\n")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        digests.add(RuleFiles.below([tmp_path]).digest)
    assert len(digests) == len({rule, model}) + 2  # before and after each, and what is shipped
