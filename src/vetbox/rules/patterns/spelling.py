"""Respells a code pattern (`$X`, `...`, `<... e ...>`) as plain Python that a parser accepts.

Metavariables become names with a prefix no program uses, an ellipsis takes the one form that
Python's grammar allows where it stands: `*...` among arguments, `**...` in a dict, a parameter in
a `def`. Nothing else of the text is touched, so a syntax error keeps its line.
"""

import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Literal

from vetbox.late_dataclasses import dataclass

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
COMPLETION = "__completion"
"""What stands in the `finally` that completes a `try` without clauses."""
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
_KEYWORDS_BEFORE_GROUP = frozenset(keyword.kwlist) - {"True", "False", "None"}

_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_COMPARING = frozenset("=<>!:")

_BracketKind = Literal["call", "params", "bases", "lambda", "subscript", "dict", "group"]


_DEFINED: Mapping[str, _BracketKind] = {"def": "params", "class": "bases"}


@dataclass(slots=True)
class _Bracket:
    kind: _BracketKind
    has_default: bool = False
    has_star: bool = False
    has_rest: bool = False
    is_typed: bool = False


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

    def _metavariable(self, index: int, text: str) -> str:
        """`$X: T` among arguments or in brackets of its own has a type."""
        name = METAVARIABLE + text[1:]
        is_typed = self._before(index) in ("(", ",") and self._after(index) == ":"
        if not is_typed or self._inside() not in ("call", "group") or self._is_walrus(index):
            return name
        self.brackets[-1].is_typed = True
        return f"{TYPED}({name}"

    def _is_walrus(self, index: int) -> bool:
        following = "".join(token.text for token in self.tokens[index + 1 : index + 4])
        return following.lstrip().startswith(":=")

    def _rest(self, _: int, text: str) -> str:
        name = ELLIPSIS_METAVARIABLE + text[4:]
        return f"*{name}" if self._inside() in ("call", "params", "bases") else name

    def _ellipsis(self, index: int, _: str) -> str:
        if self._before(index) == "." and self._after(index) == ".":
            return CHAIN
        if "," in (self._before(index), self._after(index)) and self._is_target(index):
            return f"{ELLIPSIS_METAVARIABLE}_"
        bracket = self.brackets[-1] if self.brackets else None
        if bracket is None or not self._is_whole_element(index):
            return "..."
        if bracket.kind in ("params", "lambda"):
            return self._any_parameters(bracket)
        if bracket.kind == "bases":  # libcst reads no `*` behind a keyword of a class
            return "**..." if bracket.has_default else "*..."
        if bracket.kind == "call":  # behind `**` Python takes no `*`
            return "**..." if bracket.has_rest else "*..."
        return "**..." if bracket.kind == "dict" else "..."

    def _is_target(self, index: int) -> bool:
        """Is it, in brackets or not, before the `=` of an assignment?"""
        if any(bracket.kind != "group" for bracket in self.brackets):
            return False
        depth = len(self.brackets)
        for before, token, after in zip(
            self.tokens[index:], self.tokens[index + 1 :], self.tokens[index + 2 :], strict=False
        ):
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if token.kind == "space" and "\n" in token.text and not depth:
                return False
            if token.text == "=" and not depth:
                return before.text not in _COMPARING and after.text != "="
        return False

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
        typed = self._typed(sign)
        match sign:
            case "(" | "[" | "{":
                self.brackets.append(_Bracket(self._kind(index, sign)))
            case ")" | "]" | "}" if self.brackets:
                self.brackets.pop()
            case ":" if self._inside() == "lambda":
                self.brackets.pop()
            case "=" if self.brackets:
                self.brackets[-1].has_default = True
            case "*" if self.brackets and self._is_rest(index):
                self.brackets[-1].has_rest = True
        return typed

    def _typed(self, sign: str) -> str:
        """What a sign is where the type of a metavariable begins or ends."""
        if not self.brackets or not self.brackets[-1].is_typed:
            return sign
        if sign == ":":
            return ", "
        if sign in (",", ")"):
            self.brackets[-1].is_typed = False
            return f"){sign}"
        return sign

    def _is_rest(self, index: int) -> bool:
        """Is it the second sign of a `**` that begins an argument?"""
        return self._before(index) == "*" and self._before(index - 1) in ("(", ",")

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
    "metavariable": _Respeller._metavariable,
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
    return _Respeller(list(_tokens(pattern))).respell()


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
