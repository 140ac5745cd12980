"""kind=validate: the verdict of validate_python_code."""

from pathlib import Path

from vetbox.validation import validate_python_code


def answer(case: dict, root: Path) -> dict:
    verdict = validate_python_code(case["code"], check_security=case.get("check_security", True))
    return {"valid": verdict.valid, "errors": verdict.errors, "warnings": verdict.warnings}
