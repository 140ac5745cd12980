"""Mutants: a rule with one clause deleted or weakened; a fixture must notice each of them."""

import re
from collections.abc import Callable, Iterator, Mapping

from vetbox.gate.alternatives import alternatives_of
from vetbox.gate.clauses import Data, Path, at, entries, replaced, spell, walk, without
from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.requirement import Requirement

LISTS_OF_FORMULAS = frozenset(
    {"any", "all", "where", "unless", "doubtful", "not-inside", "sanitizers"}
)
LISTS_OF_FORMULAS_OR_ROWS = LISTS_OF_FORMULAS | {"sources", "sinks", "propagators", "places"}
LISTS_THAT_MAY_GO = frozenset(
    {"unless", "doubtful", "where", "exclude", "include", "absent", "not-inside"}
)
NAME_LISTS = frozenset(
    {
        *("name", "module", "absent", "in", "include", "exclude", "forms", "base", "ancestor"),
        *("target", "type", "decorator", "parameters", "uses", "except-type", "except-name"),
        "replaces",
    }
)
# Deleted as a whole these would only repeat what is deleted entry by entry, or say nothing.
KEPT_WHOLE = frozenset(
    {"args", "absent", "resolve", "where", "unless", "doubtful", "docstrings", "forms"}
)
REGEXES = frozenset({"regex", "name-regex", "target-regex"})
BOUNDS = frozenset({"compare", "length"})
RESOLVE_BELOW: Mapping[str, str] = {
    "dynamic": "aliases",
    "aliases": "imports",
    "imports": "none",
}
IS_OPPOSITE: Mapping[str, str] = {
    "truthy": "falsy",
    "falsy": "truthy",
    "literal": "non-literal",
    "non-literal": "literal",
    "none": "not-none",
    "not-none": "none",
    "true": "false",
    "false": "true",
}
SEVERITIES = ("error", "warning", "info")
_NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class Mutant:
    """What was done (`delete match.call.name[1]`), to which clause, and the rule it leaves.

    `key` names it in `equivalent:`; a deletion goes by its clause alone.
    """

    act: str
    path: Path
    data: Data

    @property
    def clause(self) -> str:
        return spell(self.path)

    @property
    def key(self) -> str:
        return self.clause if self.act == "delete" else f"{self.clause}~{self.act}"


Mutate = Callable[[Data, Path, Data], Iterator[Mutant]]


def mutants(rule: Data) -> Iterator[Mutant]:
    """Every mutant of a rule's data, in the order of its clauses."""
    for path, value in walk(rule):
        if path and path[0] not in DESCRIPTIVE:
            for mutate in OPERATORS:
                yield from mutate(rule, path, value)
    yield from _default_resolve(rule)


DESCRIPTIVE = frozenset(
    {
        *("id", "confidence", "cwe", "why", "instead", "references", "tags", "equivalent", "skip"),
        *("kind", "role"),
    }
)


