"""The anchors of code patterns: of a dotted one, where it is written so and where it is imported.

`request.GET` matches what is spelt that way, whatever `request` is, and what the imports say is
called so. A variable that holds an undefined `request` would be a third way; only code about to run
is asked for that.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.regex_search import one_of
from vetbox.rules.filtering.relaxed_regexes import OBSCURED, SPLIT, written
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.resolve.canonical import BUILTINS, other_homes

if TYPE_CHECKING:
    import libcst as cst

    from vetbox.rules.patterns import Pattern, Twins

Texts: TypeAlias = Mapping[str, str]
"""`$A` → a regex that is found in the text it stands for."""

_DOTTED = re.compile(r"([\w$]+(?:\.[\w$]+)+)(?:\(.*\))?", re.DOTALL)
_QUOTED = re.compile(r"""["'](\$[A-Z_][A-Z0-9_]*)["']""")
_PLAIN = re.compile(r"[\w-]+|\$[a-z]+")
_GAP = r"(?:[\s\\()]|#[^\n]*\n)*"
_DOT = rf"{_GAP}\.{_GAP}"
_SPELLED_KEYWORDS = rf"\*\*{_GAP}\{{"
"""`**{"key": value}`, which gives a keyword that stands in a string."""
_LONG = 4  # characters; shorter texts are in every file
_INSTANCES = frozenset({"self", "cls"})
BUILTIN_MODULES = frozenset({"builtins", "__builtins__", "f_builtins"})


@dataclass(frozen=True, slots=True)
class Dotted:
    """A pattern that is a chain of names: `flask.request.$A`, `self.write(...)`, `$L.$M(...)`."""

    parts: tuple[str, ...]

    @classmethod
    def of(cls, pattern: str) -> "Dotted | None":
        """The chain, or None where the pattern is anything else."""
        found = _DOTTED.fullmatch(pattern.strip())
        return cls(tuple(found[1].split("."))) if found else None

    @property
    def literal(self) -> tuple[str, ...]:
        """The names before the first metavariable."""
        first = (at for at, part in enumerate(self.parts) if "$" in part)
        return self.parts[: next(first, len(self.parts))]

    def written(self, texts: Texts) -> str:
        """A regex for the chain as it stands in a file."""
        return _DOT.join(_spelt(part, texts) for part in self.parts)


def code_anchors(code: f.Code, texts: Texts) -> Iterator[Anchor]:
    """By its names, else by what opens it; one without anything where a match may stand anywhere.

    What is looked for behind every lookup may be spelt in a string. A text that a pattern quotes
    must be there, or a literal that may be it, and so must the names in its chains; but for doubt.
    """
    found = list(_named_anchors(code, texts))
    quoted = [texts[name] for name in _QUOTED.findall(code.pattern) if name in texts]
    chained = [] if code.resolve is f.Resolve.DYNAMIC else _chained_in(code.pattern)
    told = (
        *(f"{text}|{OBSCURED}" for text in quoted),
        *(texts[name] for name in chained if name in texts),
        *(f"{text}|{SPLIT}" for text in filter(None, [_quoted_in(code.pattern)])),
    )
    if not told:
        yield from found
        return
    for anchor in found:
        if not anchor.doubtful:
            yield anchor._replace(texts=(*anchor.texts, *told))
        yield anchor._replace(doubtful=True)


@lru_cache(maxsize=1_000)
def _quoted_in(pattern: str) -> str:
    """A regex for the longest text that is written as a part of a pattern."""
    import libcst as cst

    from vetbox.rules.patterns import parse_pattern

    root = parse_pattern(pattern).expression
    found = "" if root is None or isinstance(root, cst.Dict) else _longest_text(root)
    return found if len(found) >= _LONG else ""


@lru_cache(maxsize=1_000)
def _chained_in(pattern: str) -> Sequence[str]:
    """The metavariables before and behind the dots of what no regex finds as a whole: names."""
    import libcst as cst

    from vetbox.rules.patterns import parse_pattern
    from vetbox.rules.patterns.vocabulary import metavariable, subexpressions

    dotted = Dotted.of(pattern)
    root = parse_pattern(pattern).expression
    if root is None or (dotted is not None and dotted.literal):
        return ()
    chains = (one for one in subexpressions(root) if isinstance(one, cst.Attribute))
    names = (metavariable(name) for one in chains for name in (one.value, one.attr))
    return tuple(dict.fromkeys(f"${name}" for name in names if name))


def _named_anchors(code: f.Code, texts: Texts) -> Iterator[Anchor]:
    from vetbox.rules.patterns import has_sure_start, is_kept, parse_pattern, site_words

    is_dynamic = code.resolve is f.Resolve.DYNAMIC
    pattern = parse_pattern(code.pattern)
    dotted = None if is_dynamic else Dotted.of(code.pattern)
    if dotted is not None and dotted.literal:
        asked = _asked(pattern)
        words = _keywords(pattern) if asked is None else pattern.words
        for one in dotted_anchors(dotted, texts, words):
            yield one if asked is None else one._replace(kept=True, asked=asked)
        return
    words = pattern.words
    if words and not has_sure_start(pattern):
        yield Anchor(words, in_strings=is_dynamic)  # nothing says where it begins
        return
    anchor = Anchor(words, site_words(pattern), in_strings=is_dynamic, kept=is_kept(pattern))
    if anchor.sites < BUILTINS and _calls(pattern, anchor.sites) and not is_dynamic:
        yield from builtin_anchors(anchor)
    elif anchor.sites and anchor.sites <= _keywords(pattern) and not is_dynamic:
        anchor = anchor._replace(aliased=False)  # a keyword is called nothing else
        yield anchor
        yield anchor._replace(in_strings=True, texts=(_SPELLED_KEYWORDS,))
    elif words:
        yield anchor
    else:
        yield from shape_anchors(pattern, texts) or [Anchor()]


def _asked(pattern: "Pattern") -> str | None:
    """What is asked of the result of a call in it, which may have been given a name before.

    Empty where it may be anything, None where there is no such call.
    """
    import libcst as cst

    from vetbox.rules.patterns.vocabulary import metavariable

    match pattern.expression:
        case cst.Call(func=cst.Attribute(value=root, attr=asked)):
            while isinstance(root, cst.Attribute):
                root = root.value
            if isinstance(root, cst.Call):
                return "" if metavariable(asked) else asked.value
    return None


def _keywords(pattern: "Pattern") -> frozenset[str]:
    """Of a call: the keywords it spells, which are spelt where it matches."""
    import libcst as cst

    arguments = pattern.expression.args if isinstance(pattern.expression, cst.Call) else ()
    spelt = (argument.keyword.value for argument in arguments if argument.keyword is not None)
    return pattern.words.intersection(spelt)


def _calls(pattern: "Pattern", names: frozenset[str]) -> bool:
    """Whether it is a call of a bare name, the only one that a match is found by."""
    import libcst as cst

    match pattern.expression:
        case cst.Call(func=cst.Name(value=name)):
            return names == {name}
    return False


def builtin_anchors(loose: Anchor) -> Iterator[Anchor]:
    """On its own or from its modules; by an import of its name; in doubt by its words alone."""
    (name,) = loose.sites
    homes = BUILTIN_MODULES | other_homes(name)
    yield loose._replace(via=homes, any_receiver=False)
    yield loose._replace(words=loose.words | {"builtins"})  # six.moves.builtins.open
    yield loose._replace(root=name, texts=(_imported(name),))
    yield loose._replace(doubtful=True)


def dotted_anchors(
    pattern: Dotted, texts: Texts, keywords: frozenset[str] = frozenset()
) -> Iterator[Anchor]:
    """As it is written; by what is imported; in doubt by its words alone."""
    names = pattern.literal
    words = keywords.union(part for part in pattern.parts if "$" not in part)
    last = frozenset({names[-1]})
    loose = Anchor(words, last, in_strings=False)
    yield loose._replace(regex=pattern.written(texts))
    yield loose._replace(doubtful=True)
    if names[0] not in _INSTANCES:
        via = frozenset(names[:-1])
        imported = (_imported(names[0]),)
        yield loose._replace(via=via, root=names[0], texts=imported, any_receiver=not via)


def shape_anchors(pattern: "Pattern", texts: Texts) -> list[Anchor]:
    """Of a pattern without names: by what it begins with; none where that may be anything."""
    import libcst as cst

    from vetbox.rules.patterns import twins_of

    twins = twins_of(pattern)
    if twins is not None:
        return [Anchor(regex=_twice(twins, texts), aliased=False)]
    match pattern.expression, pattern.statements:
        case cst.Dict() as display, _:
            opened = Anchor(regex=r"\{", aliased=False)
            longest = tuple(filter(None, [_longest_text(display)]))
            return [opened._replace(texts=longest), opened._replace(doubtful=True)]
        case cst.Call(args=[cst.Arg(star="**"), *others]), _:
            before = "[(,]" if others else r"\("  # other keywords may stand before it
            return [Anchor(regex=rf"{before}{_GAP}\*\*", aliased=False)]
        case cst.Subscript(), _:
            return [Anchor(regex=r"\[", aliased=False)]
        case None, [cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript() as item)])]:
            return _item_anchors(_longest_text(item))
        case None, [cst.Return() | cst.While() as statement]:
            word = frozenset({"return" if isinstance(statement, cst.Return) else "while"})
            return [Anchor(word, word, aliased=False, in_strings=False)]
    return []


