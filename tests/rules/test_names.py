"""The resolver: what a written name may stand for."""

import warnings

import libcst as cst
import pytest

from tests.timing import within
from vetbox.rules.language.formula import Resolve
from vetbox.rules.matchers.references import is_reference
from vetbox.rules.resolve.computing import unescaped
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import Tree

EVAL = [
    "e = eval\ne(x)",
    "a = b = eval\nb(x)",
    "(e := eval)(x)",
    "e, f = eval, exec\ne(x)",
    "(e, [f, g]) = exec, (str, eval)\ng(x)",
    "[eval][0](x)",
    "(str, eval)[-1](x)",
    "{'k': eval}['k'](x)",
    "d = dict(k=eval)\nd['k'](x)",
    "d = {'k': eval}\nd.get('k')(x)",
    "for f in (eval,): f(x)",
    "for _, f in {'k': eval}.items(): f(x)",
    "import contextlib\nwith contextlib.nullcontext(eval) as e:\n    e(x)",
    "match eval:\n    case e:\n        e(x)",
    "from builtins import eval as q\nq(x)",
    "import builtins as b\nb.eval(x)",
    "__builtins__.eval(x)",
    "def get():\n    return eval\nget()(x)",
    "import functools\nfunctools.partial(eval)(x)",
    "class A:\n    run = staticmethod(eval)\nA().run(x)",
    "class A:\n    def __init__(self): self.run = eval\n    def go(self): self.run(x)",
    "def f(s, e=eval):\n    e(s)",
    "eval.__call__(x)",
    "\uff45\uff56\uff41\uff4c(x)",
    "from builtins import \uff45val as q\nq(x)",
    "match [1, (eval,)]:\n    case [_, (f,)]:\n        f(x)",
    "match {'k': {'l': eval}}:\n    case {'k': {'l': f}}:\n        f(x)",
    "def each():\n    yield str\n    yield eval\nfor f in each(): f(x)",
]


ALL_BUILTINS = [
    "d = {**vars(builtins)}\nd['eval'](x)",
    "d = {} | vars(builtins)\nd.get('eval')(x)",
    "d = dict(vars(builtins))\nd['eval'](x)",
    "d = vars(builtins).copy()\nd['eval'](x)",
    "import collections\nd = collections.ChainMap(vars(builtins))\nd['eval'](x)",
    "m = object()\nm.__dict__.update(vars(builtins))\nm.eval(x)",
    "import types\nm = types.SimpleNamespace(**vars(builtins))\nm.eval(x)",
    "d = {k: v for k, v in vars(builtins).items()}\nd['eval'](x)",
    "import inspect\ndict(inspect.getmembers(builtins))['eval'](x)",
    "def every():\n    return vars(builtins)\nevery()['eval'](x)",
]


@pytest.mark.parametrize("code", ALL_BUILTINS)
def test_the_builtins_in_other_hands_are_the_builtins(callees, code: str) -> None:
    assert "eval" in callees(f"import builtins\n{code}", Resolve.DYNAMIC)


NOT_HANDED_ON = [
    "print(vars(builtins))\nm.eval(x)",
    "'eval' in vars(builtins)\nd['eval'](x)",
    "sorted(dir(builtins))\nm.eval(x)",
]


@pytest.mark.parametrize("code", NOT_HANDED_ON)
def test_builtins_that_are_only_looked_at_stay_where_they_are(callees, code: str) -> None:
    assert "eval" not in callees(f"import builtins\n{code}", Resolve.DYNAMIC)


def test_a_method_from_a_base_is_the_base_s_own(callees) -> None:
    code = "import bdb\nclass D(bdb.Bdb):\n    def user_line(self, f): ...\nD().run(x)"
    assert "bdb.Bdb.run" in callees(code, Resolve.ALIASES)


def test_a_method_that_a_class_replaces_is_its_own(callees) -> None:
    code = "import bdb\nclass D(bdb.Bdb):\n    def run(self, f): ...\nD().run(x)"
    assert "bdb.Bdb.run" not in callees(code, Resolve.ALIASES)


