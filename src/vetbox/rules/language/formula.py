"""Formulas: what a rule looks for, as frozen values that pickle small and import nothing heavy."""

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.comparison import Comparison
from vetbox.rules.language.values import (
    Backtracks,
    Bits,
    Both,
    Compare,
    Condition,
    Contains,
    Either,
    Entropy,
    In,
    Is,
    Item,
    Length,
    Named,
    Names,
    Regex,
    Resolve,
    Scalar,
    Unlike,
    re2_search,
    whole_characters,
)

__all__ = [
    "All",
    "Any",
    "Argument",
    "Assert",
    "Assign",
    "Attr",
    "Backtracks",
    "Bits",
    "Both",
    "Call",
    "Class",
    "Code",
    "Compare",
    "Condition",
    "Contains",
    "Decorator",
    "Def",
    "Either",
    "Entropy",
    "Except",
    "Focused",
    "Formula",
    "Has",
    "Identifier",
    "Import",
    "In",
    "Inside",
    "Is",
    "Item",
    "Length",
    "Matcher",
    "Name",
    "Named",
    "Names",
    "Not",
    "Raw",
    "Regex",
    "Report",
    "Resolve",
    "Scalar",
    "String",
    "StringRef",
    "Unlike",
    "Where",
    "Words",
    "argument_of",
    "re2_search",
    "whole_characters",
]

# Matchers: one node each -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Argument:
    """Which argument: by any of the keywords, by position, or (neither) any argument at all."""

    keywords: tuple[str, ...] = ()
    position: int | None = None


def argument_of(key: str) -> Argument:
    """`shell`, `0`, `Loader|1` or `any`."""
    if key == "any":
        return Argument()
    parts = key.split("|")
    positions = [int(part) for part in parts if part.isdecimal()]
    keywords = tuple(part for part in parts if not part.isdecimal())
    return Argument(keywords, positions[0] if positions else None)


@dataclass(frozen=True, slots=True)
class Call:
    """A call, or a decorator, of one of the names; `handed` are those that may not be passed on."""

    names: Names
    arguments: tuple[tuple[Argument, Condition], ...] = ()
    absent: tuple[Argument, ...] = ()
    no_splat: bool = False
    resolve: Resolve = Resolve.ALIASES
    handed: Names | None = None


@dataclass(frozen=True, slots=True)
class Import:
    """An import of a module or of one that resembles it; `forms` are import, from, dynamic."""

    modules: Names
    resembles: frozenset[str] = frozenset()
    submodules: bool = True
    forms: frozenset[str] = frozenset({"import", "from", "dynamic"})
    resolve: Resolve = Resolve.ALIASES


@dataclass(frozen=True, slots=True)
class Attr:
    """Access to an attribute by its own name, on a base where one is named."""

    names: Names
    base: Names | None = None
    resolve: Resolve = Resolve.ALIASES


@dataclass(frozen=True, slots=True)
class String:
    """A string literal whose text satisfies the condition."""

    condition: Condition
    docstrings: bool = True


@dataclass(frozen=True, slots=True)
class StringRef:
    """A text used as a name: `uses` are getattr, format, attrgetter, subscript."""

    condition: Condition
    uses: frozenset[str]


@dataclass(frozen=True, slots=True)
class Name:
    """Any reference to one of the names."""

    names: Names
    resolve: Resolve = Resolve.ALIASES


@dataclass(frozen=True, slots=True)
class Assign:
    """A value given to a target; `forms` are assign, item, keyword, default, compare.

    An item is kept under a key, by `{k: v}` or `d[k] = v`.
    """

    target: Names
    value: Condition | None = None
    key: Condition | None = None
    forms: frozenset[str] = frozenset({"assign"})
    resolve: Resolve = Resolve.ALIASES


@dataclass(frozen=True, slots=True)
class Decorator:
    names: Names
    resolve: Resolve = Resolve.ALIASES


@dataclass(frozen=True, slots=True)
class Def:
    """A function definition."""

    names: Names
    decorator: Names | None = None
    parameters: frozenset[str] = frozenset()
    resolve: Resolve = Resolve.ALIASES


@dataclass(frozen=True, slots=True)
class Class:
    """A class definition; `inherited` takes the bases of its bases in the file as well."""

    names: Names
    base: Names | None = None
    resolve: Resolve = Resolve.ALIASES
    inherited: bool = False


@dataclass(frozen=True, slots=True)
class Except:
    """A handler; `bare` has no type, `body` is pass, continue or empty (either)."""

    types: Names | None = None
    bare: bool = False
    body: str | None = None
    resolve: Resolve = Resolve.ALIASES


@dataclass(frozen=True, slots=True)
class Assert:
    test: Condition | None = None


@dataclass(frozen=True, slots=True)
class Raw:
    """Text of the file as it is stored: comments, strings and identifiers alike.

    Where one of `unless` overlaps it, it does not count; where one of `doubtful` does, less. With
    `code_only` it does not count on the lines that a string goes on over, as docstrings do.
    """

    regex: str
    unless: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    code_only: bool = False


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier that does not read as what it is: `kind` is invisible or mixed-script."""

    kind: str | None = None
    regex: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Code that matches a pattern with metavariables.

    `assigned`: a variable stands for the call that it was assigned, too; `defaults`: a parameter
    for its default value. `nested`: a gap passes into the definitions of a block.
    """

    pattern: str
    resolve: Resolve = Resolve.ALIASES
    assigned: bool = True
    defaults: bool = True
    nested: bool = False


# Combinations ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Any:
    parts: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple["Formula", ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: "Formula"


@dataclass(frozen=True, slots=True)
class Inside:
    """Some node around this one matches."""

    part: "Formula"


@dataclass(frozen=True, slots=True)
class Has:
    """Some node inside this one matches."""

    part: "Formula"


@dataclass(frozen=True, slots=True)
class Where:
    """What a metavariable stands for: its text or value, its type, or code within it.

    `written` and `not_written` are regexes for its code as it is written; `comparison` is asked of
    all that is bound.
    """

    metavariable: str
    condition: Condition | None = None
    types: Names | None = None
    part: "Formula | None" = None
    written: str = ""
    not_written: str = ""
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Focused:
    """A match that points at one of its metavariables (`on`), or is remembered as one (`as_`)."""

    part: "Formula"
    on: str | None = None
    as_: str | None = None


Matcher: TypeAlias = (
    Call | Import | Attr | String | StringRef | Name | Assign | Decorator | Def | Class | Except
    | Assert | Raw | Identifier | Code
)  # fmt: skip
Formula: TypeAlias = Matcher | Any | All | Not | Inside | Has | Where | Focused


@dataclass(frozen=True, slots=True)
class Report:
    """Where a finding points: the match itself, its callee, its focus, or one of its arguments."""

    part: str = "match"
    argument: Argument = field(default_factory=Argument)


Words: TypeAlias = Mapping[str, str]
"""What a message may say: `callee`, `module`, `attr`, `name`, …"""
