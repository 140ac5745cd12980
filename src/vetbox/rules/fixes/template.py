"""Templates: the code a rule says to write, with what its metavariables stand for put in."""

import ast
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

import libcst as cst

from vetbox.rules.patterns.bindings import Bindings, Bound

_METAVARIABLE = re.compile(r"\$(?:\.\.\.)?([A-Z_][A-Z0-9_]*)")
_LITERAL = re.compile(
    r"""(?P<prefix>\b[rRbBuUfF]{1,2})?(?P<quote>'''|\"""|'|")(?P<inside>(?:\\.|(?!(?P=quote)).)*)"""
    r"(?P=quote)",
    re.DOTALL,
)
_WHOLE: tuple[type[ast.expr], ...] = (
    *(ast.Attribute, ast.Call, ast.Dict, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.List),
    *(ast.ListComp, ast.Name, ast.Set, ast.SetComp, ast.Subscript),
)
Written: TypeAlias = Callable[[cst.CSTNode], str]
"""How a node of the file is written out."""


def filled(template: str, bindings: Bindings, written: Written) -> str | None:
    """The template's code; None where what it asks for is not bound, or cannot stand there.

    What would fall apart between the operators of the template is put into brackets.
    """
    if any(bindings.get(name) is None for name in _METAVARIABLE.findall(template)):
        return None
    plain = _text(template, bindings, written)
    careful = _text(template, bindings, lambda node: in_brackets(node, written(node)))
    return careful if careful is not None and _means_more(plain, careful) else plain


def is_whole(code: str) -> bool:
    """Does an expression stay one in any place where another may stand?"""
    try:
        found = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return True  # no expression
    if isinstance(found, ast.Constant):
        return not isinstance(found.value, int | float) or isinstance(found.value, bool)
    return isinstance(found, _WHOLE)


def in_brackets(node: cst.CSTNode, code: str) -> str:
    """An expression as it can stand anywhere; other code as it is."""
    is_bare = isinstance(node, cst.BaseExpression) and not node.lpar
    return f"({code})" if is_bare and not is_whole(code) else code


def _means_more(plain: str | None, careful: str) -> bool:
    """Do the brackets matter, or make the code one that Python reads?"""
    with_brackets = _dumped(careful)
    return with_brackets is not None and with_brackets != _dumped(plain)


def _dumped(code: str | None) -> str | None:
    try:
        return None if code is None else ast.dump(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _text(template: str, bindings: Bindings, written: Written) -> str | None:
    pieces = list(_pieces(template, bindings, written))
    return None if None in pieces else "".join(piece or "" for piece in pieces)


def _pieces(template: str, bindings: Bindings, written: Written) -> Iterator[str | None]:
    """The template's code and strings in turn, each with its metavariables filled in."""
    end = 0
    for literal in _LITERAL.finditer(template):
        yield _code(template[end : literal.start()], bindings, written)
        yield _string(literal, bindings, written)
        end = literal.end()
    yield _code(template[end:], bindings, written)


def _code(code: str, bindings: Bindings, written: Written) -> str | None:
    is_unfit = False

    def put(found: "re.Match[str]") -> str:
        nonlocal is_unfit
        bound = bindings.values[found[1]]
        if bound.inner and code[: found.start()].rstrip().endswith("."):  # the name of an attribute
            is_unfit = is_unfit or not (bound.text or "").isidentifier()
            return bound.text or ""
        return _of_code(bound, written)

    text = _METAVARIABLE.sub(put, code)
    return None if is_unfit else text


def _of_code(bound: Bound, written: Written) -> str:
    if len(bound.nodes) == 1:
        return written(bound.nodes[0])
    if bound.text is not None:
        return bound.text
    return ", ".join(written(node).strip().rstrip(",") for node in bound.nodes)


def _string(literal: "re.Match[str]", bindings: Bindings, written: Written) -> str | None:
    whole = _METAVARIABLE.fullmatch(literal["inside"])
    if whole is not None and not literal["prefix"] and bindings.values[whole[1]].inner:
        return _of_code(bindings.values[whole[1]], written)
    texts = {name: bindings.values[name] for name in _METAVARIABLE.findall(literal["inside"])}
    escaped = {name: _inside(one, literal, written) for name, one in texts.items()}
    if None in escaped.values():
        return None
    inside = _METAVARIABLE.sub(lambda found: escaped[found[1]] or "", literal["inside"])
    quote = literal["quote"]
    return f"{literal['prefix'] or ''}{quote}{inside}{quote}"


def _inside(bound: Bound, literal: "re.Match[str]", written: Written) -> str | None:
    """What stands for a metavariable within quotes; None where they cannot hold it."""
    if not bound.inner:
        return bound.text if len(bound.nodes) != 1 else written(bound.nodes[0])
    text, quote = bound.text or "", literal["quote"][0]
    if literal["prefix"] and literal["prefix"].lower() != "u":
        return None if re.search(r"[\\{}\n\r]", text) or quote in text else text
    special = {ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord(quote): f"\\{quote}"}
    return text.translate(special)