@pytest.mark.parametrize("code", EVAL)
def test_an_alias_of_eval_is_still_eval(callees, code: str) -> None:
    assert "eval" in callees(code, Resolve.ALIASES)


TAKEN_OUT = [
    "t = [eval]\nt.pop()(x)",
    "t = {eval}\nt.pop()(x)",
    "t = [eval]\nt.pop(-1)(x)",
    "t = [eval]\nf = t.pop()\nf(x)",
    "t = [eval]\nt.copy().pop()(x)",
    "def f():\n    t = [len, eval]\n    return t.pop()(x)",
]


@pytest.mark.parametrize("code", TAKEN_OUT)
def test_what_is_taken_out_of_a_table_is_one_of_its_elements(callees, code: str) -> None:
    assert "eval" in callees(code, Resolve.DYNAMIC)


SYSTEM = [
    "import os\ngetattr(os, 'sys' + 'tem')(x)",
    "import os\nn = 'tem'\ngetattr(os, f'sys{n}')(x)",
    "import os\nos.__dict__['system'](x)",
    "import os\nvars(os)['system'](x)",
    "import os\nvars(os).get('system')(x)",
    "import os\nos.__getattribute__('system')(x)",
    "import os\nobject.__getattribute__(os, 'system')(x)",
    "import os, types\ntypes.ModuleType.__getattribute__(os, 'system')(x)",
    "import os, types\nask = types.ModuleType.__getattribute__\nask(os, 'system')(x)",
    "import os\nos.__class__.__getattribute__(os, 'system')(x)",
    "import sys\nsys.exit.__self__.modules['os'].system(x)",
    "import os\nos.getpid.__self__.system(x)",
    "import os\ntype(os).__getattribute__(os, 'system')(x)",
    "import operator, os\noperator.attrgetter('system')(os)(x)",
    "import operator, os\noperator.methodcaller('system', x)(os)",
    "import sys\nsys.modules['os'].system(x)",
    "import sys\nm = sys.modules\nm.get('os').system(x)",
    "__import__('o' + 's').system(x)",
    "import importlib\nimportlib.import_module('os').system(x)",
    "import pkgutil\npkgutil.resolve_name('os:system')(x)",
    "import os\nglobals()['os'].system(x)",
    "import random\nrandom._os.system(x)",
    "import logging\nlogging.os.system(x)",
    "import os\nname = 'sys'\nname += 'tem'\ngetattr(os, name)(x)",
]


@pytest.mark.parametrize("code", SYSTEM)
def test_a_computed_name_of_os_system_is_os_system(callees, code: str) -> None:
    assert "os.system" in callees(code)


ASKED_FOR = [
    "import os\nmatch os:\n    case object(system=s):\n        s(x)",
    "import os\nmatch os:\n    case object(path=object(os=object(system=s))):\n        s(x)",
    "import os\nmatch [1, {'k': os}]:\n    case [_, {'k': object(system=s)}]:\n        s(x)",
    "import os\nmatch os:\n    case object(__dict__={'system': s}):\n        s(x)",
    "import os\nmatch os:\n    case object(system=s) if s(x):\n        pass",
    "import os\nmatch {'k': os}:\n    case dict({'k': object(system=s)}):\n        s(x)",
    "import os\nmatch [os]:\n    case [s]:\n        s.system(x)",
]


@pytest.mark.parametrize("code", ASKED_FOR)
def test_a_class_pattern_asks_for_attributes(callees, code: str) -> None:
    assert "os.system" in callees(code, Resolve.DYNAMIC)


LOOKED_UP = [
    "import os\nmatch vars(os):\n    case {'system': s}:\n        s(x)",
    "import os\nd = os.__dict__\nmatch d:\n    case {'name': n, 'system': s}:\n        s(x)",
    "import sys\nmatch sys.modules:\n    case {'os': o}:\n        o.system(x)",
    "import os\nmatch globals():\n    case {'os': o}:\n        o.system(x)",
    "import os\nd = {'k': {'l': os.system}}\nmatch d:\n    case {'k': {'l': s}}:\n        s(x)",
]


