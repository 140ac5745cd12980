"""Older grammar: code of a newer Python, written so that this one reads it, place for place.

No character moves to another line, and none but the last name of an `except` to another column.
Type parameters are blanked, `type X = …` gives something to `type_X`, `t"…"` is taken for `f"…"`;
in the fields of f-strings other quotes are written, and an underscore for what cannot stand there.
What could hide something that way has no older form: a call among type parameters, a character by
its number. That is enough for a code base, not for code that may be out to deceive.
"""

import re

from vetbox.errors import VetboxError

_STRING = re.compile(r"(?<!\w)([A-Za-z]{0,2})(\"\"\"|'''|\"|')")
_PREFIXES = frozenset({"", "r", "b", "u", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"})
_FORMATTED = frozenset("ft")
_OTHER = {'"': "'", "'": '"'}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LINE_END = re.compile(r"\r\n?|\n|\Z")
_CALL = re.compile(r"[\w)\]\"']\s*\(")
_BY_NUMBER = re.compile(r"\\[xuUN0-7\r\n]")
_NAMED_CHARACTER = re.compile(r"\\N\{[^}\n]*\}")
_TYPE = re.compile(r"type([ \t]+)\w+[ \t]*(?=\[|=(?!=))")
_DEFINITION = re.compile(r"(?:async[ \t]+def|def|class)[ \t]+\w+[ \t]*(?=\[)")
_EXCEPT = re.compile(
    r"except(?:[ \t]*\*)?[ \t]+"
    r"(?P<names>[\w.]+(?:[ \t]*,[ \t]*[\w.]+)*,)[ \t](?P<last>[\w.]+)[ \t]*:"
)


class NoOlderFormError(VetboxError):
    """Code that no older grammar has a form for, or none of the same length."""


def in_older_grammar(text: str) -> str | None:
    """The code as Python 3.11 has it; None where all of it is, or some of it cannot be."""
    writer = _Writer(text)
    try:
        writer.code(0)
    except (NoOlderFormError, RecursionError):
        return None
    written = "".join(writer.out)
    return None if written == text else written


class _Writer:
    """Reads the text from start to end; `out` is what it writes, character for character."""

    def __init__(self, text: str) -> None:
        self.text, self.out = text, list(text)

    # Code -------------------------------------------------------------------------------------

    def code(self, at: int, until: str = "", around: tuple[str, ...] = ()) -> int:
        """Read on to one of the characters that end it, and say where that is.

        `around` are the quotes of the f-strings in whose fields it stands.
        """
        begins = not until
        while at < len(self.text):
            if begins:
                at = self._statement(at)
            char = self.text[at : at + 1]
            if char and char in until:
                return at
            begins = not until and (char in "\r\n;:" or (begins and char in " \t\f"))
            at = self._token(at, char, around)
        if until:
            raise NoOlderFormError(f"nothing ends it: {until}")
        return at

    def _token(self, at: int, char: str, around: tuple[str, ...]) -> int:
        string = _STRING.match(self.text, at)
        if string is not None and string[1].lower() in _PREFIXES:
            return self._string(string, around)
        if char in _CLOSING:
            return self.code(at + 1, _CLOSING[char], around) + 1
        if char == "#" and not around:
            return self._line_end(at)
        if around and (char in "#\\" or (char in "\r\n" and self._are_short(around))):
            raise NoOlderFormError("a field of an f-string with a comment, or of several lines")
        return at + 1

    def _line_end(self, at: int) -> int:
        found = _LINE_END.search(self.text, at)
        return len(self.text) if found is None else found.start()

    # Statements -------------------------------------------------------------------------------

    def _statement(self, at: int) -> int:
        """Write the head of one that is new; gives where to read on."""
        if found := _TYPE.match(self.text, at):
            self._write(*found.span(1), "_")
            return self._without_parameters(found.end())
        if found := _DEFINITION.match(self.text, at):
            return self._without_parameters(found.end())
        if found := _EXCEPT.match(self.text, at):
            # Its brackets stand where two spaces were.
            (start, _), (last, end) = found.span("names"), found.span("last")
            self.out[start - 1] = "("
            self.out[last - 1 : end] = [*found["last"], ")"]
            return end
        return at

    def _without_parameters(self, at: int) -> int:
        if self.text[at : at + 1] != "[":
            return at
        end = self.code(at + 1, "]") + 1
        if _CALL.search(self.text, at, end):
            raise NoOlderFormError("type parameters with a call among them")
        for line_end in _LINE_END.finditer(self.text, at, end):
            if self.text[line_end.start() - 1] in "\r\n":
                raise NoOlderFormError("type parameters with an empty line between them")
            self._write(at, line_end.start(), " ")
            at = line_end.end()
            if line_end.group():
                self.out[line_end.start() - 1] = "\\"
        self._write(at, end, " ")
        return end

    def _write(self, start: int, end: int, char: str) -> None:
        self.out[start:end] = char * (end - start)

    # Strings ----------------------------------------------------------------------------------

    def _string(self, found: re.Match[str], around: tuple[str, ...]) -> int:
        """Read a string; within a field nothing may stand in it that the f-string ends at."""
        prefix, quote = found[1].lower(), found[2]
        if "t" in prefix:
            self.out[found.start(1) + prefix.index("t")] = "f"
        is_formatted = not _FORMATTED.isdisjoint(prefix)
        inner = self._quote_within(quote, around)
        self._put(found.start(2), inner)
        short = {one for one in (inner, *around) if len(one) == 1}
        refused = {"\\", *short} if around else set()
        at = found.end()
        while not self.text.startswith(quote, at):
            if at >= len(self.text) or (len(quote) == 1 and self.text[at] in "\r\n"):
                raise NoOlderFormError("a string that never ends")
            if is_formatted and self.text[at] == "{" and self.text[at + 1 : at + 2] != "{":
                at = self._field(at + 1, (*around, inner))
                continue
            if around and "r" not in prefix and _BY_NUMBER.match(self.text, at):
                raise NoOlderFormError("a character by its number, in a field of an f-string")
            length = self._length(at, is_raw="r" in prefix, is_formatted=is_formatted)
            for place in range(at, at + length):
                if self.text[place : place + 1] in refused:
                    self.out[place] = "_"
            at += length
        self._put(at, inner)
        return at + len(quote)

    def _quote_within(self, quote: str, around: tuple[str, ...]) -> str:
        if quote not in around:
            return quote
        other = _OTHER.get(quote, "")
        if not other or other in around:
            raise NoOlderFormError("quotes that are all taken")
        return other

    def _put(self, at: int, quote: str) -> None:
        self.out[at : at + len(quote)] = quote

    def _length(self, at: int, *, is_raw: bool, is_formatted: bool) -> int:
        """Of what stands for one character, or for one that is no end of the string."""
        if self.text[at] == "\\":
            named = None if is_raw else _NAMED_CHARACTER.match(self.text, at)
            return 2 if named is None else len(named.group())
        is_doubled = is_formatted and self.text[at : at + 2] in ("{{", "}}")
        return 2 if is_doubled else 1

    def _field(self, at: int, around: tuple[str, ...]) -> int:
        """Read `expression!r:format}`; gives the place behind it."""
        at = self.code(at, "}!:", around)
        while self.text.startswith("!=", at):
            at = self.code(at + 2, "}!:", around)
        if self.text[at] == "!":
            at = self.code(at + 1, "}:", around)
        if self.text[at] == ":":
            at = self._format(at + 1, around)
        return at + 1

    def _format(self, at: int, around: tuple[str, ...]) -> int:
        while not self.text.startswith("}", at):
            if at >= len(self.text) or self.text.startswith(around[-1], at):
                raise NoOlderFormError("a field that is never closed")
            at = self._field(at + 1, around) if self.text[at] == "{" else at + 1
        return at

    @staticmethod
    def _are_short(quotes: tuple[str, ...]) -> bool:
        return any(len(quote) == 1 for quote in quotes)
