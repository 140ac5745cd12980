"""Respells a code pattern (`$X`, `...`, `<... e ...>`) as plain Python that a parser accepts.

Metavariables become names with a prefix no program uses, an ellipsis takes the one form that
Python's grammar allows where it stands: `*...` among arguments, `**...` in a dict, a parameter in
a `def`. Nothing else of the text is touched, so a syntax error keeps its line.
"""

import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

METAVARIABLE = "__mv_"
"""`$X` is spelled `__mv_X`."""
ELLIPSIS_METAVARIABLE = "__emv_"
"""`$...X` is spelled `__emv_X`, starred among arguments."""
ANY_PARAMETERS = "__any_"
"""`...` among parameters is spelled `__any_0`, `__any_1`, …"""
DEEP = "__deep"
"""`<... e ...>` is spelled `__deep(e)`."""
CHAIN = "__chain"
"""`a. ... .b` is spelled `a.__chain.b`."""
TYPED = "__typed"
"""`($X: T)` is spelled `__typed(__mv_X, T)`."""

_TOKEN = re.compile(
    r"""
    (?P<string>(?i:[rbuf]{0,2})(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<comment>\#[^\n]*)
    |(?P<rest>\$\.\.\.[A-Z_][A-Z0-9_]*)
    |(?P<metavariable>\$[A-Z_][A-Z0-9_]*)
    |(?P<open><\.\.\.)
    |(?P<close>\.\.\.>)
    |(?P<ellipsis>\.\.\.)
    |(?P<word>\w+)
    |(?P<space>\s+)
    |(?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_FIELD_METAVARIABLE = re.compile(r"\$([A-Z_][A-Z0-9_]*)(?=[^{}]*\})")
_METAVARIABLE_TEXT = re.compile(r"\$[A-Z_][A-Z0-9_]*")
_TYPED_METAVARIABLE = re.compile(r"\(\s*\$([A-Z_][A-Z0-9_]*)\s*:\s*([\w.\[\], ]+?)\s*\)")
_KEYWORDS_BEFORE_GROUP = frozenset(keyword.kwlist) - {"True", "False", "None"}

_BracketKind = Literal["call", "params", "bases", "lambda", "subscript", "dict", "group"]


_DEFINED: Mapping[str, _BracketKind] = {"def": "params", "class": "bases"}


@dataclass(slots=True)
class _Bracket:
    kind: _BracketKind
    has_default: bool = False
    has_star: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


@dataclass(slots=True)
class _Respeller:
    """Walks the tokens once, knowing which bracket it stands in."""

    tokens: list[_Token]
    out: list[str] = field(default_factory=list)
    brackets: list[_Bracket] = field(default_factory=list)
    ellipses: int = 0

    def respell(self) -> str:
        for index, token in enumerate(self.tokens):
            self.out.append(self._one(index, token))
        return "".join(self.out)

    def _one(self, index: int, token: _Token) -> str:
        respelling = _RESPELLINGS.get(token.kind)
        return respelling(self, index, token.text) if respelling else token.text

    def _word(self, _: int, text: str) -> str:
        if text == "lambda":
            self.brackets.append(_Bracket("lambda"))
        return text

    def _rest(self, _: int, text: str) -> str:
        name = ELLIPSIS_METAVARIABLE + text[4:]
        return f"*{name}" if self._inside() in ("call", "params", "bases") else name

    def _ellipsis(self, index: int, _: str) -> str:
        if self._before(index) == "." and self._after(index) == ".":
            return CHAIN
        bracket = self.brackets[-1] if self.brackets else None
        if bracket is None or not self._is_whole_element(index):
            return "..."
        if bracket.kind in ("params", "lambda"):
            return self._any_parameters(bracket)
        if bracket.kind == "bases":  # libcst reads no `*` behind a keyword of a class
            return "**..." if bracket.has_default else "*..."
        return {"call": "*...", "dict": "**..."}.get(bracket.kind, "...")

    def _any_parameters(self, bracket: _Bracket) -> str:
        """Plain after plain parameters; the first one after a default opens the keyword-only part,
        since no plain parameter may follow a default."""
        self.ellipses += 1
        name = f"{ANY_PARAMETERS}{self.ellipses}"
        if bracket.has_default and not bracket.has_star:
            bracket.has_star = True
            return f"*{name}"
        return name

    def _is_whole_element(self, index: int) -> bool:
        before, after = self._before(index), self._after(index)
        return before in ("(", "{", ",", "lambda") and after in (")", "}", ",", ":")

    def _sign(self, index: int, sign: str) -> str:
        match sign:
            case "(" | "[" | "{":
                self.brackets.append(_Bracket(self._kind(index, sign)))
            case ")" | "]" | "}" if self.brackets:
                self.brackets.pop()
            case ":" if self._inside() == "lambda":
                self.brackets.pop()
            case "=" if self.brackets:
                self.brackets[-1].has_default = True
        return sign

    def _kind(self, index: int, sign: str) -> _BracketKind:
        if sign == "{":
            return "dict" if self._has_pairs(index) else "group"
        before = self._previous(index)
        follows_value = before is not None and _ends_value(before)
        if sign == "[":
            return "subscript" if follows_value else "group"
        if not follows_value:
            return "group"
        words = [t.text for t in self.tokens[:index] if t.kind not in ("space", "comment")]
        return _DEFINED.get(words[-2] if len(words) > 1 else "", "call")

    def _has_pairs(self, index: int) -> bool:
        """Does a brace hold `key: value`, or another dict by `**`?"""
        depth = 0
        for place, token in enumerate(self.tokens[index + 1 :], index + 1):
            if token.text in ("(", "[", "{"):
                depth += 1
            elif token.text in (")", "]", "}"):
                depth -= 1
                if depth < 0:
                    return False
            elif depth == 0 and (token.text == ":" or self._is_double_star(place)):
                return True
        return False

    def _is_double_star(self, index: int) -> bool:
        text = "".join(token.text for token in self.tokens[index : index + 2])
        return text == "**" and self._before(index) in ("{", ",")

    def _inside(self) -> _BracketKind | None:
        return self.brackets[-1].kind if self.brackets else None

    def _previous(self, index: int) -> _Token | None:
        for token in reversed(self.tokens[:index]):
            if token.kind not in ("space", "comment"):
                return token
        return None

    def _before(self, index: int) -> str:
        token = self._previous(index)
        return token.text if token else ""

    def _after(self, index: int) -> str:
        for token in self.tokens[index + 1 :]:
            if token.kind not in ("space", "comment"):
                return token.text
        return ""


_RESPELLINGS: dict[str, Callable[[_Respeller, int, str], str]] = {
    "metavariable": lambda _, __, text: METAVARIABLE + text[1:],
    "rest": _Respeller._rest,
    "open": lambda *_: f"{DEEP}(",
    "close": lambda *_: ")",
    "ellipsis": _Respeller._ellipsis,
    "string": lambda _, __, text: _respell_string(text),
    "word": _Respeller._word,
    "sign": _Respeller._sign,
}


def respell(pattern: str) -> str:
    """The pattern as plain Python, line for line."""
    typed = _TYPED_METAVARIABLE.sub(rf"{TYPED}($\1, \2)", pattern)
    return _Respeller(list(_tokens(typed))).respell()


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        yield _Token(found.lastgroup or "sign", found.group())


def _ends_value(token: _Token) -> bool:
    if token.kind == "word":
        return token.text not in _KEYWORDS_BEFORE_GROUP
    return token.kind in ("metavariable", "string", "rest") or token.text in (")", "]", "}")


def _respell_string(text: str) -> str:
    """Inside an f-string's fields `$X` is code; in a plain string it stays as written."""
    prefix = text[: re.search("['\"]", text).start()]  # type: ignore[union-attr]
    if "f" not in prefix.lower():
        return text
    return _FIELD_METAVARIABLE.sub(rf"{METAVARIABLE}\1", text)


def is_metavariable(text: str) -> bool:
    """Is the whole text one `$X`?"""
    return _METAVARIABLE_TEXT.fullmatch(text) is not None
