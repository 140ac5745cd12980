"""A kept source parses its parts once, and answers each rule for itself."""

from pathlib import Path

import pytest

from vetbox.code.source import Source
from vetbox.gate.kept import Kept, KeptPiece
from vetbox.rules import Profile, RuleSet, check, load_rules
from vetbox.rules.loading.loader import rule_from_data

FLOWS = Path(__file__).parents[2] / "fixtures" / "flow"
SHIPPED = load_rules().rules
FOLLOWED = [
    path for path in sorted(FLOWS.glob("*-from-*.py")) if SHIPPED[path.stem].taint is not None
][::5]
MATCHED = [
    path
    for path in sorted(FLOWS.parent.glob("*/*.py"))
    if path.stem in SHIPPED and SHIPPED[path.stem].taint is None
    if SHIPPED[path.stem].profiles.get(Profile.REPO) is not None
][::8]
CODE = "def one(given):\n    first(given)\n    use(given)\n"


def test_a_part_is_the_same_source_each_time() -> None:
    source = Kept.from_text(CODE, "a.py")
    part = source.part("use(given)\n")
    assert part is source.part("use(given)\n")
    assert part.path == "a.py"
    assert part is not source.part("first(given)\n")


def test_what_one_rule_was_told_of_a_function_is_no_answer_to_the_next() -> None:
    source = Kept.from_text(CODE, "a.py")
    for profile in Profile:
        for name in ("first", "second", "third") * 20:  # most get the place of one that is gone
            data = {
                "id": "r",
                "message": "m",
                "severity": "error",
                "match": {
                    "all": [
                        {"call": {"name": "use"}},
                        {"inside": {"all": [{"def": {"name": "*"}}, {"has": _call(name)}]}},
                    ]
                },
            }
            rules = RuleSet.of([rule_from_data(data, "r")])
            found = check(source, rules, profile=profile)
            assert len(found) == (1 if name == "first" else 0), name


def _call(name: str) -> dict[str, object]:
    return {"call": {"name": name}}


@pytest.mark.parametrize("path", FOLLOWED + MATCHED, ids=lambda path: path.stem)
def test_what_is_found_in_what_is_read_whole_is_found_in_the_file(path: Path) -> None:
    text, rule = path.read_text(encoding="utf-8"), RuleSet.of([SHIPPED[path.stem]])
    found = check(Source.from_text(text, "app.py"), rule, profile=Profile.REPO)
    assert found
    assert check(KeptPiece.from_text(text, "app.py"), rule, profile=Profile.REPO) == found
