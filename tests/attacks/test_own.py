"""Cases of our own in the corpus's format: evasions that must be caught, twins that must not."""

import json
from pathlib import Path

import pytest

from vetbox.validation import ValidationResult, validate_python_code

HERE = Path(__file__).parent
CASES = [
    json.loads(line) for line in (HERE / "own-validator.jsonl").read_text("utf-8").splitlines()
]
CATEGORIES = sorted({case["category"] for case in CASES})


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_case_of_our_own_holds(category: str) -> None:
    wrong = {
        case["id"]: case["input"]["code"]
        for case in CASES
        if case["category"] == category
        and not holds(validate_python_code(case["input"]["code"]), **case["expect"])
    }
    assert wrong == {}


def holds(result: ValidationResult, *, verdict: str, target: str) -> bool:
    """The corpus's own meaning of its verdicts (README.md, "Outcome words")."""
    match verdict:
        case "block":
            return f"Dangerous call: {target}() not allowed" in result.errors
        case "warn":
            return result.valid and f"Potentially unsafe function '{target}'" in result.warnings
        case "flag":
            return bool(result.errors or result.warnings)
        case "allow":
            return not result.errors and not result.warnings
        case "allow_w":
            return result.valid
    raise AssertionError(verdict)
