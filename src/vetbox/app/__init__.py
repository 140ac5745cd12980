"""One project's service: its configuration, trust, rules and the questions it answers."""

from vetbox.app.endpoint import AnyEndpoint, Call, Endpoint, Hints
from vetbox.app.project import App

__all__ = ["AnyEndpoint", "App", "Call", "Endpoint", "Hints"]
