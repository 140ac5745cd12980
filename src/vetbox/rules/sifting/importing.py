"""Importing: whether a node of a fragment may import what a rule looks for."""

import ast
from collections.abc import Set

from vetbox.rules.fragments import identifiers
from vetbox.rules.language import formula as f
from vetbox.rules.matchers import is_imported

_IMPORTERS = frozenset({"__import__", "import_module", "_gcd_import"})


def may_import(formula: f.Import, node: ast.AST, renamed: Set[str]) -> bool:
    """By the statement as it is written, or by a call that imports what it is given."""
    match node:
        case ast.Call(func=func):
            words = set(identifiers(func)) if "dynamic" in formula.forms else set[str]()
            return not words.isdisjoint(_IMPORTERS | renamed)
        case ast.Import(names=names) if "import" in formula.forms:
            written = [alias.name for alias in names]
        case ast.ImportFrom(module=module, names=names, level=level) if "from" in formula.forms:
            whole = "." * bool(level) + (module or "")
            written = [whole, *(f"{whole}.{alias.name}" for alias in names)]
        case _:
            return False
    return any(is_imported(name, formula) for name in written)
