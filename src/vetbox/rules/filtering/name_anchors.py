"""The anchors of names: the words that spell a dotted name, and those that compute one."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from vetbox.rules.filtering.pattern_anchors import BUILTIN_MODULES
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import DOTTED, INDIRECTIONS, Anchor
from vetbox.rules.resolve.canonical import BUILTINS, CARRIED, CARRIED_BY_LIBRARY, other_homes

ANYWHERE = Anchor()
_WORD = r"\w*"
_HELD = CARRIED | CARRIED_BY_LIBRARY
# `case object(system=run)` reads an attribute without a dot.
_PATTERN = Anchor(
    frozenset({"case"}), frozenset({"case"}), in_strings=False, dynamic=True, doubtful=True
)


def name_anchors(names: f.Names, level: f.Resolve) -> Iterator[Anchor]:
    """One of the names, by the words that spell it and those that compute it."""
    if names.regex:
        yield ANYWHERE
    names_here = (*names.exact, *names.globs)
    for name in (name for name in names_here if "?" not in name):
        yield from _spelt(name) if level >= f.Resolve.ALIASES else (one_name(name),)
    if level is f.Resolve.DYNAMIC:
        yield from computed(frozenset(map(_root, names_here)))


@lru_cache(maxsize=2_000)  # one mutant of a rule asks for what the next one asks for
def _spelt(name: str) -> tuple[Anchor, ...]:
    """By its own words, and by those of a module that holds its module."""
    itself = one_name(name)
    if "*" in name:
        return (itself,)
    root = _root(name)
    homes = (root,) if root else sorted({"builtins"} | other_homes(name) & _HELD)
    return (itself, *(held for home in homes for held in _carried(itself, home)))


def _carried(anchor: Anchor, home: str) -> Iterator[Anchor]:
    """Modules hold the modules they import: `logging.os.system`, `random._os.system`."""
    for word in (home, f"_{home}") if home in _HELD else ():
        words = (anchor.words - {home}) | {word}
        yield anchor._replace(words=words, root="", any_receiver=True, doubtful=True)


def _root(name: str) -> str:
    root, dot, _ = name.partition(".")
    return root if dot else ""


@lru_cache(maxsize=500)
def computed(roots: frozenset[str]) -> tuple[Anchor, ...]:
    """A name may be computed from these: on a module that is written, or in doubt on any."""
    return tuple(_computed(roots))


NAMES_REMEMBERED = (_spelt, computed)


def _computed(roots: Iterable[str]) -> Iterator[Anchor]:
    homes = {home for root in roots for home in ({root} if root else BUILTIN_MODULES)}
    for word in sorted(INDIRECTIONS):
        anchor = Anchor(frozenset({word}), frozenset({word}), in_strings=False, dynamic=True)
        anchor = anchor._replace(any_receiver=word not in DOTTED, dotted=word in DOTTED)
        yield anchor._replace(doubtful="*" not in homes)
        for home in sorted(homes):
            yield anchor._replace(words=anchor.words | {home})
    yield _PATTERN


def one_name(name: str) -> Anchor:
    """By its first and its last word, the last behind what leads to it."""
    segments = [part for part in name.split(".") if "*" not in part and part]
    if not segments:
        return ANYWHERE
    words, sites = frozenset({segments[0], segments[-1]}), frozenset({segments[-1]})
    if name.startswith("*") or any("*" in part for part in name.split(".")[1:-1]):
        # What stands for a segment may be called anything: `from a.b import C` leads to `a.b.*.f`.
        is_open = "*" in name.split(".")[-2]
        words |= frozenset(segments)
        via = frozenset[str]() if is_open else frozenset(segments[:-1])
        lead = segments[0] if via and "*" not in name[1:] else ""
        held = Anchor(words, sites, via, any_receiver=False, in_strings=False)
        return held._replace(dotted=True, lead=lead, texts=tuple(_beginnings(name)))
    if "." not in name:
        homes = BUILTIN_MODULES | other_homes(name)
        return Anchor(words, sites, homes, any_receiver=False, in_strings=False)
    via = frozenset(segments[:-1])
    # `str.format` is there without an import.
    root = "" if segments[0] in BUILTINS else segments[0]
    return Anchor(words, sites, via, root, any_receiver=False, in_strings=False)


def _beginnings(name: str) -> Iterator[str]:
    """What words match that are written in part: `langchain*.*.invoke`."""
    parts = sorted(part for part in set(name.split(".")) if "*" in part and part != "*")
    yield from (rf"\b{part.replace('*', _WORD)}\b" for part in parts)
