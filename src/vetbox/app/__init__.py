"""One project's service: its configuration, trust, rules and the questions it answers.

- `project` opens one with its services (each made `once`), `app` adds the `table` of questions.
- a question is an `endpoint`; `judgement` and `running` answer for validation and runs, `covered`
  says which tests a request may name.
"""

from vetbox.app.app import App
from vetbox.app.endpoint import AnyEndpoint, Call, Endpoint, Hints

__all__ = ["AnyEndpoint", "App", "Call", "Endpoint", "Hints"]
