"""Programs made at random of what data takes its way by: calls, methods, fields, closures."""

import random
from collections.abc import Iterator

METHODS = ("put", "take", "more", "trim", "x")
FUNCTIONS = ("f", "g", "h", "len")
VARIABLES = ("a", "b", "p", "G")
_VALUES = (
    *("{v}", "{v}", "{v}", "gets()", "self.{x}", "a.{x}", "1", "{f}({e})", "{f}({e})"),
    *("self.{m}({e})", "a.{m}({e})", "[{e}, {e}][0]", "A({e})", "B({e})", "map({f}, {e})"),
    *("B.{x}", "a.{m}({e}).{m}({e})", "G", "dict(a={e}, b={e})['b']", "next(zip({e}, {e}))[0]"),
)
_STATEMENTS = (
    *("{v} = {e}", "{v} = {e}", "self.{x} = {e}", "self.{x} = {e}", "a.{x} = {e}", "runs({e})"),
    *("runs({e})", "self.{m}({e})", "a.{m}({e})", "{f}({e})", "return {e}", "return {e}"),
    *("a = A({e})", "self.{x}.append({e})", "a[{e}] = {e}", "if {e}:", "for b in {e}:"),
    *("def h(p):", "p.append({e})", "G[{e}] = {e}", "p.{x} = {e}", "setattr(p, {e}, {e})"),
    *("global G", "B.{x} = {e}", "p[0].append({e})", "print({e}, file={v})", "p[0].{x} = {e}"),
    *("p.setdefault(1, []).append({e})", "a[1]['a'] = {e}", "a, *b = {e}", "while {e}:", "break"),
    *("p({e})", "h = lambda b: runs(b)", "h = {f}({e})", "{f}({f}, {e})", "heappush({v}, {e})"),
    *("Thread(target={f}, args=({e}, {e}))", "map(runs, {e})", "getattr(a, '{m}')({e})"),
    *("self.{x} = self.{m}", "self.{x} = dict(a=self.{m})", "self.{x}({e})", "self.{x}['a']({e})"),
    *("def h(p={e}):", "a({e})", "{v} = {f}", "h({e})", "self.{m}({f})"),
    *("serves({f})", "a.serves(page=[{f}, self.{m}])"),
    *("A.{m}(a, {e})", "a = A({e}) if {e} else B({e})", "for h in [{f}, {f}]:", "T.append({f})"),
    *("T[{e}]({e})", "for h in T:", "vars(a)['{x}'] = {e}", "runs('%s' % locals())"),
    *("with B({e}) as a:", "T[1] = {v}", "T['a'] = A({e})", "T[0].{m}({e})", "b = T.get({e})"),
    *("if p not in (1, 2): raise E", "if {v} not in (1, 2): return", "if trim(p): raise E"),
)
_DEEP, _LONG = 2, 3


class Maker:
    """Makes one program after the other."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def program(self) -> str:
        """Two classes, some functions and statements of the module, in any order."""
        base = self._random.choice(["", "(A)"])
        parts = [self._class("class A:"), self._class(f"class B{base}:")]
        parts += [self._function(self._header(name), 0) for name in FUNCTIONS[:3]]
        parts += [[self._filled("{f}({e})")], [self._filled("G = {e}")]]
        self._random.shuffle(parts)
        return "\n".join(["G, T = [], []", *(line for part in parts for line in part), ""])

    def _class(self, header: str) -> list[str]:
        names = self._random.sample([*METHODS, "__init__"], _LONG)
        methods = [self._function(self._method(name), 1) for name in names]
        return [header, *(line for method in methods for line in method)]

    def _header(self, name: str) -> str:
        decorator = self._random.choice(["", "", "", "@g\n", "@h\n", "@f(1)\n"])
        annotation = self._random.choice(["", "", ": A", ": list[B]"])
        return f"{decorator}def {name}(p{annotation}, a=0, b=0):"

    def _method(self, name: str) -> str:
        decorator = self._random.choice(["", "", "", " @g\n", " @x.setter\n", " @classmethod\n"])
        annotation = self._random.choice(["", "", ": 'B'"])
        return f"{decorator} def {name}(self, p{annotation}=1):"

    def _function(self, header: str, depth: int) -> list[str]:
        return [header, *self._block(depth + 1)]

    def _block(self, depth: int) -> Iterator[str]:
        for _ in range(self._random.randint(1, _LONG)):
            form = self._random.choice(_STATEMENTS)
            yield " " * depth + self._filled(form)
            if form.endswith(":"):
                yield from self._block(depth + 1) if depth < _LONG else [" " * depth + " pass"]

    def _filled(self, form: str, depth: int = _DEEP) -> str:
        choices = {"{v}": VARIABLES, "{f}": FUNCTIONS, "{m}": METHODS, "{x}": "xyz"}
        for hole, words in choices.items():
            while hole in form:
                form = form.replace(hole, self._random.choice(words), 1)
        while "{e}" in form:
            value = self._random.choice(_VALUES if depth else VARIABLES)
            form = form.replace("{e}", self._filled(value, depth - 1), 1)
        return form
