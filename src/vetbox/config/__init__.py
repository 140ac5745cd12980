"""`.onetool/onetool.yaml`: what a project asks of vetbox, checked before anything of it holds."""

from vetbox.config.loader import ConfigError, load_config
from vetbox.config.model import (
    Config,
    Isolation,
    Output,
    SandboxSettings,
    Security,
    ServerSettings,
    Snippet,
    SnippetParam,
    ToolSettings,
    ValidationErrors,
)
from vetbox.config.upstream import HttpServer, StdioServer, Upstream

__all__ = [
    "Config",
    "ConfigError",
    "HttpServer",
    "Isolation",
    "Output",
    "SandboxSettings",
    "Security",
    "ServerSettings",
    "Snippet",
    "SnippetParam",
    "StdioServer",
    "ToolSettings",
    "Upstream",
    "ValidationErrors",
    "load_config",
]