def _delete_entry(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """One element of a list of formulas or names, while another is left."""
    key = _list_key(path)
    if key is None:
        return
    siblings = at(rule, path[:-1])
    alone = isinstance(siblings, list) and len(siblings) == 1
    may_go = key in LISTS_OF_FORMULAS_OR_ROWS | NAME_LISTS or is_regex(path)
    if may_go and not alone:
        yield Mutant("delete", path, without(rule, path))
    elif alone and key in LISTS_THAT_MAY_GO:
        yield Mutant("delete", path, without(rule, path[:-1]))


def is_regex(path: Path) -> bool:
    """Whether a regex stands at the path, or one of the alternatives that it is written as."""
    holder = path[:-1] if isinstance(path[-1], int) else path
    return bool(holder) and (holder[-1] in REGEXES or holder[0] == "subpatterns")


def _list_key(path: Path) -> str | None:
    """The name of the list an element stands in."""
    if isinstance(path[-1], int) and len(path) > 1:
        return str(path[-2])
    return None


def _delete_condition(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """One argument condition; or one key of a mapping that keeps another."""
    if len(path) > 1 and path[-2] == "args":
        yield Mutant("delete", path, _without_last(rule, path))
        yield Mutant("widen", path, replaced(rule, path, {"is": "any"}))
    elif path == ("report",):
        yield Mutant("delete", path, without(rule, path))
    elif path[0] in FORMULAS and len(path) > 1 and path[-1] not in KEPT_WHOLE:
        mapping = at(rule, path[:-1])
        if isinstance(mapping, dict) and len(mapping.keys() - KEPT_WHOLE) > 1:
            yield Mutant("delete", path, without(rule, path))


FORMULAS = frozenset({"match", "where", "unless", "doubtful", "taint", "places"})


def _delete_keyword(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """One of the spellings `timeout|2` of an argument."""
    key = str(path[-1])
    if len(path) > 1 and path[-2] == "args" and "|" in key:
        words = key.split("|")
        for word in words:
            kept = "|".join(other for other in words if other != word)
            mutant = replaced(without(rule, path), (*path[:-1], kept), value)
            yield Mutant(f"without-{word}", path, mutant)


def _delete_place_word(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """One of the spellings `arg.path|0` of the argument that a place means."""
    if path[-1] == "at" and isinstance(value, str) and "|" in value:
        head, _, spellings = value.partition(".")
        words = spellings.split("|")
        for word in words:
            kept = "|".join(other for other in words if other != word)
            yield Mutant(f"without-{word}", path, replaced(rule, path, f"{head}.{kept}"))


def _weaken_requirement(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """One label less is asked of the data, or one is no longer denied."""
    if path[0] == "taint" and path[-1] == "requires" and isinstance(value, str):
        for weaker in Requirement.of(value).weaker():
            yield Mutant(f"asking {weaker}", path, replaced(rule, path, str(weaker)))


def _change_fix(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """One argument, import or condition less; another text; the other safety."""
    if path[:-1] in FIX_LISTS:
        yield Mutant("delete", path, _without_last(rule, path))
    elif path == ("fix", "when"):
        yield Mutant("delete", path, without(rule, path))
    elif path == ("fix", "safety"):
        other = "safe" if value == "unsafe" else "unsafe"
        yield Mutant("change", path, replaced(rule, path, other))
    if isinstance(value, str) and (path[:-1] in FIX_TEXTS or path == ("fix", "replace")):
        yield Mutant("change", path, replaced(rule, path, f"mutated({value})"))


FIX_TEXTS = frozenset({("fix", "set-arg"), ("fix", "add-arg")})
FIX_LISTS = FIX_TEXTS | {("fix", "remove-arg"), ("fix", "imports")}


def _without_last(rule: Data, path: Path) -> Data:
    """An `args` that loses its last condition goes as a whole: empty mappings are refused."""
    parent = at(rule, path[:-1])
    lonely = isinstance(parent, dict) and len(parent) == 1
    return without(rule, path[:-1] if lonely else path)


def _delete_alternative(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """One top-level alternative of a regular expression."""
    if not is_regex(path) or not isinstance(value, str):
        return
    head, alternatives, tail = alternatives_of(value)
    for number in range(len(alternatives)) if len(alternatives) > 1 else ():
        kept = [text for index, text in enumerate(alternatives) if index != number]
        mutant = replaced(rule, path, f"{head}{'|'.join(kept)}{tail}")
        yield Mutant(f"without-alternative-{number}", path, mutant)


def _ask_bases_alone(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """Of a class, only what it names itself."""
    if path[-1] == "ancestor":
        mutant = replaced(without(rule, path), (*path[:-1], "base"), value)
        yield Mutant("bases-alone", path, mutant)


def _read_docstrings(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    if path[-1] == "docstrings" and isinstance(value, bool):
        yield Mutant("flip", path, replaced(rule, path, not value))


def _flip(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    word = value.replace("_", "-") if path[-1] == "is" and isinstance(value, str) else ""
    if word in IS_OPPOSITE:
        yield Mutant("flip", path, replaced(rule, path, IS_OPPOSITE[word]))


def _shift_bound(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    if path[-1] in BOUNDS and isinstance(value, str) and (match := _NUMBER.search(value)):
        for act, step in (("bound+1", 1), ("bound-1", -1)):
            text = f"{value[: match.start()]}{int(match[0]) + step}{value[match.end() :]}"
            yield Mutant(act, path, replaced(rule, path, text))


def _lower_resolve(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    if path[-1] == "resolve" and isinstance(value, str) and value in RESOLVE_BELOW:
        yield Mutant("lower", path, replaced(rule, path, RESOLVE_BELOW[value]))


def _default_resolve(rule: Data) -> Iterator[Mutant]:
    """A rule that says nothing resolves aliases; that silence is a clause too."""
    match = rule.get("match") if isinstance(rule, dict) else None
    if isinstance(match, dict) and "resolve" not in match and _resolves(match):
        path: Path = ("match", "resolve")
        yield Mutant("lower", path, replaced(rule, path, "imports"))


def _resolves(match: dict[str, Data]) -> bool:
    """Whether a callee's name decides; a formula inside may say its own level."""
    calls = [value for path, value in walk(match) if path and path[-1] == "call"]
    names = [name for call in calls if isinstance(call, dict) for name in entries(call.get("name"))]
    said = any(path and path[-1] == "resolve" for path, _ in walk(match))
    return not said and not all(name.startswith("*") for name in names)


def _change_severity(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    """`severity` itself is no clause where both profiles say their own."""
    if path[0] == "profiles" and isinstance(value, str) and path[-1] != "message":
        others = "warning" if value != "warning" else "error"
        yield Mutant("change", path, replaced(rule, path, others))
        if value not in {"off", False}:
            yield Mutant("off", path, replaced(rule, path, "off"))
    elif path == ("severity",) and isinstance(rule, dict):
        profiles = rule.get("profiles")
        if not (isinstance(profiles, dict) and len(profiles) > 1):
            other = next(word for word in SEVERITIES if word != value)
            yield Mutant("change", path, replaced(rule, path, other))


def _change_message(rule: Data, path: Path, value: Data) -> Iterator[Mutant]:
    if path[-1] == "message" and path[0] in {"message", "profiles"}:
        yield Mutant("change", path, replaced(rule, path, f"{value} (mutant)"))


OPERATORS: tuple[Mutate, ...] = (
    _delete_entry,
    _delete_condition,
    _delete_keyword,
    _delete_place_word,
    _weaken_requirement,
    _change_fix,
    _delete_alternative,
    _ask_bases_alone,
    _read_docstrings,
    _flip,
    _shift_bound,
    _lower_resolve,
    _change_severity,
    _change_message,
)
