"""Made rules: what a rule might look for in some code, put together by chance from that code."""

import ast
import copy
import re
from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

Formula: TypeAlias = str | dict[str, Any]
_STATEMENTS = (ast.Assign, ast.Return, ast.Attribute, ast.Subscript, ast.Compare, ast.BinOp)
_GIVEN = re.compile(r"incoming|request|input|argv|environ")
_HOLE = re.compile(r"\bHOLE(\d)\b")


def formula(tree: ast.Module, chance: Random) -> Formula | None:
    """A `match` that may hold somewhere in the code; None for code without a call."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if not calls:
        return None
    call, other = chance.choice(calls), chance.choice(calls)
    first = _stated(tree, chance) if chance.random() < 0.1 else _asked(call, chance)
    inside = {"all": [{"def": {"name": "*"}}, {"has": _asked(other, chance)}]}
    ways = (
        lambda: first,
        lambda: {"all": [first, _asked(call, chance)]},
        lambda: {"any": [first, _asked(other, chance)]},
        lambda: {"all": [first, {"inside": inside}]},
        lambda: {"all": [first, {"not-inside": inside}]},
        lambda: {"all": [first, {"has": _asked(other, chance)}]},
        lambda: {"all": [first, {"not": _asked(call, chance)}]},
        lambda: _run(tree, chance) or first,
    )
    return chance.choice(ways)()


def flow(tree: ast.Module, chance: Random) -> dict[str, Any] | None:
    """A `taint` whose data may come and arrive somewhere in the code, likely what it is given."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if len(calls) < 2:
        return None
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript | ast.Attribute)]
    given = [node for node in (*calls, *read) if _GIVEN.search(ast.unparse(node))] or calls
    sources = [_match_of(chance.choice(given), chance) for _ in range(chance.randint(1, 2))]
    sinks = [{"match": _asked(chance.choice(calls), chance)} for _ in range(chance.randint(1, 3))]
    for sink in sinks:
        if chance.random() < 0.3:
            sink["at"] = chance.choice(["arg.0", "args"])
    made: dict[str, Any] = {"sources": [{"match": one} for one in sources], "sinks": sinks}
    if chance.random() < 0.3:
        made["sanitizers"] = [{"match": _asked(chance.choice(calls), chance)}]
    return made


def _match_of(node: ast.expr, chance: Random) -> Formula:
    return _asked(node, chance) if isinstance(node, ast.Call) else _pattern(node, chance)


def _asked(call: ast.Call, chance: Random) -> Formula:
    return _call(call, chance) if chance.random() < 0.5 else _pattern(call, chance)


def _stated(tree: ast.Module, chance: Random) -> Formula:
    found = [node for node in ast.walk(tree) if isinstance(node, _STATEMENTS)]
    return _pattern(chance.choice(found), chance) if found else "$A = $B"


def _run(tree: ast.Module, chance: Random) -> str | None:
    """Two statements of a block, the first with holes, and a gap between them."""
    blocks = [body for node in ast.walk(tree) if len(body := _body(node)) > 1]
    if not blocks:
        return None
    block = chance.choice(blocks)
    first, last = sorted(chance.sample(range(len(block)), 2))
    begun, ended = block[first], block[last]
    if not isinstance(begun, ast.Assign) or not isinstance(ended, (ast.Assign, ast.Expr)):
        return None
    return f"{_pattern(begun, chance)}\n...\n{ast.unparse(ended)}"


def _body(node: ast.AST) -> Sequence[ast.stmt]:
    body = getattr(node, "body", ())
    return body if isinstance(body, list) else ()


# Patterns -------------------------------------------------------------------------------------


class _Holes(ast.NodeTransformer):
    """Puts metavariables in the place of some expressions below a node."""

    def __init__(self, chance: Random) -> None:
        self._chance, self._count, self._is_root = chance, 0, True

    def visit(self, node: ast.AST) -> Any:
        is_root, self._is_root = self._is_root, False
        if isinstance(node, ast.JoinedStr):
            return node  # a text in it is no expression
        is_part = isinstance(node, ast.expr) and not isinstance(node, ast.Starred)
        if is_root or not is_part or self._chance.random() > 0.35 or self._count > 9:
            return self.generic_visit(node)
        self._count += 1
        return ast.Name(f"HOLE{self._count - 1}", ast.Load())


def _pattern(node: ast.AST, chance: Random) -> str:
    holed = _Holes(chance).visit(copy.deepcopy(node))
    if isinstance(holed, ast.Call) and chance.random() < 0.5:
        holed.args = holed.args[: chance.randint(0, len(holed.args))]
        holed.keywords = holed.keywords[: chance.randint(0, len(holed.keywords))]
        before = ", " if holed.args or holed.keywords else ""
        return _named(f"{ast.unparse(holed)[:-1]}{before}...)")
    return _named(ast.unparse(holed))


def _named(text: str) -> str:
    return _HOLE.sub(r"$V\1", text)


# Calls ----------------------------------------------------------------------------------------


def _call(call: ast.Call, chance: Random) -> Formula:
    asked: dict[str, Any] = {"name": _names(call.func, chance)}
    given: dict[str, Any] = {}
    for at, value in enumerate(call.args):
        if chance.random() < 0.5 and not isinstance(value, ast.Starred):
            given[chance.choice([str(at), str(at), "any"])] = _condition(value, chance)
    for keyword in call.keywords:
        if chance.random() < 0.5 and keyword.arg:
            key = chance.choice([keyword.arg, "any", f"{keyword.arg}|5"])
            given[key] = _condition(keyword.value, chance)
    if given:
        asked["args"] = given
    elif chance.random() < 0.2:
        asked["absent"] = ["never"]
    return {"call": asked}


def _names(callee: ast.expr, chance: Random) -> str | list[str]:
    name = _dotted(callee)
    last = callee.attr if isinstance(callee, ast.Attribute) else None
    ways: list[str | list[str]] = [["*"]]
    if name is not None:
        ways += [[name], [name, "*.never"]]
    if last is not None:
        ways += [[f"*.{last}"]]
    return chance.choice(ways)


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    before = _dotted(node.value) if isinstance(node, ast.Attribute) else None
    return f"{before}.{node.attr}" if before and isinstance(node, ast.Attribute) else None


def _condition(value: ast.expr, chance: Random) -> Any:
    """What the value meets, more or less."""
    match value:
        case ast.Constant(value=str(text)):
            part = re.escape(_part(text, chance)).replace("\\ ", " ")
            return chance.choice([{"regex": part}, {"in": [text, "never"]}, {"is": "str"}])
        case ast.Constant(value=bool() | int() | None as plain):
            return {"in": [plain]}
        case ast.JoinedStr(values=pieces):
            held = (one.value if isinstance(one, ast.Constant) else "{}" for one in pieces)
            part = re.escape(_part("".join(map(str, held)), chance)).replace("\\ ", " ")
            return chance.choice([{"is": "formatted", "regex": part}, {"is": "non-literal"}])
        case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
            held = _condition(first, chance)
            return chance.choice([{"contains": held}, {"first": held}, {"length": ">= 1"}])
    word = {ast.Name: "name", ast.Attribute: "name", ast.Call: "call"}.get(type(value), "any")
    return {"is": chance.choice(["any", word])}


def _part(text: str, chance: Random) -> str:
    at = chance.randint(0, max(0, len(text) - 3))
    return text[at : at + chance.randint(3, 12)]
