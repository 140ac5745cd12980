"""Code behind its gate: what cannot be read safely never reaches a parser that would die of it.

The order is size, encoding, NUL bytes, bracket depth, `ast.parse`, depth and length of the tree,
and only then libcst, whose native parser overflows its stack on 2.5 KB of brackets. Every refusal
is a SourceError that carries the failure to report.
"""

import ast
import codecs
import re
import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vetbox.code.brackets import MAX_BRACKETS, too_deep
from vetbox.code.encoding import EncodingError, codec_of, decoded
from vetbox.code.leading import plain
from vetbox.code.nodes import children_of
from vetbox.code.shortness import is_short
from vetbox.errors import VetboxError
from vetbox.files.sizes import MAX_BYTES, MAX_NOTEBOOK_BYTES, NOTEBOOK
from vetbox.findings import Failure, FailureKind

if TYPE_CHECKING:
    import libcst as cst

MAX_DEPTH = 200
"""Real code stays under 90."""
MAX_OPERANDS = 1_000
"""`and 1` 7,156 times passes ast.parse and kills libcst."""
MAX_ELIFS = 500
MAX_NODES = 200_000
"""And lines. libcst takes 5 KB for each; one of 7,000 real files has 170,000, the next 100,000."""
_STOPPED_AT = re.compile(r"error at (\d+):(\d+): expected")
"""libcst counts the column from two."""


