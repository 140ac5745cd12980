"""The encoding of a file: what PEP 263 lets it declare, as far as text is stored so."""

import codecs
import re

from vetbox.errors import VetboxError

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_CODECS = (
    frozenset({"utf-8", "ascii", "iso8859-1", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254"})
    | frozenset(f"iso8859-{part}" for part in range(2, 17))
    | {"cp437", "cp850", "cp852", "cp866", "cp932", "cp936", "cp949", "cp950", "koi8-r", "koi8-u"}
    | {"euc_jp", "euc_kr", "shift_jis", "gb2312", "gbk", "gb18030", "big5", "mac-roman", "tis-620"}
)
"""Encodings of text, without codecs that compute: utf-7, unicode_escape, rot13, idna."""
_TOLD_CHARACTERS = 12
_FAMILIES = ((("utf-8",), "utf-8"), (("latin-1", "iso-8859-1", "iso-latin-1"), "iso-8859-1"))


class EncodingError(VetboxError):
    """Bytes that are no text in the encoding they declare; `line` counts from 1."""

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(sentence)
        self.line = line


def decoded(data: bytes) -> str:
    """The text of a file, without its byte order mark; raises EncodingError."""
    codec = codec_of(data)
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        sentence = f"line {line} is not {codec}: {error.reason}; save the file as UTF-8"
        raise EncodingError(sentence, line) from error


def codec_of(data: bytes) -> str:
    """The encoding a file declares; raises EncodingError for one that no source is read in."""
    has_bom = data.startswith(codecs.BOM_UTF8)
    declared = _declared(data.removeprefix(codecs.BOM_UTF8))
    if declared is None:
        return "utf-8"
    codec = _known_codec(declared)
    if codec is None:
        sentence = f"the encoding '{declared}' is not one that source is read in; save it as UTF-8"
        raise EncodingError(sentence, 1)
    if has_bom and _normal(declared) != "utf-8":
        sentence = f"the file starts as UTF-8 but declares '{declared}'; keep one of the two"
        raise EncodingError(sentence, 1)
    return codec


def _declared(data: bytes) -> str | None:
    """The coding line of PEP 263: on the first line, or the second below a comment or nothing."""
    for line in re.split(rb"\r\n|\r|\n", data[:2000], maxsplit=2)[:2]:
        if found := _COOKIE.match(line):
            return found[1].decode("ascii")
        if not _BLANK.match(line):
            return None
    return None


def _normal(declared: str) -> str:
    """The name as Python's own reader takes it: `utf-8-unix`, as Emacs writes it, is utf-8."""
    told = declared[:_TOLD_CHARACTERS].lower().replace("_", "-")
    for names, codec in _FAMILIES:
        if any(told == name or told.startswith(f"{name}-") for name in names):
            return codec
    return declared


def _known_codec(declared: str) -> str | None:
    try:
        codec = codecs.lookup(_normal(declared)).name
    except (LookupError, ValueError):
        return None
    return codec if codec in _CODECS else None
