"""The app: a project and the questions that clients may ask about it."""

from collections.abc import Mapping

from vetbox.app.endpoint import AnyEndpoint
from vetbox.app.once import once
from vetbox.app.project import Project


class App(Project):
    """What `vetbox serve` offers of one project."""

    @once
    def endpoints(self) -> Mapping[str, AnyEndpoint]:
        """Every question by its name; what answers them is imported when it is first asked for."""
        from vetbox.app.table import endpoints

        return endpoints(self)