def _twice(twins: "Twins", texts: Texts) -> str:
    """A regex for what says the same twice: where its text is told, the whole of it."""
    text = texts.get(twins.hole)
    if text is None:
        return re.escape(twins.sign)
    sign = rf"{_GAP}{re.escape(twins.sign)}{_GAP}"
    said = rf"(?:{text}){sign}(?:{text}){_GAP}(?:[;#\r\n]|\z)"
    return said if twins.augments else rf"(?:{text}){_GAP}(?::[^=\n]*)?={_GAP}{said}"


def _item_anchors(key: str) -> list[Anchor]:
    """Of `$X["key"] = …`: its key as it is written, but for doubt."""
    if not key:
        return []
    spelt = Anchor(regex=rf"\[{_GAP}[\"']{key}[\"']{_GAP}\]", aliased=False)
    return [spelt, Anchor(texts=(key,), doubtful=True)]


def _longest_text(display: "cst.BaseExpression") -> str:
    """Of the texts in it that are one word the longest, as a regex."""
    from vetbox.rules.patterns.vocabulary import quote_content, subexpressions

    texts = [quote_content(one) or "" for one in subexpressions(display)]
    longest = max((text for text in texts if _PLAIN.fullmatch(text)), key=len, default="")
    return longest.replace("$", r"\$")


