"""Texts: string literals, texts used as names, and identifiers by their spelling."""

import re
import unicodedata

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.matching.conditions import holds, texts
from vetbox.rules.matching.match import Match
from vetbox.rules.regexes import re2_compiled
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.resolve.tables import arguments
from vetbox.rules.walk import identifier

_STRINGS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)


def match_string(matcher: f.String, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, _STRINGS) or isinstance(
        facts.tree.parent(node), cst.ConcatenatedString
    ):
        return None
    if not holds(matcher.condition, node, facts):
        return None
    if not matcher.docstrings and _is_docstring(node, facts):
        return None
    found = _matched_text(matcher.condition, node, facts)
    return Match(node, {"string": next(texts(node, facts), ""), "match": found})


def _matched_text(condition: f.Condition, node: cst.BaseExpression, facts: Resolver) -> str:
    if isinstance(condition, f.Regex):
        for text in texts(node, facts):
            found = re2_compiled(condition.regex).search(f.whole_characters(text))
            if found is not None:
                return str(found.group())
    return ""


def _is_docstring(node: cst.CSTNode, facts: Resolver) -> bool:
    return isinstance(facts.tree.parent(node), cst.Expr)


def text_use(
    call: cst.Call, facts: Resolver
) -> tuple[str, cst.BaseExpression, cst.BaseExpression] | None:
    """(use, text, object) of a call that takes a text for a name: getattr, format, attrgetter."""
    given = arguments(call)
    func = call.func
    if isinstance(func, cst.Attribute):
        method = identifier(func.attr)
        if method in ("format", "format_map"):
            return "format", func.value, func.value
        if method == "__getattribute__" and given:
            return "getattr", given[-1], given[0] if len(given) > 1 else func.value
    names = facts.names(func, f.Resolve.DYNAMIC)
    if names & _GETATTR and len(given) > 1:
        return "getattr", given[1], given[0]
    if names & {"operator.attrgetter", "operator.methodcaller"} and given:
        return "attrgetter", given[0], given[0]
    return None


_GETATTR = frozenset({"getattr", "hasattr", "setattr", "delattr", "inspect.getattr_static"})


def match_string_ref(matcher: f.StringRef, node: cst.CSTNode, facts: Resolver) -> Match | None:
    found: tuple[str, cst.BaseExpression] | None = None
    if isinstance(node, cst.Call):
        use = text_use(node, facts)
        found = (use[0], use[1]) if use else None
    elif isinstance(node, cst.Subscript) and len(node.slice) == 1:
        index = node.slice[0].slice
        found = ("subscript", index.value) if isinstance(index, cst.Index) else None
    if found is None or found[0] not in matcher.uses:
        return None
    if not holds(matcher.condition, found[1], facts):
        return None
    return Match(node, {"string": next(texts(found[1], facts), ""), "use": found[0]})


_INVISIBLE = re.compile("[\u115f\u1160\u3164\uffa0\u200b-\u200f\u2060-\u2064\ufeff]")


def match_identifier(matcher: f.Identifier, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, cst.Name):
        return None
    name = node.value
    if matcher.regex and not f.re2_search(matcher.regex, name):
        return None
    if matcher.kind == "invisible" and not _INVISIBLE.search(name):
        return None
    if matcher.kind == "mixed-script" and not _mixes_scripts(name):
        return None
    return Match(node, {"name": name})


# Greek letters drawn like Latin ones, and those that pass for one within a word.
_SAME_LETTERS = frozenset(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03f2\u03f3"
)
_LIKE_LETTERS = _SAME_LETTERS | frozenset("\u03b1\u03b3\u03b9\u03ba\u03bd\u03c1\u03c5")
_DOUBLED = frozenset({"CYRILLIC", "ARMENIAN", "CHEROKEE"})
_CYRILLIC_DOUBLES = frozenset(
    "\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
)
_WORD_LETTERS = 3
"""Fewer Latin letters beside a Greek one are a formula's: `d\u03b1`, `\u03c1x`."""


def _mixes_scripts(name: str) -> bool:
    """Letters of Latin together with such of another script which look the same."""
    if name.isascii():
        return False
    letters = unicodedata.normalize("NFKC", name)
    scripts = set(map(_script, filter(str.isalpha, letters)))
    if "LATIN" not in scripts or not scripts & {"GREEK", *_DOUBLED}:
        return False
    parts = [part for part in _PARTS.split(letters) if part]
    if scripts & _DOUBLED and _reads_as_latin(parts):
        return True
    return any(map(_passes_for_latin, parts))


def _reads_as_latin(parts: list[str]) -> bool:
    """Cyrillic and the like in a word of Latin, or in words that nobody can tell from Latin.

    A whole word that shows its script, beside an English one, deceives nobody.
    """
    others = [part for part in parts if set(map(_script, part)) & _DOUBLED]
    mixed = any("LATIN" in set(map(_script, part)) for part in others)
    return mixed or not any(
        _script(letter) == "CYRILLIC" and letter not in _CYRILLIC_DOUBLES
        for part in others
        for letter in part
    )


def _passes_for_latin(part: str) -> bool:
    """Greek in a part of a name that reads as Latin: science writes `\u0394x` and `\u03c3_max`."""
    latin = sum(_script(letter) == "LATIN" for letter in part)
    like = _LIKE_LETTERS if latin >= _WORD_LETTERS else _SAME_LETTERS
    return bool(like & set(part)) if latin else bool(part) and _SAME_LETTERS.issuperset(part)


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


_PARTS = re.compile(r"[_\d]+|(?<=[\u03b1-\u03c9])(?=[A-Z])")
"""Between them; a small Greek letter before a capital is a word of its own: `\u03c1E`."""