@pytest.mark.parametrize("code", LOOKED_UP)
def test_a_mapping_pattern_looks_names_up_in_a_namespace(callees, code: str) -> None:
    assert "os.system" in callees(code, Resolve.DYNAMIC)


ABOVE = [
    "Path(x).parent.unlink()",
    "Path.cwd().parent.parent.unlink()",
    "p = Path(x) / y\np.resolve().parent.unlink()",
    "Path(x).parents[1].unlink()",
    "p = Path(x).parents[0]\np.unlink()",
    "def f(p: Path): p.parent.unlink()",
]


@pytest.mark.parametrize("code", ABOVE)
def test_what_is_above_a_path_is_a_path(callees, code: str) -> None:
    found = callees(f"from pathlib import Path\n{code}", Resolve.ALIASES)
    assert "pathlib.Path.unlink" in found


def test_the_class_of_paths_is_above_nothing(callees) -> None:
    found = callees("from pathlib import Path\nPath.parent.unlink()", Resolve.ALIASES)
    assert "pathlib.Path.unlink" not in found


def test_only_the_class_knows_what_its_pattern_gives_by_position(callees) -> None:
    code = "import os\nmatch os:\n    case Box(s):\n        s(x)"
    assert callees(code, Resolve.DYNAMIC) == {"os.?"}


