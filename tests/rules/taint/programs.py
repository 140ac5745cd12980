"""Programs made at random, and what happens to data in them when they run."""

import random
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType

DATA = "\N{CURRENCY SIGN}" * 12
RUNS = 24
"""Of one program: what `maybe()` says differs."""
_STEPS = 30
_CALLS = 500  # CPython 3.13.0 sets no end to a function with `*rest` that calls itself
_DEPTH = 2
_HOLE = re.compile(r"<(\w+)>")

HEAD = """\
class Box:
    def __init__(self, held, other="a"):
        self.held = held
        self.other = other
    def get(self):
        return self.other
    def put(self, what):
        self.other = what

class Entered:
    def __init__(self, held):
        self.held = held
    def __enter__(self):
        return self.held
    def __exit__(self, *error):
        return None

def second(first, other="b"):
    return other

def same(s0="a", *rest):
    return s0

def both(first, other="b"):
    rows = [first]
    if maybe():
        rows.append(other)
    return "".join(rows)

def one_of(first, other, which=True, times=1):
    if which:
        return first
    if times == 0:
        return "none"
    if which is None:
        return one_of(other, first, which, times - 1)
    return other

def add_if(rows, what, add=False):
    if add:
        rows.append(what)
    return what if not add else "added"

def each(first, other):
    yield first
    yield other

"""

