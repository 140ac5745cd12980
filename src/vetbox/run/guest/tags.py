"""The types that may cross between a program and the packs."""

from collections.abc import Mapping

from vetbox.sandbox.guest.wire import STANDARD, Tag
from vetbox.toolkit import ProjectPath


def _project_path(content: object) -> ProjectPath:
    return ProjectPath(str(content))


# First, because a project's path is a path, too.
TAGS: Mapping[str, Tag] = {"project-path": Tag(ProjectPath, str, _project_path), **STANDARD}
