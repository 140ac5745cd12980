"""kind=config: a project with hostile files is opened, and then does what the case says."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from answers.tool import call
from vetbox.app import App
from vetbox.errors import VetboxError
from vetbox.trust import TrustStore

RULES = "rules/evil.yaml"


def warm_up() -> None:
    """The first case is not timed: what is only slow once is done then."""
    with TemporaryDirectory() as folder:
        app = App.open(Path(folder), trust_folder=Path(folder, "user"))
        app.runner.run("None")
        app.close()


warm_up()


def answer(case: dict, root: Path) -> dict:
    project, user, action = root / "proj", root / "user", case["action"]
    with environment(action.get("env", {})):
        TrustStore(user).trust(project)
        try:
            app = with_rules(App.open(project, trust_folder=user))
        except VetboxError as error:
            return {"outcome": "refuse", "text": str(error), "findings": []}
        try:
            return act(app, action)
        finally:
            app.close()


def with_rules(app: App) -> App:
    """The project with its rule file named in its configuration, and all of it loaded."""
    if (app.root / RULES).exists():
        config = app.config.model_copy(update={"rules": (*app.config.rules, RULES)})
        app = replace(app, config=config)
    app.rules.select()
    if app.runner.catalogue.problems:
        raise VetboxError("; ".join(app.runner.catalogue.problems))
    return app


def act(app: App, action: dict) -> dict:
    if "run" in action:
        result = app.runner.run(action["run"])
        outcome = "inert" if result.success else "error"
        return {"outcome": outcome, "text": result.result, "findings": []}
    if "tool" in action:
        reply = call(app, action["tool"], action["arguments"])
        return {**reply, "outcome": "error" if reply["outcome"] == "error" else "inert"}
    return {"outcome": "inert", "text": "", "findings": []}


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
