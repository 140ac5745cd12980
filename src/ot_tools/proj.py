"""Configured projects: `proj.NAME` is a project's path, `proj.list()` names them all."""

from vetbox.toolkit import ProjectPath, ToolContext, ToolError

pack = "proj"


def path(context: ToolContext, name: str) -> ProjectPath:
    """The path of a configured project."""
    if name not in context.projects:
        known = ", ".join(context.projects) or "none"
        raise ToolError(f"There is no project '{name}'. Available projects: {known}")
    return ProjectPath(context.projects[name])


def list(context: ToolContext) -> dict[str, ProjectPath]:  # noqa: A001 - its name for callers
    """Every configured project by name."""
    return {name: ProjectPath(where) for name, where in context.projects.items()}