class SourceError(VetboxError):
    """Code that was not read; `failure` says why and where."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Source:
    """A file's bytes and text; `tree` and `module` are parsed when first asked for, once.

    Where `is_read_whole` it is judged in all its parts: to leave some out would spare nothing.
    """

    is_read_whole = False

    def __init__(
        self, path: str, data: bytes, text: str, *, shallow: bool = False, nodes: int = 0
    ) -> None:
        self.path, self.data, self.text = path, data, text
        self._shallow = shallow
        # Of the syntax tree, or of the one it is a part of, where they were counted.
        self._nodes = nodes

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> "Source":
        """Code as it is stored; raises SourceError for what is too large or not text.

        A Jupyter notebook is the module of its cells (see vetbox.code.notebooks).
        """
        if path.endswith(NOTEBOOK):
            return cls.from_text(_code_of_notebook(path, data), path)
        if len(data) > MAX_BYTES:
            raise _too_large(path, "file", data)
        return cls(path, data, _without_nul(path, _decode(path, data)))

    @classmethod
    def from_text(cls, text: str, path: str = "<code>") -> "Source":
        """Code that is a string already; a coding line in it means nothing."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            line, column = _place(text, error.start)
            sentence = f"line {line} holds half a surrogate pair, which is not text; remove it"
            raise _refusal(path, FailureKind.ENCODING, sentence, line, column) from error
        if len(data) > MAX_BYTES:
            raise _too_large(path, "code", data)
        return cls(path, data, _without_nul(path, text))

    def part(self, text: str) -> "Source":
        """Some of this code's lines as code of its own, which cannot be deeper than the whole."""
        passed = self._shallow or "tree" in self.__dict__
        few = self._nodes + text.count("\n") <= MAX_NODES
        nodes = self._nodes if few else 0
        return Source(self.path, text.encode("utf-8"), text, shallow=passed, nodes=nodes)

    def forget_tree(self) -> None:
        """Give the tree's memory back; that the code has passed the gate is remembered."""
        if self.__dict__.pop("tree", None) is not None:
            self._shallow = True

    def readable(self) -> "Source":
        """The code as this Python reads it, place for place: of a newer one not as it is written.

        Raises SourceError for what is no Python at all.
        """
        try:
            self.tree  # noqa: B018 - the parser answers here
        except SourceError as error:
            older = self._in_older_grammar() if error.failure.kind is FailureKind.SYNTAX else None
            if older is None:
                raise
            return older
        return self

    def _in_older_grammar(self) -> "Source | None":
        from vetbox.code.older_grammar import in_older_grammar  # most code is as old

        text = in_older_grammar(self.text)
        older = None if text is None else Source(self.path, text.encode("utf-8"), text)
        try:
            return older if older and older.tree else None
        except SourceError:  # what it says of the code as it is written is to the point
            return None

    def encoded(self, text: str) -> bytes:
        """Another text as this file stores its own: same encoding, same byte order mark."""
        mark = codecs.BOM_UTF8 if self.data.startswith(codecs.BOM_UTF8) else b""
        return mark + text.encode(codec_of(self.data))

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree, known to be shallow enough to walk; raises SourceError."""
        _check_brackets(self.path, self.text)
        tree = _parse(self.path, self.text)
        if is_short(self.data, MAX_DEPTH):
            return tree
        is_large = len(self.data) > MAX_NODES // 2
        self._nodes = _check_shape(self.path, tree, is_counted=is_large)
        return tree

    def check_syntax(self) -> None:
        """Raises what `tree` raises; no tree is made of short code that nobody else asks about."""
        if "tree" in self.__dict__:
            return
        if is_short(self.data, MAX_DEPTH):
            _check_brackets(self.path, self.text)
            if _is_python(self.text):
                return
        self.tree  # noqa: B018 - the gate and the parser answer here

    @property
    def code(self) -> str:
        """The text that `module` writes out, which leaves out what says nothing before a line."""
        return self._plain[0]

    @property
    def left_out(self) -> dict[int, int]:
        """1-based line → characters of the text that `code` leaves out at its start."""
        return self._plain[1]

    @cached_property
    def _plain(self) -> tuple[str, dict[int, int]]:
        return plain(self.text)

    @cached_property
    def module(self) -> "cst.Module":
        """The concrete syntax tree, parsed once `tree` has passed the gate; raises SourceError."""
        import libcst as cst

        if not self._shallow or (len(self.data) > MAX_NODES // 2 and not self._nodes):
            self.tree  # noqa: B018 - the gate answers here
        if self._nodes + self.text.count("\n") > MAX_NODES:
            sentence = f"more than {MAX_NODES:,} lines, statements and expressions; split the file"
            raise _refusal(self.path, FailureKind.TOO_LARGE, sentence)
        try:
            return cst.parse_module(self.code)
        except RecursionError as error:
            sentence = f"nested too deeply for libcst: {error}; flatten it"
            raise _refusal(self.path, FailureKind.TOO_DEEP, sentence) from error
        except (cst.ParserSyntaxError, cst.CSTValidationError) as error:  # Python reads it
            said = getattr(error, "message", str(error)).rstrip(".")
            place = _STOPPED_AT.search(said)  # of what it says the rest is a list of tokens
            said = "what stands here" if place else said
            raw = getattr(error, "raw_line", None)
            at = (int(place[1]), int(place[2]) - 1) if place else (raw, None)
            sentence = f"libcst cannot read what Python can: {said}; write it another way"
            raise _refusal(self.path, FailureKind.UNSUPPORTED, sentence, *at) from error


def _code_of_notebook(path: str, data: bytes) -> str:
    from vetbox.code.notebooks import NotebookError, module_of  # few projects have one

    if len(data) > MAX_NOTEBOOK_BYTES:
        sentence = f"a notebook of over {MAX_NOTEBOOK_BYTES:,} bytes; clear what it printed"
        raise _refusal(path, FailureKind.TOO_LARGE, sentence)
    try:
        return module_of(_decode(path, data))
    except NotebookError as error:
        raise _refusal(path, FailureKind.UNSUPPORTED, str(error), error.line) from error


def _too_large(path: str, what: str, data: bytes) -> "SourceError":
    # Who reads a file stops one byte behind the limit, and knows no more of it.
    size = f"over {MAX_BYTES:,}" if len(data) == MAX_BYTES + 1 else f"{len(data):,}"
    sentence = f"the {what} has {size} bytes; at most {MAX_BYTES:,} are analysed, split it"
    return _refusal(path, FailureKind.TOO_LARGE, sentence)


def _refusal(
    path: str, kind: FailureKind, message: str, line: int | None = None, column: int | None = None
) -> SourceError:
    return SourceError(Failure(path, kind, message, line, column))


def _place(text: str, index: int) -> tuple[int, int]:
    """The 1-based line and column of a character."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


# Bytes to text --------------------------------------------------------------------------------


