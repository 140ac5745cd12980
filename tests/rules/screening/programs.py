"""Programs made up of ways to hand a name on, by every kind of statement that is followed."""

import random
import textwrap

NAMES = ("a", "b", "c", "run", "box", "os", "key")
ROOTS = ("os", "sys", "eval", "open", "os.system", "sys.modules", "subprocess", "pickle", "print")
WORDS = ("system", "eval", "os", "modules", "environ", "loads", "get", "x")
VALUES = (
    *("{r}", "{r}", "{n}", "{n}.{w}", "{n}['{w}']", "{n}[{n}]", "{n}({n})", "{n}.{w}({n})"),
    *("getattr({n}, '{w}')", "getattr({n}, {n}, {r})", "[{n}, {r}]", "{{'{w}': {r}}}"),
    *("{n}.get('{w}')", "{n} or {r}", "{n} if {n} else {r}", "lambda: {r}", "lambda x={r}: x"),
    *("functools.partial({n}, {n})", "sys.modules[{n}]", "sys.modules['{w}']", "vars({n})['{w}']"),
    *("{n}.__dict__['{w}']", "globals()['{n}']", "__import__('{w}')", "({n} := {r})", "{n} + {n}"),
    *("importlib.import_module('{w}')", "{n}.copy()", "list({n})", "'{w}'.join({n})", "'{w}'"),
    *("operator.call({n}, {n})", "operator.attrgetter('{w}')({n})", "({n}, {r})", "dict({w}={r})"),
    *("'sys' 'tem'", "{n} / {n}", "{n}(await_({n}))", "Box({n})", "Box().{w}", "self.{w}"),
    *("{n}[1:]", "f'{{{n}}}'", "[x for x in {n}]", "[[{n}, {r}], {r}]", "{n}[0]", "{n}[-1][1]"),
    *("{r}.{w}({n})", "{n}.modules[{n}]", "getattr({v}, {n})", "{r}({n})", "{n}.items()"),
)
STATEMENTS = (
    *("{n} = {v}", "{n} = {v}", "{n} = {v}", "{n} = {n} = {v}", "{n}, {n} = {v}"),
    *("({n}, {n}) = {n} = {v}", "{n} = ({n}, ({n}, {n})) = {v}", "{n}, [{n}, {n}] = {v}"),
    *("{n}, *{n} = {v}", "{n}: {n} = {v}", "{n} += {v}", "{n}.{w} = {v}", "{n}['{w}'] = {v}"),
    *("del {n}", "import {i}", "import {i} as {n}", "from {i} import {w}"),
    *("from {i} import {w} as {n}", "return {v}", "{v}('1')", "{n}('1')", "{n}.{w}('1')"),
    *(
        "{n}({n}={n})",
        "{n}({n}={v}, **{n})",
        "{n}(*{v})",
        "{n}({v})",
        "print({v})",
        "assert {v}",
        "raise {v}",
        "{n}(key={v})",
        "{n}.update({n})",
    ),
    *("setattr({n}, '{w}', {n})", "print('nothing', 1)", "total = count + 1"),
)
FAR = (
    *("global {n}", "from {i} import *", "builtins", "match {n}:\n    case {n}:\n        {n}('1')"),
    "match {v}:\n    case object({w}={n}) | Box({n}):\n        {n}('1')",
)
BLOCKS = (
    *("if {v}:", "for {n} in {v}:", "for {n}, {n} in {v}:", "for {n}, {n} in {n}.items():"),
    *("for {n}, ({n}, {n}) in {v}:", "for {n}, ({n}, {n}) in {n}.items():"),
    *("while {n}:", "with {v} as {n}:", "def {n}({n}, {n}={v}):", "def {n}({n}: {n}):"),
    *("class Box:", "class Box({n}):", "try:", "def {w}(self):", "@{n}\ndef {n}(self):"),
    "async def {n}():",
)
ENDS = ("except Exception:\n    pass", "except Exception:\n    raise", "finally:\n    pass")


def program(seed: int) -> str:
    """One of endlessly many, the same for the same seed."""
    return _Maker(random.Random(seed)).suite(8, 2)


class _Maker:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._statements = (*STATEMENTS, *(FAR if self._is(1, 4) else ()))

    def suite(self, size: int, depth: int) -> str:
        return "\n".join(self._statement(depth) for _ in range(self._chance.randint(1, size)))

    def _is(self, times: int, of: int) -> bool:
        return self._chance.randrange(of) < times

    def _statement(self, depth: int) -> str:
        if depth and self._is(1, 3):
            return self._block(depth)
        return self._filled(self._chance.choice(self._statements))

    def _block(self, depth: int) -> str:
        header = self._filled(self._chance.choice(BLOCKS))
        body = textwrap.indent(self.suite(3, depth - 1), "    ")
        after = ""
        if header == "try:":
            after = "\n" + self._chance.choice(ENDS)
        elif header.startswith(("if", "for", "while")) and self._is(1, 3):
            other = self._filled("elif {v}:") if header[:2] == "if" and self._is(1, 2) else "else:"
            after = f"\n{other}\n" + textwrap.indent(self.suite(2, 0), "    ")
        return f"{header}\n{body}{after}"

    def _filled(self, form: str) -> str:
        while "{v}" in form:
            value = self._chance.choice(VALUES).replace("{{", "\0").replace("}}", "\1")
            form = form.replace("{v}", value, 1)
        for hole, words in (("{r}", ROOTS), ("{n}", NAMES), ("{w}", WORDS), ("{i}", ("os", "sys"))):
            while hole in form:
                form = form.replace(hole, self._chance.choice(words), 1)
        return form.replace("\0", "{").replace("\1", "}")
