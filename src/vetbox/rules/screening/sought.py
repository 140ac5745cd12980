"""Sought: what a rule looks for, prepared once for all code that is screened."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.relaxed_regexes import relaxed
from vetbox.rules.language import formula as f
from vetbox.rules.language.raising import handed_on
from vetbox.rules.resolve.canonical import BUILTINS
from vetbox.rules.screening import required_words
from vetbox.rules.screening.around import Around, denied_around
from vetbox.rules.screening.required_words import Unknown
from vetbox.rules.screening.spots import Kinds, spot_of

_TYPE_PARAMETER = getattr(ast, "type_param", None)
NAMED = (
    *(ast.Import, ast.ImportFrom, *ast.pattern.__subclasses__()),
    *(() if _TYPE_PARAMETER is None else _TYPE_PARAMETER.__subclasses__()),
)
"""Nodes that are no expressions and hold names that libcst takes for some."""
REFERENCES = frozenset((ast.Name, ast.Attribute, ast.Subscript, ast.Call, *NAMED))
_DEFS = frozenset((ast.FunctionDef, ast.AsyncFunctionDef))
CALLING = _DEFS | {ast.Call, ast.ClassDef}
NAMING = REFERENCES | {ast.Constant}  # None, True and False are names to libcst
KINDS: Mapping[type[object], Kinds] = {
    f.Call: CALLING,
    f.Name: NAMING,
    f.Attr: frozenset((ast.Attribute, ast.Import, ast.ImportFrom, ast.Call, ast.MatchClass)),
    f.Import: frozenset((ast.Import, ast.ImportFrom, ast.Call)),
    f.String: frozenset((ast.Constant, ast.JoinedStr)),
    f.StringRef: frozenset((ast.Call, ast.Subscript)),
    f.Except: frozenset((ast.ExceptHandler,)),
    f.Assert: frozenset((ast.Assert,)),
    f.Class: frozenset((ast.ClassDef,)),
    f.Def: _DEFS,
}
"""The node types at which a part of a formula may hold."""
_TARGETS: Mapping[str, tuple[type[ast.AST], ...]] = {
    "assign": (
        *(ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign),
        *(ast.For, ast.AsyncFor, ast.With, ast.AsyncWith),
        *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    ),
    "item": (ast.Dict, ast.Assign),
    "keyword": (ast.keyword,),
    "default": (ast.arguments,),
    "compare": (ast.Compare,),
}
_FAMILIAR: Mapping[type[object], frozenset[str]] = {
    f.Identifier: frozenset({"kind", "regex"}),
    f.Call: frozenset({"names", "arguments", "absent", "no_splat", "resolve", "handed"}),
    f.Import: frozenset({"modules", "resembles", "submodules", "forms", "resolve"}),
    f.Attr: frozenset({"names", "base", "resolve"}),
    f.String: frozenset({"condition", "docstrings"}),
    f.StringRef: frozenset({"condition", "uses"}),
    f.Name: frozenset({"names", "resolve"}),
    f.Assign: frozenset({"target", "value", "key", "forms", "resolve"}),
    f.Decorator: frozenset({"names", "resolve"}),
    f.Def: frozenset({"names", "decorator", "parameters", "resolve"}),
    f.Class: frozenset({"names", "base", "resolve", "inherited"}),
}


_MANY = 10
"""Ways that are asked one by one; what a request holds is got in hundreds."""


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One alternative of a rule: a formula that is understood in full, or Unknown."""

    formula: f.Formula | Unknown
    kinds: Kinds
    """The node types at which it may hold."""
    needs: tuple[f.Names, ...]
    """Of each of these at least one name must be in the code."""
    words: frozenset[str]
    """The words of its code patterns and parameters; all must be there."""
    naming: f.Call | f.Name | None
    """The part that says what the node is called."""
    given: f.Names | None = None
    """Names one of which must be an argument."""
    said: tuple[str, ...] = ()
    """Regexes that match somewhere in the literal at which it holds."""
    told: tuple[str, ...] = ()
    """Regexes that match somewhere in a text argument of the call, or that a pattern quotes."""
    spelt: tuple[str, ...] = ()
    """Regexes that match somewhere in the code of a metavariable."""
    denied: frozenset[Around] = frozenset()
    """Surroundings in which it never holds."""
    beyond_ascii: bool = False
    """Does it need a letter beyond ASCII?"""

    @classmethod
    @lru_cache(maxsize=8_000)
    def of(cls, formula: f.Formula | Unknown) -> "Way":
        """The way that is no choice of others; one for those that are equal, as in all flows."""
        naming = [
            part for part in required_words.parts(formula) if isinstance(part, (f.Call, f.Name))
        ]
        naming.sort(key=lambda part: isinstance(part, f.Name))
        return cls(
            formula,
            _kinds_of(formula),
            tuple(required_words.needs(formula)),
            frozenset[str]().union(*map(_spelt_by, required_words.needed(formula))),
            next(iter(naming), None),
            next(required_words.given(formula), None),
            tuple(map(relaxed, required_words.said(formula))),
            tuple(map(relaxed, required_words.told_to(formula))),
            tuple(required_words.spelt(formula)),
            frozenset(denied_around([*required_words.parts(formula)])),
            any(map(required_words.is_beyond_ascii, required_words.parts(formula))),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """What a rule looks for, as the alternatives in which it may fire."""

    formula: f.Formula | Unknown
    ways: tuple[Way, ...]
    handed: tuple[f.Names, ...]
    """Functions that it reports also where they are only passed on."""
    words: frozenset[str]
    """The words of all its names."""
    last_words: frozenset[str]
    """The last words of all its names."""
    any_of: frozenset[str] | None
    """Words of which one must be in the code; None: it may hold where there is no name."""
    _by_word: Mapping[str, Sequence[int]]

    @classmethod
    @lru_cache(maxsize=2_000)
    def of(cls, formula: f.Formula) -> "Sought":
        """What the formula looks for; one for those that are equal."""
        names = [name for found in _names_in(formula) for name in (*found.exact, *found.globs)]
        known = _understood(formula)
        ways = tuple(map(Way.of, _alternatives(known)))
        handed = tuple(one.names for one in handed_on(formula))
        return cls(
            known,
            ways,
            handed,
            frozenset(word for name in names for word in name.split(".")),
            frozenset(name.rpartition(".")[2] for name in names),
            _any_of([*map(_told_by, ways), *(_told((names,)) for names in handed)]),
            _by_word(ways),
        )

    def ways_with(self, words: Set[str]) -> Iterable[Way]:
        """The ways of which there may be a name, in their order."""
        if len(self.ways) < _MANY:
            return self.ways
        there = (self._by_word[word] for word in self._by_word.keys() & words)
        numbers = {number for some in there for number in some}
        return [self.ways[number] for number in sorted(numbers.union(self._by_word[""]))]


def _any_of(needs: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """Words without which none of what is needed, all of one of these, can be found."""
    found = frozenset[str]()
    for told in needs:
        if told is None:
            return None
        found |= told
    return found


def _by_word(ways: Sequence[Way]) -> Mapping[str, Sequence[int]]:
    """The numbers of the ways by the words one of which is there; under none, what may be so."""
    found: dict[str, list[int]] = {"": []}
    for number, way in enumerate(ways):
        told = _told_by(way)
        for word in ("",) if told is None else told:
            found.setdefault(word, []).append(number)
    return found


def _told_by(way: Way) -> frozenset[str] | None:
    """Words of which one is there if the way is open; None: it may be without any.

    All of its own words are; the longest of them is in the fewest programs.
    """
    if way.words:
        return frozenset((max(way.words, key=lambda word: (len(word), word)),))
    return _told(way.needs)


def _told(needs: Sequence[f.Names]) -> frozenset[str] | None:
    """The same of all that is needed."""
    told = [frozenset(needed_by(one)) for one in needs if not one.regex]
    return min(told, key=len) if told else None


def _spelt_by(part: f.Formula | Unknown) -> frozenset[str]:
    """The words that stand in the code wherever it holds, if nothing is put together."""
    match part:
        case f.Code(pattern=pattern):
            return spot_of(pattern).words
        case f.Def(parameters=parameters):
            return parameters
    return frozenset()


def _alternatives(formula: Any) -> Iterator[f.Formula | Unknown]:
    """The ways of any part, and of all parts when the first of them is a choice."""
    match formula:
        case f.Any(parts=parts):
            for part in parts:
                yield from _alternatives(part)
        case f.Focused(part=part):
            for way in _alternatives(part):
                yield way if isinstance(way, Unknown) else replace(formula, part=way)
        case f.All(parts=(f.All(parts=inner), *others)):
            yield from _alternatives(f.All((*inner, *others)))
        case f.All(parts=(f.Any(parts=choices), *others)):
            for choice in choices:
                yield from _alternatives(f.All((choice, *others)))
        case _:
            yield formula


def _names_in(part: object) -> Iterator[f.Names]:
    if isinstance(part, f.Names):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from _names_in(one)
    elif is_dataclass(part):
        for own in fields(part):
            yield from _names_in(getattr(part, own.name))


def _understood(formula: f.Formula) -> Any:
    match formula:
        case f.Any(parts=parts) | f.All(parts=parts):
            return replace(formula, parts=tuple(map(_understood, parts)))
        case f.Focused(part=part):
            return replace(formula, part=_understood(part))
    return formula if _is_familiar(formula) else Unknown()


def _is_familiar(formula: f.Formula) -> bool:
    """Does it say no more than is understood here? What is new in the language is let through."""
    known = _FAMILIAR.get(type(formula))
    return known is None or all(
        own.name in known or getattr(formula, own.name) == own.default for own in fields(formula)
    )


def _kinds_of(formula: f.Formula | Unknown) -> Kinds:
    match formula:
        case f.Any(parts=parts):
            return _either(map(_kinds_of, parts))
        case f.All(parts=parts):
            return next((kinds for kinds in map(_kinds_of, parts) if kinds is not None), None)
        case f.Focused(part=part):
            return _kinds_of(part)
        case f.Code(pattern=pattern):
            return spot_of(pattern).kinds
        case f.Assign(forms=forms):
            return frozenset(kind for form in forms for kind in _TARGETS[form])
    return KINDS.get(type(formula))


def _either(many: Iterable[Kinds]) -> Kinds:
    found: frozenset[type[ast.AST]] = frozenset()
    for kinds in many:
        if kinds is None:
            return None
        found |= kinds
    return found


class Needed(NamedTuple):
    """The words that must be there for a name, and the one that it ends with; None: any.

    Of those that are `builtin` only some modules have an attribute. What is looked up by a name
    that nobody writes (`os.?`) is read from something: its word, "" where it has none.
    """

    words: frozenset[str]
    last: str | None
    builtin: bool
    read_from: str

    @classmethod
    def by(cls, name: str) -> "Needed":
        """Those of a name, or of what a glob stands for."""
        words = name.split(".")
        last = None if "*" in words[-1] else words[-1]
        owner = words[-2] if last == "?" and len(words) > 1 else ""
        read_from = "" if "*" in owner or owner.endswith(")") else owner
        needed = frozenset(word for word in words if "*" not in word)
        return cls(needed, last, name in BUILTINS, read_from)


@cache
def needed_by(names: f.Names) -> Mapping[str, Sequence[Needed]]:
    """The names, each under one of its words; under none, what has none."""
    found: dict[str, list[Needed]] = {}
    for needed in dict.fromkeys(map(Needed.by, (*names.exact, *names.globs))):
        found.setdefault(needed.last or min(needed.words, default=""), []).append(needed)
    return found