def _decode(path: str, data: bytes) -> str:
    try:
        return decoded(data)
    except EncodingError as error:
        raise _refusal(path, FailureKind.ENCODING, str(error), error.line) from error


def _without_nul(path: str, text: str) -> str:
    if "\0" in text:
        sentence = "source code cannot contain null bytes"
        raise _refusal(path, FailureKind.SYNTAX, sentence, *_place(text, text.index("\0")))
    return text


# Text to tree ---------------------------------------------------------------------------------


def _is_python(text: str) -> bool:
    """Does the parser take it, and the scopes of its names? To list these is less than a tree."""
    import symtable  # no scan of files asks

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            symtable.symtable(text, "<code>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _check_brackets(path: str, text: str) -> None:
    """Counted before any parser sees the text."""
    index = too_deep(text)
    if index is not None:
        line, column = _place(text, index)
        sentence = f"brackets nested deeper than {MAX_BRACKETS} at line {line}; flatten it"
        raise _refusal(path, FailureKind.TOO_DEEP, sentence, line, column)


def _parse(path: str, text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        from vetbox.code.grammar import needed_version  # most code is Python

        place = error.lineno or 1, error.offset or None
        sentence = error.msg + needed_version(text, place[0])
        raise _refusal(path, FailureKind.SYNTAX, sentence, *place) from error
    except (RecursionError, MemoryError) as error:
        allowed = f"at most {MAX_DEPTH} levels and {MAX_ELIFS} elif branches are judged"
        sentence = f"nested too deeply for Python's parser: {allowed}; flatten it"
        raise _refusal(path, FailureKind.TOO_DEEP, sentence) from error
    except ValueError as error:
        raise _refusal(path, FailureKind.SYNTAX, str(error)) from error


class _Spanned(dict[type[object], bool]):
    """Does all that a type of node holds stand where it says that it stands?"""

    def __missing__(self, kind: type[object]) -> bool:
        placed = "end_col_offset" in getattr(kind, "_attributes", ())
        self[kind] = placed and "decorator_list" not in getattr(kind, "_fields", ())
        return self[kind]


_SPANNED = _Spanned()


def _check_shape(path: str, tree: ast.Module, *, is_counted: bool = False) -> int:
    """Level by level: as many levels as the tree is deep, every node seen once; and counted.

    What stands in few bytes of a line, each good for no more than one level, is passed over where
    nobody wants to know the number.
    """
    level: list[Any] = [tree]
    count = 0
    for room in range(MAX_DEPTH, 0, -1):
        below: list[Any] = []
        for node in level:
            kind = node.__class__
            if not is_counted and _SPANNED[kind] and _columns(node) < room:
                continue
            if kind is ast.If:
                below += _chain(path, node)
                continue
            if kind is ast.BoolOp and len(node.values) > MAX_OPERANDS:
                sentence = f"more than {MAX_OPERANDS:,} operands of and/or; use all() or any()"
                raise _refusal(path, FailureKind.TOO_DEEP, sentence, node.lineno)
            below += children_of(node)
        if not below:
            return count
        count += len(below)
        level = below
    line = next((node.lineno for node in level if isinstance(node, ast.expr | ast.stmt)), None)
    sentence = f"code nested deeper than {MAX_DEPTH} levels; flatten it"
    raise _refusal(path, FailureKind.TOO_DEEP, sentence, line)


def _columns(node: Any) -> int:
    """How many bytes of a line a node takes; more than any room where it goes on."""
    if node.lineno != node.end_lineno:
        return MAX_DEPTH
    columns: int = node.end_col_offset - node.col_offset
    return columns


def _chain(path: str, node: ast.If) -> Iterator[ast.AST]:
    """An `elif` is written beside its `if`, though the tree nests it."""
    for _ in range(MAX_ELIFS + 1):
        yield node.test
        yield from node.body
        match node.orelse:
            case [ast.If() as following]:
                node = following
            case otherwise:
                yield from otherwise
                return
    sentence = f"more than {MAX_ELIFS} elif branches; use a dict or match"
    raise _refusal(path, FailureKind.TOO_DEEP, sentence, node.lineno)
