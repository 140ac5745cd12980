"""Files of semgrep rules that are shaped otherwise: each rule is named, with one clear sentence."""

from pathlib import Path

import pytest

from vetbox.rules.loading.imported import load_semgrep

BODY = "languages: [python], severity: ERROR, message: m"
SHAPES = [
    (f"{{id: null, pattern: f(), {BODY}}}", "it has no id"),
    (f"{{id: {'x' * 300}, pattern: f(), {BODY}}}", "its id is too long"),
    (f"{{id: a, pattern: f(), metadata: [a], {BODY}}}", "a key holds another kind of value"),
    (f"{{id: a, pattern: f(), options: [a], {BODY}}}", "a key holds another kind of value"),
    (f"{{id: a, pattern: 'f((', {BODY}}}", "the pattern is not Python"),
]


@pytest.mark.parametrize(("written", "reason"), SHAPES)
def test_a_rule_of_another_shape_is_named(tmp_path: Path, written: str, reason: str) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(f"rules:\n- {written}\n")
    loaded, refused = load_semgrep(file)
    assert not loaded
    assert [one.reason.startswith((reason, "not shaped")) for one in refused] == [True]
    assert reason in refused[0].reason
    assert len(refused[0].id) < 300