def within(anchor: Anchor, around: Iterable[Anchor]) -> Iterator[Anchor]:
    """An anchor of what has to stand inside of something else, whose words it then waits for."""
    for outer in around:
        words = anchor.words | outer.words
        texts = (*anchor.texts, *outer.texts, *filter(None, [outer.regex]))
        doubtful = anchor.doubtful or outer.doubtful
        yield anchor._replace(words=words, texts=texts, doubtful=doubtful)


def holding(anchor: Anchor, held: Iterable[Anchor]) -> Iterator[Anchor]:
    """An anchor of what has to hold something else: its name and its module, but for doubt."""
    held = tuple(held)
    if not all(one.sites for one in held):
        yield anchor
        return
    roots = {one.root for one in held}
    names = [one_of(word for one in held for word in one.sites)]
    texts = [*names, one_of(roots)] if all(roots) else names
    yield anchor._replace(texts=(*anchor.texts, *texts))
    yield anchor._replace(doubtful=True)


def received(anchor: Anchor, parts: Iterable[f.Formula], texts: Texts) -> Iterator[Anchor]:
    """An anchor whose receiver is told by its text as well, but for doubt."""
    spelt = "" if anchor.root or anchor.regex else _receiver_regex(parts, anchor.sites, texts)
    yield anchor._replace(regex=spelt) if spelt else anchor
    if spelt:
        yield anchor._replace(doubtful=True)


def _receiver_regex(parts: Iterable[f.Formula], sites: frozenset[str], texts: Texts) -> str:
    """`$L.$M(...)` where the text of `$L` is told: that text before the dot of a site."""
    for part in parts:
        dotted = Dotted.of(part.pattern) if isinstance(part, f.Code) else None
        if dotted is not None and len(dotted.parts) == len(("$L", "$M")) and not dotted.literal:
            receiver = texts.get(dotted.parts[0])
            if receiver is not None:
                return rf"(?:{receiver}){_DOT}(?:{'|'.join(sorted(sites))})\b"
    return ""


def _spelt(part: str, texts: Texts) -> str:
    if "$" not in part:
        return rf"\b{part}\b"
    return rf"\w*(?:{texts[part]})\w*" if part in texts else r"\w+"


def _imported(module: str) -> str:
    """A regex for the import of a module: `import a, module`, `from module import x`."""
    listed = rf"import\b(?:[^\n#;\\]|\\\r?\n)*\b{module}\b"
    return rf"(?:^|[\n;:])[ \t]*(?:{listed}|from[\s\\]+{module}\b)"


def metavariable_texts(parts: Iterable[f.Formula]) -> Iterator[tuple[str, str]]:
    """What a metavariable must stand for, where its text has to match a regex."""
    for part in parts:
        if isinstance(part, f.Where) and part.condition is not None:
            for text in written(part.condition):
                yield f"${part.metavariable.removeprefix('$')}", text
