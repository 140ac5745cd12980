"""In code about to run a changed table is no constant, nor is a default or a written global."""

import pytest

from vetbox.validation import validate_python_code

CHANGES = [
    'd.append("al")',
    'd += ["al"]',
    'd[0] = "eval"',
    'd[:] = ["eval"]',
    'd[0] += "al"',
    'd.insert(0, "eval")',
    'e = d; e.append("al")',
    '[d.append(c) for c in "al"]',
    '(d[0], x) = ("eval", 1)',
    'for d[0] in ["eval"]: pass',
    '[0 for d[0] in ["eval"]]',
    'with open("x") as d[0]: pass',
    'list.append(d, "al")',
    '(lambda q: q.append("al"))(d)',
    'held = [d]; held[0].append("al")',
    'def fill(q): q.append("al")\nfill(d)',
    'def len(q): q.append("al")\nlen(d)',
    'def fill(q=d): q.append("al")\nfill()',
    'e = d = ["ev"]\ne.append("al")',
    '(d := ["ev"]).append("al")',
    'class E:\n    def __eq__(self, o): o.append("al")\nd == E()',
    'class E:\n    def __radd__(self, o): o.append("al")\nd + E()',
    'class E:\n    def __iadd__(self, o): o.append("al")\ne = E()\ne += d',
    'class E:\n    def __contains__(self, o): o.append("al")\nd in E()',
    'iter(d).__reduce__()[1][0].append("al")',
    'try:\n    assert 0, d\nexcept AssertionError as e:\n    e.args[0].append("al")',
]
LOOKUPS = ['getattr(builtins, "".join(d))("1")', 'builtins.__dict__["".join(d)]("1")']
OWNER = """class A:
    n = "print"
    def go(self):
        getattr(builtins, self.n)("1")"""
OTHERS = [
    'def f(n="print"):\n    getattr(builtins, n)("1")\nf("ev" + "al")',
    'def f(n="print"):\n    m = n + ""\n    getattr(builtins, m)("1")\nf("ev" + "al")',
    'class A:\n    d = ["ev"]\nA.d.append("al")\ngetattr(builtins, "".join(A.d))("1")',
    'class A:\n    d = "print"\nsetattr(A, "d", "ev" + "al")\ngetattr(builtins, A.d)("1")',
    'n = "print"\nglobals()["n"] = "ev" + "al"\ngetattr(builtins, n)("1")',
    'import __main__\nn = "print"\n__main__.n = "ev" + "al"\ngetattr(builtins, n)("1")',
    't = (["ev"], 1)\nt[0].append("al")\ngetattr(builtins, "".join(t[0]))("1")',
    't = (["ev"], 1)\nd = t[0]\nd.append("al")\ngetattr(builtins, "".join(t[0]))("1")',
    'd = {"a": "print"}\nd.update(a="ev" + "al")\ngetattr(builtins, d["a"])("1")',
    'd = bytearray(b"evil")\nd[2:] = b"al"\ngetattr(builtins, d.decode())("1")',
    'd = list("ve")\nd.reverse()\nd.extend("al")\ngetattr(builtins, "".join(d))("1")',
    'd = [c for c in "lave"]\nd.reverse()\ngetattr(builtins, "".join(d))("1")',
    't = {"a": {"b": "print"}}\nt["a"]["b"] = "eval"\ngetattr(builtins, t["a"]["b"])("1")',
    't = {"a": ["ev"]}\nfor v in t.values(): v += ["al"]\ngetattr(builtins, t["a"][-1])("1")',
    'class A:\n    n = "ev"\nA.n += "al"\ngetattr(builtins, A.n)("1")',
    'class A:\n    n = "print"\n(A.n, x) = "eval", 1\ngetattr(builtins, A.n)("1")',
    'class A:\n    n = "print"\nfor A.n in ["eval"]:\n    getattr(builtins, A.n)("1")',
    'class A:\n    n = "eval"\nclass B(A):\n    n = "print"\ndel B.n\ngetattr(builtins, B.n)("1")',
    f'{OWNER}\nclass B(A):\n    n = "eval"\nB().go()',
    f'{OWNER}\ntype("B", (A,), {{"n": "ev" + "al"}})().go()',
    'class A(metaclass=made()):\n    n = "print"\ngetattr(builtins, A.n)("1")',
    f"{OWNER}\nA.__getattribute__ = answer\nA().go()",
    'n = "print"\ntry:\n    f()\nexcept ValueError as n:\n    getattr(builtins, str(n))("1")',
    'n = "e"\nfor c in "val":\n    n += c\ngetattr(builtins, n)("1")',
    'n = "print"\nmatch 1:\n    case _ if (n := "ev" + "al"):\n        getattr(builtins, n)("1")',
    'a, *b = "print", "eval"\ngetattr(builtins, b[0])("1")',
    'for a, *b in [("print", "eval")]:\n    getattr(builtins, b[0])("1")',
]
CHOSEN = [
    'for n in ("sep", "system"):\n    getattr(os, n)("id")',
    'print([getattr(os, n)("id") for n in ["system"]])',
    'for k, n in {"a": "system"}.items():\n    getattr(os, n)("id")',
    'for i, n in enumerate(["system"]):\n    getattr(os, n)("id")',
    'for (n,), _ in zip([("system",)], [1]):\n    getattr(os, n)("id")',
    'T = {"a": "system"}\ndef go(k):\n    getattr(os, T[k])("id")',
    'T = {"a": "sep"}\ndef go(k):\n    getattr(os, T.get(k, "system"))("id")',
]
UNCHOSEN = [
    'for a in ("sys",):\n    for b in ("tem",):\n        getattr(os, a + b)("id")',
    'for i in (1,):\n    getattr(os, "xsystem"[i:])("id")',
    'for n in ("sep",):\n    n = input()\n    getattr(os, n)("id")',
    'T = ["sep"]\nfor n in T:\n    T.append(input())\n    getattr(os, n)("id")',
    'T = {"a": "sep"}\nT["a"] = input()\nfor n in T.values():\n    getattr(os, n)("id")',
    'zip = lambda given: [(input(),)]\nfor (n,) in zip(["sep"]):\n    getattr(os, n)("id")',
    'n = "sep"\nglobals().update(n=input())\ngetattr(os, n)("id")',
    'class A:\n    n = "sep"\nsetattr(A, "n", input())\ngetattr(os, A.n)("id")',
    'class A:\n    n = "sep"\na = A()\na.__dict__["n"] = input()\ngetattr(os, a.n)("id")',
]
READ = [
    "for n in NAMES:\n    print(getattr(math, n)(1))",
    "print(getattr(math, NAMES[0])(1), len(NAMES))",
    'print([getattr(math, n)(1) for n in sorted(NAMES)], "sin" in NAMES)',
    'print(", ".join(NAMES), NAMES.index("sin"), getattr(math, NAMES[1])(1))',
    'for n in ("sin", "cos"):\n    print(getattr(os, {"sin": "sep", "cos": "name"}[n]))',
    'print({n: getattr(os, n) for n in ("sep", "name")})',
    'for k, n in {"a": "sep", "b": "name"}.items():\n    print(k, getattr(os, n))',
    'T = {"a": "sep"}\ndef go(k):\n    return getattr(os, T[k]), getattr(os, T.get(k, "name"))',
    'T = [("a", "sep"), ("b", "name")]\nfor i, (k, n) in enumerate(T):\n    getattr(os, n)',
    'class A:\n    names = ("sep", "name")\nfor n in A.names:\n    print(getattr(os, n))',
    'if NAMES:\n    print(f"{NAMES} {getattr(math, NAMES[0])(1)}", *NAMES)',
]