TEXTS = """
<s>|<s>|<s>|'a'|'b'|source()|clean(<s>)|(<S> + <S>)|f"{<s>}-{<s>}"|('%s-%s' % (<S>, <S>))
'{}:{}'.format(<S>, <S>)|'{1}'.format(<S>, <S>)|'{k}'.format(k=<S>, m=<S>)|<s>.upper()|<s>[1:]
<s>.replace('a', <s>)|<L>[0]|<L>[-1]|<L>[1]|<D>['k']|<D>['m']|<D>.get('k', <s>)|','.join(<L>)
(<S> if maybe() else <S>)|(lambda x, y: y)(<S>, <S>)|str(<S>)|next(iter(<L>))|<l>.pop(0)
<d>.pop('k', <s>)|<d>.setdefault('m', <s>)|<o>.held|<o>.other|<o>.get()|getattr(<o>, 'held')
max(<s>, <s>)|(<S>, <S>)[1]|[x for x in <L>][0]|<L>[:1][0]|dict([('k', <S>), ('m', <S>)])['m']
Box(<s>, <s>).held|Box(other=<s>, held=<s>).other|<s>.split('-')[0]|second(<S>, <S>)|second(<S>)
second(other=<s>, first=<s>)|second(*[<s>, <s>])|both(<S>, <S>)|both(**{'first': <s>, 'other': <s>})
list(map(second, <l>))[0]|one_of(<S>, <S>)|one_of(<S>, <S>, False)|one_of(<S>, <S>, None, 1)
one_of(<S>, <S>, None, 2)|one_of(<S>, <S>, maybe())|add_if(<l>, <S>)|add_if(<l>, <S>, add=True)
[*<R>, ('a', 'b')][0][1]|[('a', 'b'), *<R>][-1][0]|<r>.pop(0)[1]|dict(<R>).get('k', <s>)
''.join(b for a, b in <R>)|dict(zip(['k', 'm'], [*<L>, 'a', 'b']))['m']
list(enumerate([*<L>, 'a']))[0][1]
list(zip([*<L>, 'a'], [*<L>, 'b']))[0][1]
(lambda: <s>)()|'%(k)s' % {'k': <S>}|<s>.join(['a', <S>])|(<s> or 'a')|(<s> and <S>)
''.join(sorted(<L>))|<s>.partition('-')[2]|{**<d>, 'm': <s>}['k']|inner(<S>)|inner(s0=<s>)|str(e)
[s1 for s1 in <L>][0]|(lambda s0: s0)(<S>)|(lambda s2='a': s2 + <s>)()
(<S> if <s> == 'a' else <S>)|(<S> if <s> not in ('a', 'b') else <S>)
"""
LISTS = """
<l>|<l>|[<S>, <S>]|(<l>[:9] + [<s>])|<l>[::-1]|list(<l>)|sorted(<l>)|[x + 'a' for x in <l>]
[*<l>[:9], <s>]|list(<d>.values())|<l>.copy()|list(map(str.upper, <l>))|[x for x in <l> if maybe()]
[b for a, b in zip(<l>, <l>)]|<s>.split('-')|[v for k, v in <d>.items()]|<l>[1:]
[s0 + s1 for s0 in <L>[:3]]|[s1 for s1 in <L> if s1 != 'a']|list(s2 for s2 in [<S>, 'b'])
list(each(<s>, <s>))|([<S>] * 2)|(<l>[:9] * 2)|list(reversed(<L>))|[v for i, v in enumerate(<L>)]
"""
ROWS = """
<r>|<r>|[(<S>, <S>)]|[*<r>[:9], (<S>, <S>)]|[(x, <s>) for x in <L>]|sorted(<r>)
list(<d>.items())|[(b, a) for a, b in <r>]
"""
TABLES = """
<d>|{'k': <S>, 'm': <S>}|dict(<d>)|{**<d>, 'k': <s>}|dict(k=<s>, m=<s>)
{k: v for k, v in <d>.items()}|dict(zip(['k', 'm'], [<s>, <s>]))|<d>.copy()|dict(<d>, m=<s>)
"""
SIMPLE = """
<s> = <S>|<s> = <S>|<s> = <S>|<s> += <s>[:9]|<l> = <L>|<l> += <L>[:9]|<d> = <D>|<o> = <o>
<l>.append(<S>)|<l>.extend(<L>[:9])|<l>.insert(0, <S>)|<l>[0] = <S>|<l>[-1] = <S>|<l>[1:] = <L>
<r> = <R>|<r>.append((<S>, <S>))|<r> += [(<S>, <S>)]|<r>.extend(<R>[:9])|<r>.insert(0, (<S>, <S>))
<s>, <s> = (<R> or [('a', 'b')])[0]|<d>[<s>[:5]] = <S>|<l> = list(<d>.values())
<l>.clear()|<l>.reverse()|del <l>[0]|<d>['k'] = <S>|<d>['m'] = <S>|<d>.update(<D>)|<d>.update(k=<s>)
<o>.held = <S>|<o>.put(<S>)|setattr(<o>, 'other', <S>)|<o> = Box(<S>, <s>)|<s>, <s> = <S>, <S>
l0 = ['a', <S>, *<l>[:9]]; l0.remove('a')|l1 = [<S>, 'a', <S>]; l1.remove('a')
<s>, *<l> = <L>|sink(<S>)|sink(<s>)|sink(<l>)|sink(<d>)|sink(<r>)|sink(<s>)
sink(<l>)|sink(<r>)|sink(<o>.other)|sink(<d>)|sink(<s>)
<l> = [s3 for s3 in 'ab']|<d> = {s0: s0 for s0 in ('k', 'm')}|<d> = {s1: <s> for s1 in 'km'}
[<l>.append(s0) for s0 in <L>[:3] if maybe()]|[<l>.append(s1) for s1 in ('a', <S>)]
s0, (s1, s2) = <S>, (<S>, <S>)|<d>.update({'k': <S>})|<l> *= 2|del <d>['k']|<l>.sort()
<l>[:1] = [<S>]|sink(inner(<S>))|sink((<s> := <S>))
<d>.setdefault('k', <S>)|<s> = <s> if <s> else <S>|<o>.held, <o>.other = <S>, <S>|inner()|inner(<S>)
if maybe() and maybe() and maybe(): raise ValueError(<S>)|<d>, <s> = <D>, <S>|[<s>, *<l>] = <L>
any((<s> := s4) for s4 in <L>[:3] if maybe())|all(s2 for s2 in ('a', 'b'))
sink(<r>[0][0])|sink(<r>[-1][1])|sink(<l>[0])|<d>['<k>'], <s> = <S>, <S>
"""
COMPOUND = [
    ["if maybe():", "else:"],
    ["if 1 == 1:", "else:"],
    ["if 'a' in 'bc':", "else:"],
    ["if <s> == 'a':", "else:"],
    ["if <s> not in ('a', 'b'):", "else:"],
    ["while maybe():"],
    ["for <s> in ['a', <S>]:"],
    ["for i, <s> in enumerate(['a', <S>]):"],
    ["n = 0; ", "while (n := n + 1) < 3:"],
    ["n = 0; ", "while n < 2:", "n += 1; "],
    ["if n == 2:", "else:"],
    ["for <s> in <L>[:3]:"],
    ["for k, <s> in list(<d>.items()):"],
    ["for <s>, <s> in <R>[:3]:"],
    ["try:", "except ValueError:", "finally:"],
    ["with Entered(<S>) as <s>:"],
    ["with Entered(<S>) as <s>, Entered(<S>) as <s>:"],
    ["try:", "except ValueError:", "else:", "finally:"],
    ["try:", "except ValueError as e:"],
    ["for <s> in <L>[:3]:", "else:"],
    ["for <s>, (i, <s>) in zip(<L>[:3], enumerate(<L>)):"],
    ["while maybe():", "else:"],
    ["def inner(s0='a'):"],
    ["def inner(s0='a', *rest):"],
]
INSIDE = ["nonlocal s1, s2, s3, l0, l1, l2, d0, d1, o0, o1, r0, r1, n", "called()"]
VARIABLES = {
    "s": ["s0", "s1", "s2", "s3"],
    "l": ["l0", "l1", "l2"],
    "d": ["d0", "d1"],
    "r": ["r0", "r1"],
    "o": ["o0", "o1"],
    "k": ["k", "m"],
}
SETTING_OUT = [
    *["s0 = source()", "s1 = 'b'", "s2 = 'c'", "s3 = 'd'", "l0 = ['e', s1]", "l1 = ['f', s0]"],
    *["l2 = ['g', s2]", "d0 = {'k': 'h', 'm': s1}", "d1 = {'k': 'i', 'm': s0}"],
    *["o0 = Box('j')", "o1 = Box('k')", "r0 = [('l', s1)]", "r1 = [('m', 'n')]"],
    *["n = 5", "e = 'o'", "inner = same"],
]


