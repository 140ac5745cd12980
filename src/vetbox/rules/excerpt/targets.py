"""Targets: the names that a logical line binds, read from its masked text."""

import re
from collections.abc import Iterator

from vetbox.rules.excerpt.layout import Layout

_BRACKETED = re.compile(rb"[(\[{][^()\[\]{}]*[)\]}]")
_ASSIGN = re.compile(rb"(?<![=!<>:])=(?!=)")
_PLAIN_TARGET = re.compile(rb"[^()\[\]{}=]*=")
_TARGET = re.compile(rb"(?<!\w)[A-Za-z_]\w*(?![\w]|[ \t]*\.)")
_NAMED = re.compile(rb"([A-Za-z_]\w*)[\s\\]*:?=(?!=)")  # walrus, keyword, default
_LOOP = re.compile(rb"\bfor\b(.+?)\bin\b", re.DOTALL)
_AS = re.compile(rb"\bas\b[\s\\]*(\w+|\([^)]*\)|\[[^\]]*\])")
_LAMBDA = re.compile(rb"\blambda\b([^:]*)")
_WALRUS = re.compile(rb"([A-Za-z_]\w*)[\s\\]*:=")
_DEFAULT = re.compile(rb"(\w+)[ \t]*(?::[^=,]*)?=[^=]*\Z")
_ANNOTATION = re.compile(rb"(\w+)[ \t]*:[^,=:]*\Z")
_ANNOTATED = re.compile(rb"[ \t]*([A-Za-z_]\w*)[ \t]*:")
_BINDING_WORDS = frozenset(b"async case del except type with".split())
_GIVES = re.compile(rb"[^#]*\b(?:return|yield)\b")
_FIRST_WORD = re.compile(rb"\s*(\w+|@)?")
SCOPE = re.compile(rb"\s*(?:async\s+)?(?:def|class)\b")
DEF = re.compile(rb"\s*(?:async\s+)?def\b")
CLASS = re.compile(rb"\s*class\b")
_DEFINED = re.compile(rb"\s*(?:async\s+)?(?:def|class)\s+(\w+)")
_IMPORTS = re.compile(
    rb"(?:\bfrom\b(?P<module>[\s\\\w.]+?)[\s\\]*)?\bimport\b(?P<names>[^;]*)", re.DOTALL
)
_IMPORTED = re.compile(rb"(\*|\w[\w.\s\\]*?)(?:[\s\\]+as[\s\\]+(\w+))?[\s\\]*(?:,|\)|\Z)")
_PART = re.compile(rb"\w+|\*")
_WORD = re.compile(rb"\w+")
IMPORTS = (b"import", b"from")
_SCOPE_WORDS = (b"def", b"async", b"class")
_COMPOUND = (
    b"if",
    b"elif",
    b"else",
    b"for",
    b"while",
    b"with",
    b"try",
    b"except",
    b"finally",
    b"case",
    b"match",
    b"async",
)
KEYWORDS = frozenset(
    b"False None True and as assert async await break class continue def del elif else except"
    b" finally for from global if import in is lambda nonlocal not or pass raise return try while"
    b" with yield".split()
)


def first_word(code: bytes) -> bytes:
    match = _FIRST_WORD.match(code)
    return match[1] or b"" if match else b""


def assigned_before(code: bytes) -> int:
    """The offset before which every name is an assignment's target; 0 when nothing is assigned."""
    end = _only_assignment(code)
    if end is None:
        flat = code
        while _BRACKETED.search(flat):
            flat = _BRACKETED.sub(lambda match: b"\0" * len(match[0]), flat)
        ends = [match.start() for match in _ASSIGN.finditer(flat)]
        end = ends[-1] if ends else 0
        colon = flat.find(b":", 0, end)
    else:
        colon = code.find(b":", 0, end)
    if colon >= 0 and first_word(code) not in _COMPOUND:
        return colon  # an annotation is no target
    return end


def _only_assignment(code: bytes) -> int | None:
    """Where the one sign stands that assigns, if nothing is in brackets before; None: not told."""
    first = code.find(b"=")
    if first < 0:
        return 0
    rest = code[first:]
    if not _PLAIN_TARGET.match(code) or not _ASSIGN.match(code, first):
        return None
    size = -1
    while size != len(rest):
        size = len(rest)
        rest = _BRACKETED.sub(b"", rest)
    return None if _ASSIGN.search(rest, 1) else first