@pytest.mark.parametrize("lookup", LOOKUPS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_table_that_is_changed_hides_no_name(change: str, lookup: str) -> None:
    code = f'import builtins\nd = ["ev"]\n{change}\n{lookup}\n'
    assert not validate_python_code(code).valid


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_given_elsewhere_hides_no_name(code: str) -> None:
    assert not validate_python_code(f"import builtins\n{code}\n").valid


@pytest.mark.parametrize("code", CHOSEN)
def test_what_a_loop_or_a_key_takes_out_of_a_table_is_what_is_named(code: str) -> None:
    verdict = validate_python_code(f"import os\n{code}\n")
    assert verdict.errors == ["Dangerous call: os.system() not allowed"]


@pytest.mark.parametrize("code", UNCHOSEN)
def test_what_is_put_together_of_such_parts_stays_unknown(code: str) -> None:
    assert not validate_python_code(f"import os\n{code}\n").valid


@pytest.mark.parametrize("code", [*CHOSEN, *UNCHOSEN])
def test_it_is_seen_among_many_other_lines(code: str) -> None:
    others = "".join(f"value_{n} = {n}\nprint(value_{n})\n" for n in range(20))
    assert not validate_python_code(f"import os\n{others}{code}\n{others}").valid


@pytest.mark.parametrize("use", READ)
def test_a_table_that_is_only_read_holds_what_it_says(use: str) -> None:
    verdict = validate_python_code(f'import math, os\nNAMES = ["sin", "cos"]\n{use}\n')
    assert verdict.valid, verdict.errors


@pytest.mark.parametrize("asked", ['__name__ == "__main__"', "__name__ != '__main__'"])
def test_a_module_that_asks_whether_it_is_the_program_gives_no_names(asked: str) -> None:
    code = 'import os\nfor n in ("name", "sep"):\n    print(getattr(os, n))\n'
    assert validate_python_code(f"{code}if {asked}:\n    print(1)\n").valid
    assert not validate_python_code(f'{code}if {asked}:\n    take("__main__")\n').valid
