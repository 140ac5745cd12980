"""One project's service: its configuration, trust, rules and the questions it answers."""

from vetbox.app.app import App
from vetbox.app.endpoint import AnyEndpoint, Call, Endpoint, Hints

__all__ = ["AnyEndpoint", "App", "Call", "Endpoint", "Hints"]
