"""Assembly: chosen logical lines put together as a module that parses, columns unchanged."""

from collections.abc import Collection, Iterator

from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.layout import Doubt, Layout
from vetbox.rules.excerpt.targets import first_word

PARTNERS = (b"elif", b"else", b"except", b"finally")
_DECORATED = (b"def", b"class", b"async", b"@")
MADE_UP = -1
_FILLER = "0"  # not `pass` and not `...`: rules look for those


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A valid module made of some lines of a file.

    `lines[n]` is the 1-based line of the file that the excerpt's n-th line shows, 0 for a line that
    was made up (and for `lines[0]`). Columns are unchanged. The text is empty when no line matters.
    `shown` are its logical lines by their numbers in the file, MADE_UP for those that were made up.
    """

    text: str
    lines: tuple[int, ...]
    shown: tuple[int, ...] = ()


def completed(layout: Layout, chosen: set[int]) -> set[int]:
    """With what the grammar wants beside them: openers, `if` of `else`, decorators, defs."""
    done: set[int] = set()
    new = set(chosen)
    while new:
        done |= new
        new = {wanted for line in new for wanted in _wanted(layout, line)} - done
    return done


def assemble(layout: Layout, chosen: Collection[int], *, apart: bool = False) -> Excerpt:
    """The lines in their blocks; a filler stands for what was left out at the top of a block.

    With `apart` also between two statements, for rules that ask what follows at once.
    """
    page = _Page(layout)
    ordered = sorted(chosen)
    if ordered and ordered[0]:
        page.make_up(_FILLER)
    for line, following in zip(ordered, [*ordered[1:], -1], strict=False):
        page.copy(line)
        if layout.opens_block(line) and following != line + 1:
            held = following >= 0 and layout.indent(following) > layout.indent(line)
            page.make_up(_leading(layout.codes[following if held else line], deeper=not held))
        elif apart and _are_apart(layout, line, following):
            page.make_up(_leading(layout.codes[following], deeper=False))
    return page.excerpt()


def _are_apart(layout: Layout, line: int, following: int) -> bool:
    """Whether a statement was left out that stood right before the one that follows."""
    if following <= line + 1 or first_word(layout.codes[following]) in PARTNERS:
        return False
    depth = layout.indent(following)
    return any(layout.indent(between) == depth for between in range(line + 1, following))


def flat(layout: Layout, chosen: Collection[int]) -> Excerpt:
    """Simple statements alone, each run of one indentation under a made-up block."""
    page = _Page(layout)
    if chosen:
        page.make_up(_FILLER)
    depth = 0
    for line in sorted(chosen):
        if layout.indent(line) not in (0, depth):
            page.make_up("if 0:")
        depth = layout.indent(line)
        page.copy(line)
    return page.excerpt()


def stands_alone(layout: Layout, line: int) -> bool:
    """Whether a line is a statement without others around it."""
    word = first_word(layout.codes[line])
    return word != b"@" and word not in PARTNERS and not layout.opens_block(line)


class _Page:
    """Lines copied from a file in order, and which line of the file each one is."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._text: list[str] = []
        self._lines = [0]
        self._shown: list[int] = []
        self._counted_to = 0
        self._line = 1

    def copy(self, line: int) -> None:
        start, end = self._layout.starts[line], self._layout.ends[line]
        self._line += self._layout.data.count(b"\n", self._counted_to, start)
        self._counted_to = start
        self._text.append(self._layout.text[start:end])
        self._shown.append(line)
        self._lines += range(
            self._line, self._line + self._layout.data.count(b"\n", start, end) + 1
        )

    def make_up(self, text: str) -> None:
        self._text.append(text)
        self._lines.append(0)
        self._shown.append(MADE_UP)

    def excerpt(self) -> Excerpt:
        text = "".join(f"{line}\n" for line in self._text)
        return Excerpt(text, tuple(self._lines), tuple(self._shown))


def _leading(code: bytes, *, deeper: bool) -> str:
    """A filler at the indentation of a line, or one step further."""
    indentation = code[: len(code) - len(code.lstrip())].decode()
    return indentation + " " * deeper + _FILLER


def _wanted(layout: Layout, line: int) -> Iterator[int]:
    yield from layout.enclosing(line)
    word = first_word(layout.codes[line])
    if word in PARTNERS:
        yield _before(layout, line)
    elif word == b"try":
        yield _after(layout, line)
    elif word == b"@" or (word == b"match" and layout.opens_block(line)):
        yield _next(layout, line)
    if word in _DECORATED and line and first_word(layout.codes[line - 1]) == b"@":
        yield line - 1


def _next(layout: Layout, line: int) -> int:
    """What a decorator decorates, or the first case of a match."""
    if line + 1 == len(layout):
        raise Doubt("a line that begins what never comes")
    return line + 1


def _before(layout: Layout, line: int) -> int:
    """The clause that an else, elif, except or finally follows."""
    depth = layout.indent(line)
    for above in range(line - 1, -1, -1):
        if layout.indent(above) <= depth:
            return above
    raise Doubt("a clause that follows nothing")


def _after(layout: Layout, line: int) -> int:
    """The clause that follows a try."""
    depth = layout.indent(line)
    for below in range(line + 1, len(layout)):
        if layout.indent(below) <= depth:
            return below
    raise Doubt("a try alone")
