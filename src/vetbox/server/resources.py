"""The rule catalogue as resources: `vetbox://rules` lists it, `vetbox://rules/{id}` shows one."""

import json
from typing import TYPE_CHECKING

import mcp_types as types
from anyio import to_thread
from mcp import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import JsonValue

from vetbox.app import App
from vetbox.server.calls import Context
from vetbox.server.failures import internal_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetbox.rules import Rule

RULES = "vetbox://rules"
JSON_TYPE = "application/json"
# The handshake revisions have a code of their own; the newest takes it for a wrong parameter.
NOT_FOUND_LEGACY = -32002


class Catalogue:
    """Answers the resource methods from the rules of one project."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def list(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        index = types.Resource(
            uri=RULES,
            name="rules",
            title="Rule catalogue",
            description="Every rule: id, message, severity per profile, CWE.",
            mime_type=JSON_TYPE,
        )
        return types.ListResourcesResult(resources=[index])

    async def templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        one = types.ResourceTemplate(
            uri_template=RULES + "/{id}",
            name="rule",
            title="One rule",
            description="What it finds, why that matters and what to write instead.",
            mime_type=JSON_TYPE,
        )
        return types.ListResourceTemplatesResult(resource_templates=[one])

    async def read(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            content = await to_thread.run_sync(lambda: described(uri, self._app.rules.rules))
        except Exception as error:  # the SDK would send its text
            raise internal_error(error, "resources/read") from error
        if content is None:
            modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
            code = types.INVALID_PARAMS if modern else NOT_FOUND_LEGACY
            raise MCPError(code, f"Resource not found: {uri[:200]}", {"uri": uri})
        text = json.dumps(content, ensure_ascii=False, indent=1)
        page = types.TextResourceContents(uri=uri, mime_type=JSON_TYPE, text=text)
        return types.ReadResourceResult(contents=[page])


def described(uri: str, rules: "Mapping[str, Rule]") -> JsonValue | None:
    """The catalogue or one rule of it; None for any other address."""
    if uri == RULES:
        return [summary(rules[name]) for name in sorted(rules)]
    rule = rules.get(uri.removeprefix(RULES + "/"))
    return None if rule is None else details(rule)


def summary(rule: "Rule") -> dict[str, JsonValue]:
    return {
        "id": rule.id,
        "message": rule.message,
        "severity": rule.severity.value,
        "profiles": {
            str(profile): level and level.value for profile, level in rule.profiles.items()
        },
        "cwe": list(rule.cwe),
    }


def details(rule: "Rule") -> dict[str, JsonValue]:
    return {
        **summary(rule),
        "confidence": rule.confidence.value,
        "why": rule.why,
        "instead": rule.instead,
        "references": list(rule.references),
        "tags": list(rule.tags),
    }
