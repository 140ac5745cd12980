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
]
READ = [
    "for n in NAMES:\n    print(getattr(math, n)(1))",
    "print(getattr(math, NAMES[0])(1), len(NAMES))",
    'print([getattr(math, n)(1) for n in sorted(NAMES)], "sin" in NAMES)',
    'print(", ".join(NAMES), NAMES.index("sin"), getattr(math, NAMES[1])(1))',
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


@pytest.mark.parametrize("use", READ)
def test_a_table_that_is_only_read_holds_what_it_says(use: str) -> None:
    verdict = validate_python_code(f'import math\nNAMES = ["sin", "cos"]\n{use}\n')
    assert verdict.valid, verdict.errors
