"""Anchors: what must be written in a file before a rule can fire there, and how far it looks."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from vetbox.enums import TextEnum


class Reach(TextEnum):
    """How much of the file a rule's verdict on one place may depend on."""

    TEXT = "text"  # the text itself, comments included: no parser is asked
    LINE = "line"  # the logical line alone
    BLOCK = "block"  # the line and its whole suite, whatever their names mean
    NAMES = "names"  # the line, what encloses it, and what the names that decide are bound to
    SUITE = "suite"  # the same for the line and its whole suite
    WITHIN = "within"  # the same, and what begins a block with the whole function
    FUNCTION = "function"  # the whole outermost def around it, or class where it is in none
    RUN = "run"  # the same, and the statements beside what is around it
    CLASS = "class"  # the same, and the whole of the outermost class around it
    FILE = "file"


class Anchor(NamedTuple):
    """One way to fire: all `words` occur in the file as identifiers, `regex` and `texts` match.

    `sites` are the words a finding stands at: `system` for `os.system`. With `aliased` it may also
    stand at a name bound to a site (`from os import system as s`). `via` are the words that lead to
    a site, the first of them the module `root` that has to be imported (`os`); a site then counts
    only behind one of them, or imported by name. Without a root a site is a builtin: it counts bare
    or behind a word of `via`. With `any_receiver` it counts everywhere, when `dotted` behind every
    dot (`*.execute`), or behind every word of `via` that is, or its `lead` (`*.objects.all.raw`),
    with `in_strings` inside string literals as well. What a `dynamic` site returns may be anything.
    With a regex only lines where a match begins count, and of those the ones that hold a site, if
    any. What is `kept` may be given a name first, and count where that stands, with the word that
    is `asked` of it if there is one. A `doubtful` one counts only where doubt is a finding: for
    code about to run; one that is `outdone` does not, as another asks for less there. Where it
    `resembles` names, some word of an import looks like one of them.

    A tuple, as there are thousands to be read back at every start.
    """

    words: frozenset[str] = frozenset()
    sites: frozenset[str] = frozenset()
    via: frozenset[str] = frozenset()
    root: str = ""
    lead: str = ""
    regex: str = ""
    texts: tuple[str, ...] = ()
    aliased: bool = True
    any_receiver: bool = True
    dotted: bool = False
    in_strings: bool = True
    dynamic: bool = False
    doubtful: bool = False
    outdone: bool = False
    kept: bool = False
    asked: str = ""
    resembles: frozenset[str] = frozenset()

    @property
    def is_placed(self) -> bool:
        """Does it say where in a file? Texts alone say only in which."""
        return bool(self.sites or self.via or self.regex or self.lead or self.resembles)

    def beside(self, words: Set[str], texts: Sequence[str]) -> "Anchor":
        """The same where these occur as well."""
        if not words and not texts:
            return self
        return self._replace(words=self.words | words, texts=(*self.texts, *texts))


Anchors: TypeAlias = Mapping[str, tuple[Anchor, ...]]
"""The anchors of each rule by its id; a rule without any is judged on every file, whole."""

# What these return or hold may be any function or module, whatever words are written.
INDIRECTIONS = frozenset(
    {"__builtins__", "__dict__", "__getattribute__", "__import__", "__loader__", "__self__"}
    | {"attrgetter", "eval", "exec", "f_builtins", "f_globals", "getattr", "getattr_static"}
    | {"globals", "import_module", "itemgetter", "load_module", "locals", "methodcaller", "modules"}
    | {"getmembers", "getmodule", "resolve_name", "vars"}
)
# They belong to something: without a dot before it, `modules` is somebody's variable.
DOTTED = frozenset(
    {"__dict__", "__getattribute__", "__self__", "f_builtins", "f_globals", "load_module"}
    | {"modules"}
)