def _options(table: str) -> list[str]:
    return [form for line in table.strip().splitlines() for form in line.split("|") if form]


FORMS = {
    "S": _options(TEXTS),
    "L": _options(LISTS),
    "R": _options(ROWS),
    "D": [*_options(TABLES), "(<d> | {'m': <s>})"],
}
STATEMENTS = _options(SIMPLE)


@dataclass
class Maker:
    """Makes a program of a number."""

    choose: random.Random
    lines: list[str] = field(default_factory=list)

    def program(self) -> str:
        self.lines += ["def main():", *(f"    {line}" for line in SETTING_OUT)]
        self.block(self.choose.randint(8, 16), 1, nested=2)
        self.lines += ["    sink(s0 + s1)", "    sink(l0[0])", "    sink(d0['k'])", "main()"]
        return HEAD + "\n".join(self.lines) + "\n"

    def block(self, statements: int, indent: int, nested: int) -> None:
        for _ in range(statements):
            if nested and self.choose.random() < 0.2:
                self.compound(self.choose.choice(COMPOUND), indent, nested - 1)
            else:
                self.lines.append("    " * indent + self.filled(self.choose.choice(STATEMENTS)))

    def compound(self, headers: list[str], indent: int, nested: int) -> None:
        """Each header with a block; what counts stands before the loop, and at the block's end."""
        for header in headers:
            inside = indent + header.startswith("n +=")
            self.lines.append("    " * inside + self.filled(header).removesuffix("; "))
            if header.startswith("def "):
                self.lines += ["    " * (indent + 1) + line for line in INSIDE]
            if header.endswith(":"):
                self.block(self.choose.randint(1, 3), indent + 1, nested)
            if header.startswith("def "):
                self.lines.append("    " * (indent + 1) + self.filled("return <S>"))

    def filled(self, form: str, depth: int = _DEPTH) -> str:
        def fill(hole: re.Match[str]) -> str:
            kind = hole[1] if depth else hole[1].lower()
            if kind in VARIABLES:
                return self.choose.choice(VARIABLES[kind])
            return self.filled(self.choose.choice(FORMS[kind]), depth - 1)

        return _HOLE.sub(fill, form)


def program(number: int) -> str:
    return Maker(random.Random(number)).program()


_FAILURES = (LookupError, StopIteration, ValueError, NameError, TypeError, RecursionError)


class _EnoughError(Exception):
    """The program has run for long enough."""


def arrivals(code: str) -> set[int]:
    """The lines on which data of `source()` was given to `sink()` in some run."""
    lines: set[int] = set()
    compiled = compile(code, "program", "exec")
    for run in range(RUNS):
        lines.update(_run(compiled, random.Random(run)))
    return lines


def _run(code: CodeType, chance: random.Random) -> set[int]:
    lines: set[int] = set()
    asked = calls = 0

    def called() -> None:
        nonlocal calls
        calls += 1
        if calls > _CALLS:
            raise RecursionError

    def maybe() -> bool:
        nonlocal asked
        asked += 1
        if asked > _STEPS:
            raise _EnoughError
        return chance.random() < 0.5

    def sink(value: object) -> None:
        if any(DATA[0] in text for text in _texts(value)):
            lines.add(sys._getframe(1).f_lineno)

    known = {"maybe": maybe, "called": called, "sink": sink, "source": lambda: DATA}
    known["clean"] = lambda _: "ok"
    # What was seen until it failed was seen.
    with suppress(_EnoughError, *_FAILURES):
        exec(code, {**known, "__name__": "program"})
    return lines


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        yield from _texts([*value.keys(), *value.values()])
    else:
        yield str(value)