def bindings_of(code: bytes, *, within: bool = False) -> set[bytes]:
    """The names a line binds in its scope; `within`: those a header binds in the scope it opens."""
    word = first_word(code)
    if word in _SCOPE_WORDS and SCOPE.match(code):
        return set(_TARGET.findall(code)) if within else set(defined(code))
    names: set[bytes] = set()
    if b"=" in code:
        names.update(_TARGET.findall(code, 0, assigned_before(code)))
        if b":=" in code:
            names.update(_WALRUS.findall(code))
    if b"import" in code:
        names.update(name for name, _ in imported(code))
    if word == b"for":
        names.update(*map(_TARGET.findall, _LOOP.findall(code)))
    if word in _BINDING_WORDS:
        names.update(set(_TARGET.findall(code)) - KEYWORDS)
    annotated = _ANNOTATED.match(code) if b":" in code else None
    if annotated and word not in KEYWORDS:
        names.add(annotated[1])
    return names


def bound_by(layout: Layout, line: int, at: int) -> set[tuple[bytes, bool]]:
    """The names that what stands at an offset of a line may be bound to.

    Each comes with whether it may be read behind a dot.
    """
    code = layout.codes[line]
    word = first_word(code)
    if word in IMPORTS:
        return set()  # see `imported`
    if word in (b"def", b"async") and SCOPE.match(code):
        return {(name, False) for name in _parameter(code[:at])}
    names = {(name, False) for name in _plainly_bound(code)} | _assigned(layout, line)
    if word in (b"match", b"case"):
        below = (layout.codes[inner] for inner in layout.suite(line))
        names |= {(name, False) for inner in (code, *below) for name in _captured(inner)}
    return {(name, dotted) for name, dotted in names if name not in KEYWORDS}


def _parameter(before: bytes) -> set[bytes]:
    """The parameter whose default or annotation ends here."""
    found = _DEFAULT.search(before) or _ANNOTATION.search(before)
    return {found[1]} if found else set()


def _plainly_bound(code: bytes) -> set[bytes]:
    names = set(_NAMED.findall(code))
    for group in (*_LOOP.findall(code), *_AS.findall(code), *_LAMBDA.findall(code)):
        names.update(_TARGET.findall(group))
    return names


def _assigned(layout: Layout, line: int) -> set[tuple[bytes, bool]]:
    """Targets: behind a dot, or in the body of a class, they are attributes."""
    code = layout.codes[line]
    end = assigned_before(code)
    annotated = _ANNOTATED.match(code)
    if annotated and annotated[1] not in KEYWORDS:
        end = max(end, annotated.end(1))
    if not end:
        return set()
    in_class = is_field(layout, line)
    return {
        (match[0], in_class or code[: match.start()].rstrip().endswith(b"."))
        for match in _TARGET.finditer(code, 0, end)
    }


def returned_by(layout: Layout, line: int) -> bytes | None:
    """The name of the function that gives back what stands on a line."""
    return function_at(layout, line) if _GIVES.match(layout.codes[line]) else None


def function_at(layout: Layout, line: int) -> bytes | None:
    """The name of the innermost def or class that a line is a part of."""
    for opener in (line, *layout.enclosing(line)):
        for name in defined(layout.codes[opener]):
            return name
    return None


def is_field(layout: Layout, line: int) -> bool:
    """Whether the names that a line binds are attributes of a class."""
    scopes = (code for outer in layout.enclosing(line) if SCOPE.match(code := layout.codes[outer]))
    return CLASS.match(next(scopes, b"")) is not None


def visible(layout: Layout, line: int, name: bytes) -> tuple[int, int]:
    """The offsets between which a plain name bound on a line can be read."""
    scope = next(_scopes_at(layout, line), None)
    if scope is None or name in layout.declared:
        return 0, len(layout.data)
    return layout.starts[scope], layout.ends[layout.after_suite(scope) - 1]


def _scopes_at(layout: Layout, line: int) -> Iterator[int]:
    """The defs and classes whose names a line binds, innermost first."""
    code = layout.codes[line]
    # What a header assigns by the way is not bound in the scope it opens.
    if SCOPE.match(code) and b":=" not in code:
        yield line
    if code[:1].isspace():
        yield from (outer for outer in layout.enclosing(line) if SCOPE.match(layout.codes[outer]))


def imported(code: bytes) -> Iterator[tuple[bytes, tuple[bytes, ...]]]:
    """Each name that the imports of a line bind, and the dotted path it stands for."""
    for clause in _IMPORTS.finditer(code):
        base = tuple(_WORD.findall(clause["module"] or b""))
        for path, alias in _IMPORTED.findall(clause["names"]):
            parts = tuple(_PART.findall(path))
            yield alias or (parts[-1] if base else parts[0]), base + parts


def defined(code: bytes) -> list[bytes]:
    """The name of the def or class of a header."""
    return _DEFINED.findall(code)[:1]


def _captured(code: bytes) -> list[bytes]:
    return _TARGET.findall(code) if first_word(code) == b"case" else []
