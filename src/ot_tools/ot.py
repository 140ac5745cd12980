"""What there is: tools, packs, aliases, snippets, rules, stored results and the server itself."""

from collections.abc import Mapping

from vetbox.toolkit import ToolCard, ToolContext, ToolError

pack = "ot"


def tools(context: ToolContext, pattern: str = "", pack: str = "") -> list[dict[str, str]]:
    """The tools whose name or description contains `pattern`, with signature and summary."""
    wanted = pattern.lower()
    cards = [card for one in context.packs() if pack in ("", one.name) for card in one.tools]
    return [_line(card) for card in cards if wanted in f"{card.name} {card.doc}".lower()]


def packs(context: ToolContext) -> list[dict[str, object]]:
    """The packs: where each comes from and how many tools it has."""
    return [
        {"name": one.name, "origin": one.origin, "tools": len(one.tools), "summary": one.doc}
        for one in context.packs()
    ]


def help(context: ToolContext, name: str = "") -> str:  # noqa: A001 - its name for callers
    """What a pack or a `pack.tool` is for and how it is called; without a name, an overview."""
    for one in context.packs():
        for card in one.tools:
            if card.name == name:
                return f"{card.signature}\n\n{card.doc}".rstrip()
        if one.name == name:
            return "\n".join(
                [f"{one.name}: {one.doc}", *(f"  {card.signature}" for card in one.tools)]
            )
    if name:
        known = ", ".join(one.name for one in context.packs())
        raise ToolError(f"There is no pack or tool '{name}'. Available packs: {known}")
    return "\n".join(f"{one.name}: {one.doc}" for one in context.packs())


def config(context: ToolContext) -> Mapping[str, object]:
    """The configuration in effect; secrets stand as references to the environment."""
    return context.settings()


def health(context: ToolContext) -> Mapping[str, object]:
    """What works and what does not."""
    return context.health()


def aliases(context: ToolContext) -> Mapping[str, str]:
    """Every alias and the tool it stands for."""
    return context.aliases


def snippets(context: ToolContext) -> Mapping[str, Mapping[str, object]]:
    """Every `$snippet` with its description and parameters."""
    return context.snippets


def result(
    context: ToolContext, handle: str, offset: int = 1, limit: int = 100, search: str | None = None
) -> Mapping[str, object]:
    """`limit` lines from line `offset` (1-based) of a stored result, or of those with `search`."""
    return context.page(handle, offset=offset, limit=limit, search=search)


def rules(context: ToolContext, pattern: str = "") -> list[dict[str, str]]:
    """The rules that programs are held to, with what each forbids."""
    wanted = pattern.lower()
    return [
        {"id": rule.id, "severity": rule.severity, "message": rule.message}
        for rule in context.rules()
        if wanted in f"{rule.id} {rule.message}".lower()
    ]


def explain(context: ToolContext, rule: str) -> dict[str, str]:
    """Why a rule forbids what it does, and what to write instead."""
    for one in context.rules():
        if one.id == rule:
            return {"id": one.id, "message": one.message, "why": one.why, "instead": one.instead}
    raise ToolError(f"There is no rule '{rule}': ot.rules() lists them.")


def version(context: ToolContext) -> str:
    """The version of vetbox."""
    return str(context.health()["version"])


def _line(card: ToolCard) -> dict[str, str]:
    return {"name": card.name, "signature": card.signature, "summary": card.summary}
