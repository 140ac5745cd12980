"""kind=tool: one call of an endpoint, as a client's arguments reach it."""

import json
from pathlib import Path

from pydantic import BaseModel, ValidationError

from answers.naming import name_of
from vetbox.app import App, Call
from vetbox.boundary import pydantic_error_to_jsonrpc
from vetbox.errors import VetboxError

RUNS_CODE = ("discover_tests", "execute_tests")


def answer(case: dict, root: Path) -> dict:
    project, user = root / "proj", root / "user"
    app = App.open(project, trust_folder=user)
    if case["tool"] in RUNS_CODE:
        app.trust.trust(project)
    try:
        return call(app, case["tool"], case["arguments"])
    finally:
        app.close()


def call(app: App, tool: str, arguments: object) -> dict:
    endpoint = app.endpoints[tool]
    try:
        params = endpoint.params.model_validate(arguments, context={"project": app.root})
    except ValidationError as error:
        return {"outcome": "reject", "text": json.dumps(pydantic_error_to_jsonrpc(error))}
    try:
        result = endpoint.answer(params, Call())
    except VetboxError as error:
        return {"outcome": "error", "text": str(error), "findings": []}
    text = endpoint.text(result) + "\n" + result.model_dump_json()
    outcome = "accept_skip" if skipped(result) else "accept"
    return {"outcome": outcome, "text": text, "findings": findings(result)}


def skipped(result: BaseModel) -> bool:
    """Does the result list something below the target that was not analysed?"""
    report = result.model_dump()
    failed = any(one.get("error") for one in report.get("tool_results", ()))
    return failed or bool(report.get("skipped"))


def findings(result: BaseModel) -> list[str]:
    return [
        f"{name_of(issue['message'], issue['code'])}@{issue['file_path']}:{issue['line_number']}"
        for tool in result.model_dump().get("tool_results", ())
        for issue in (*tool["issues"], *tool["suppressed"])
    ]