SPELLINGS = [
    "'e' 'val'", "'ev' + 'al'", "'%s%s' % ('ev', 'al')", "'{}{}'.format('ev', 'al')",
    "''.join(['e', 'v', 'a', 'l'])", "''.join(map(chr, [101, 118, 97, 108]))",
    "''.join(chr(c) for c in (101, 118, 97, 108))", "'lave'[::-1]", "''.join(reversed('lave'))",
    "'EVAL'.lower()", "'e-val'.replace('-', '')", "b'eval'.decode()", "str(b'eval', 'ascii')",
    "bytes([101, 118, 97, 108]).decode()", "bytes.fromhex('6576616c').decode()",
    "__import__('re').escape('eval')",
    "__import__('base64').b64decode('ZXZhbA==').decode()", "chr(101) + 'val'", "'\\x65val'",
    "('exec', 'eval')[1]", "{'k': 'eval'}['k']", "f'e{\"va\"}l'", "'eval' if x else 'exec'",
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_text_eval_is_read_however_it_is_written(callees, spelling: str) -> None:
    assert "eval" in callees(f"getattr(__builtins__, {spelling})(x)")


def test_a_name_that_nobody_can_know_is_a_question_mark(callees) -> None:
    assert callees("import os\ngetattr(os, input())(x)") == {"os.?"}


SHADOWED = [
    "def f(compile):\n    compile(x)",
    "from re import compile\ncompile(x)",
    "def compile(s): return s\ncompile(x)",
    "import re\ncompile = re.compile\ncompile(x)",
    "def outer():\n    def compile(s): return s\n    compile(x)",
    "def main():\n    compile(x)\ndef compile(s): return s",
    "if a:\n    from re import compile\nelse:\n    from sre import compile\ncompile(x)",
    "try:\n    from re import compile\nexcept ImportError:\n    compile = str\ncompile(x)",
    "lambda compile: compile(x)",
    "[compile(x) for compile in things]",
    "for compile in things:\n    compile(x)",
    "def f():\n    for compile in things: pass\n    compile(x)",
    "with a as compile:\n    compile(x)",
]


@pytest.mark.parametrize("code", SHADOWED)
def test_a_name_that_is_surely_bound_is_not_the_builtin(callees, code: str) -> None:
    assert "compile" not in callees(code)


MAYBE = [
    "class A:\n    eval = str\n    def m(self):\n        return eval(x)",
    "for eval in []: pass\neval(x)",
    "def f():\n    global eval\n    eval = str\neval(x)",
    "def f():\n    global eval\n    eval = str\ndef g():\n    eval(x)",
    "try:\n    from q import eval\nexcept ImportError:\n    pass\neval(x)",
    "while False:\n    import ast as eval\neval(x)",
    "if False:\n    def eval(s): pass\neval(x)",
    "def outer():\n    def eval(s): return s\nouter()\neval(x)",
    "from math import *\neval(x)",
    "eval(x)\neval = str",
    "eval = str\ndel eval\neval(x)",
    "a and (eval := str)\neval(x)",
]


@pytest.mark.parametrize("code", MAYBE)
def test_a_name_that_may_be_the_builtin_is(callees, code: str) -> None:
    assert "eval" in callees(code)


def test_in_straight_code_the_last_assignment_counts(callees) -> None:
    assert callees("f = eval\nf = str\nf(x)") == {"str"}


def test_in_a_loop_a_later_assignment_counts_too(callees) -> None:
    assert callees("f = str\nwhile a:\n    f(x)\n    f = eval") == {"str", "eval"}


def test_imports_level_does_not_follow_assignments(callees) -> None:
    code = "import os as o\nrun = o.system\nrun(x)"
    assert callees(code, Resolve.IMPORTS) == {"?"}
    assert callees(code, Resolve.ALIASES) == {"os.system"}


def test_as_written_means_as_written(callees) -> None:
    assert callees("import os as o\no.system(x)", Resolve.NONE) == {"o.system"}


MAKERS = [
    "import zipfile\nzipfile.ZipFile(p).extractall()",
    "import zipfile\nz = zipfile.ZipFile(p)\nz.extractall()",
    "import zipfile\nwith zipfile.ZipFile(p) as z:\n    z.extractall()",
    "import zipfile\ndef f(z: zipfile.ZipFile):\n    z.extractall()",
    "import zipfile\ndef f(z: zipfile.ZipFile | None):\n    z.extractall()",
    "import zipfile, typing\ndef f(z: typing.Optional[zipfile.ZipFile]):\n    z.extractall()",
]


@pytest.mark.parametrize("code", MAKERS)
def test_a_method_is_named_after_what_made_its_receiver(callees, code: str) -> None:
    assert "zipfile.ZipFile.extractall" in callees(code)


def test_what_eval_returns_is_not_eval(callees) -> None:
    assert "eval" not in callees("eval(x)(y)")


def test_relative_imports_keep_their_dot(callees) -> None:
    assert callees("from .a import run\nrun(x)") == {".a.run"}


def test_a_name_that_stands_for_itself_ends(callees) -> None:
    assert callees("f = g\ng = f\nf(x)") <= {"?", "f", "g"}


def test_a_long_chain_of_aliases_ends(callees) -> None:
    chain = "a0 = eval\n" + "".join(f"a{n + 1} = a{n}\n" for n in range(500)) + "a500(x)\n"
    assert callees(chain) <= {"?", "eval"}


@pytest.mark.parametrize("code", ["def f[T: eval(x)](): pass", "class A[T: eval(x)]: pass"])
def test_the_bound_of_a_type_parameter_is_read(callees, code: str) -> None:
    assert callees(code) == {"eval"}


MANY = {
    "bound again and again": "e = eval\n" + "e = e\n" * 100 + "e(x)",
    "handed to and fro": "e = f = str\n" + "e = f\nf = e\n" * 70 + "e = eval\nf(x)",
    "one of very many": f"import m\nfs = [{'m.f{}, ' * 40}eval]\nfs[i](x)".format(*range(40)),
    "a function behind functions": "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(99))
    + "def f99(): return eval\nf0()(x)",
}


@pytest.mark.parametrize("form", MANY)
def test_a_long_way_to_eval_is_followed(callees, form: str) -> None:
    assert "eval" in callees(MANY[form])


def test_a_name_of_very_many_bindings_is_worked_out_once() -> None:
    tree = Tree(cst.parse_module("e = eval\n" + "e = e\n" * 400 + "e(x)"))
    resolver = Resolver(tree)
    asked: list[object] = []
    given = resolver.given
    resolver.given = lambda binding, level: asked.append(binding) or given(binding, level)  # type: ignore[method-assign]
    for name in tree.by_type[cst.Name]:
        resolver.names(name, Resolve.DYNAMIC)
    assert len(asked) < 401 * 3


SHADOWED = {
    "called before it is bound": "def f(): eval(x)\nf()\ndef eval(s): return s",
    "by way of another": "def g(): f()\ndef f(): eval(x)\ng()\ndef eval(s): return s",
    "a lambda that somebody holds": "@(lambda f: eval(x))\ndef eval(): pass",
    "taken out of the namespace": "def eval(s): return s\ndel globals()['eval']\neval(x)",
    "bound for a message": "assert True, (eval := str)\neval(x)",
    "global said of the module": "global eval\neval(x)\neval = str",
    "global said in a class": "class A:\n    global eval\n    eval(x)\n    eval = str",
    "an exception's name, left": "eval = str\ntry: 1 / 0\nexcept Exception as eval: pass\neval(x)",
    "a loop over nothing": "for eval in []: pass\ndef f(): eval(x)\nf()\neval = str",
    "a class in a function": "def f(eval):\n    class A:\n        eval(x)\n        eval = 1\nf(0)",
    "behind a comparison": "1 < 0 < (eval := 3)\neval(x)",
    "swallowed on the way": "with suppress(), missing() as eval: pass\neval(x)",
    "called by another name": "def f(): eval(x)\ng = f\ng()\neval = str",
    "called out of a table": "def f(): eval(x)\nt = {'f': f}\nt['f']()\neval = str",
    "called in a loop": "def f(): eval(x)\nfor g in [f]: g()\neval = str",
    "called after a match": "def f(): eval(x)\nmatch f:\n    case g: g()\neval = str",
    "called by a manager's result": "def f(): eval(x)\nwith c as q: r = f\nr()\neval = str",
    "called out of globals()": "def f(): eval(x)\nglobals()['f']()\neval = str",
    "a decorator itself": "def f(g): eval(x)\n@f\ndef g(): pass\neval = str",
    "called by its decorator": "def now(f): f()\n@now\ndef g(): eval(x)\neval = str",
    "a class of a class": "class A:\n    def __init__(s): eval(x)\nclass B(A): pass\nB()\n"
    "eval = str",
    "a base": "class A:\n    def __init_subclass__(c): eval(x)\nclass B(A): pass\neval = str",
    "a metaclass": "class M(type):\n    def __init__(c, *a): eval(x)\nclass A(metaclass=M): pass\n"
    "eval = str",
    "an operator": "class A:\n    def __class_getitem__(c, k): eval(x)\nA[1]\neval = str",
    "an operator's other name": "def f(*a): eval(x)\nclass A: __class_getitem__ = f\nA[1]\n"
    "eval = str",
    "a property": "class A:\n    @property\n    def p(s): eval(x)\nfor a in [A]: b = a\nb.p\n"
    "eval = str",
}


@pytest.mark.parametrize("form", SHADOWED)
def test_a_builtin_shows_through_its_shadow(found, form: str) -> None:
    assert found("{call: {name: eval}, resolve: dynamic}", SHADOWED[form])


HIDDEN = {
    "called later": "def main():\n    return compile(x)\ndef compile(s): return s\nmain()",
    "kept in a table": "def f(): compile(x)\nt = {'f': f}\ndef compile(s): return s\nt['f']()",
    "a base of a class": "class A:\n    def __init__(s): compile(x)\nclass B(A): pass\n"
    "def compile(s): return s\nB()",
    "a property": "class A:\n    @property\n    def p(s): return compile(x)\ndef compile(s): pass\n"
    "A().p",
    "wrapped": "def timed(f):\n    def inner(): return f()\n    return inner\n@timed\n"
    "def g(): compile(x)\ndef compile(s): return s\ng()",
    "registered": "from app import route\n@route('/')\ndef g(): compile(x)\ndef compile(s): pass",
    "another handler's name": "try:\n    from re2 import compile\nexcept ImportError as error:\n"
    "    from re import compile\ncompile(x)",
    "a class in a function": "def f(compile):\n    class A:\n        compile(x)\nf(str)",
    "inside the handler": "try: pass\nexcept Exception as compile: compile(x)",
    "sure of a comparison": "0 < (compile := f)\ncompile(x)",
    "a manager": "with opened() as compile, other(): pass\ncompile(x)",
}


@pytest.mark.parametrize("form", HIDDEN)
def test_a_shadow_that_is_there_hides_the_builtin(found, form: str) -> None:
    assert found("{call: {name: compile}, resolve: dynamic}", HIDDEN[form]) == []


def test_what_a_type_statement_binds_is_not_read() -> None:
    tree = Tree(cst.parse_module("type compile[exec: str, *eval, **open] = int"))
    resolver = Resolver(tree)
    read = [name.value for name in tree.by_type[cst.Name] if is_reference(name, resolver)]
    assert sorted(read) == ["int", "str"]


LOOKUPS = [
    "import builtins, functools\nfunctools.reduce(getattr, ['eval'], builtins)(x)",
    "import builtins\nlist(map(getattr, [builtins], ['eval']))[0](x)",
    "import builtins, operator\n[*map(operator.attrgetter('eval'), [builtins])][0](x)",
    "{**{'k': eval}}['k'](x)",
]


@pytest.mark.parametrize("code", LOOKUPS)
def test_mapped_and_merged_lookups_are_followed(callees, code: str) -> None:
    assert "eval" in callees(code)


REFUSED = [
    "{{}: 1}",
    "{[]: 1}[0]",
    "[][{}]",
    "{}[{}]",
    "{0: 1}[[]]",
    "dict([[[], 1]])",
]


@pytest.mark.parametrize("code", REFUSED)
def test_what_python_refuses_is_no_constant(code: str) -> None:
    tree = Tree(cst.parse_module(code))
    (statement,) = tree.of_type(cst.Expr)
    assert isinstance(statement, cst.Expr)
    assert Resolver(tree).folder.values(statement.value) is None


LONG = {
    "results of results": (
        "".join(f"def f{n}(x):\n    return f{n + 1}(x)(x)\n" for n in range(60))
        + "def f60(x):\n    return x\nf0(eval)('1')\n"
    ),
    "patterns of patterns": (
        "import os\nx = os\n"
        + "match x:\n    case A(a=x, b=A(c=y)):\n        x(y(x))\n" * 60
        + "x('1')\n"
    ),
    "entries of entries": (
        "class A:\n"
        + "".join(f"    def m{n}(s, x):\n        return s.m{n + 1}(x).get(x)\n" for n in range(60))
        + "    def m60(s, x):\n        return vars()\nA().m0('eval')('1')\n"
    ),
}


@pytest.mark.parametrize("code", LONG.values(), ids=LONG.keys())
def test_a_chain_too_long_to_follow_is_not_followed_twice_at_every_link(code: str) -> None:
    def ask() -> None:
        resolver = Resolver(Tree(cst.parse_module(code)))
        for node in resolver.tree.of_type(cst.Call):
            resolver.callee(node, Resolve.DYNAMIC)

    assert within(3, ask)


def test_an_escape_that_is_none_stands_for_itself_and_warns_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert unescaped(r"\d\\d\x65\145") == r"\d\dee"


def test_what_was_asked_of_a_node_that_is_gone_is_not_said_of_another() -> None:
    """Answers go by identity, and a new node may stand where an old one stood."""
    resolver = Resolver(Tree(cst.parse_module("")))
    for number in range(500):
        assert resolver.folder.value(cst.SimpleString(repr(f"{number}"))) == f"{number}"
        assert resolver.names(cst.Name(f"n{number}")) == {f"n{number}"}
