"""Alternatives: those of a formula's that a node may be at all, by its type and what it calls."""

import ast
from collections.abc import Mapping, Sequence, Set
from typing import TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language import formula as f
from vetbox.rules.patterns import parse_pattern
from vetbox.rules.remembering import Bounded
from vetbox.rules.sifting.chains import last_word_of, written_name
from vetbox.rules.sifting.kinds import kinds_of

_Parts: TypeAlias = tuple[f.Formula, ...]
_MOST = 10_000  # the shipped rules have a tenth of that


@dataclass(frozen=True, slots=True, eq=False)
class _OfType:
    """The alternatives for nodes of one type: all, by the word they call, and the others."""

    parts: Sequence[f.Formula]
    by_callee: Mapping[str, Sequence[f.Formula]]
    others: Sequence[f.Formula]


_known: Bounded[int, tuple[_Parts, dict[type[ast.AST], _OfType]]] = Bounded(_MOST)


def alternatives(parts: _Parts, node: ast.AST, renamed: Set[str]) -> Sequence[f.Formula]:
    """Those that are not ruled out; `renamed` are names that stand for something else."""
    found = _of_type(parts, type(node))
    if not found.by_callee or not isinstance(node, ast.Call):
        return found.parts
    match node.func:
        case ast.Name(id=word) | ast.Attribute(attr=word) if word not in renamed:
            if word != "__call__":
                return (*found.by_callee.get(word.strip("_"), ()), *found.others)
    return found.parts


def _of_type(parts: _Parts, kind: type[ast.AST]) -> _OfType:
    known = _known.get(id(parts))
    if known is None or known[0] is not parts:
        known = _known[id(parts)] = (parts, {})
    found = known[1].get(kind)
    if found is None:
        found = known[1][kind] = _sorted(parts, kind)
    return found


def _sorted(parts: _Parts, kind: type[ast.AST]) -> _OfType:
    fitting = [part for part in parts if (kinds := kinds_of(part)) is None or kind in kinds]
    by_callee: dict[str, list[f.Formula]] = {}
    others = []
    for part in fitting:
        word = _called(part)
        if word is None:
            others.append(part)
        else:
            by_callee.setdefault(word, []).append(part)
    return _OfType(fitting, by_callee, others)


def _called(part: f.Formula) -> str | None:
    """The last word of the function that a pattern calls by its full name."""
    if not isinstance(part, f.Code) or part.resolve is f.Resolve.DYNAMIC:
        return None
    match parse_pattern(part.pattern).expression:
        case cst.Call(func=func) if name := written_name(func):
            (word,) = last_word_of(name)
            return word.strip("_")
    return None
