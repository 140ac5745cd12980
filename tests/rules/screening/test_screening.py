"""What screening drops can be no finding, and it drops what plainly is none."""

import json
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.screening.programs import program
from tests.sampling import sample
from vetbox.code.source import Source, SourceError
from vetbox.findings import Finding, position
from vetbox.rules import Profile, RuleSet, check, load_rules
from vetbox.rules.following import flow_findings
from vetbox.rules.judging import findings
from vetbox.rules.language.anchors import Anchors
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.program import program_of
from vetbox.rules.screening import leads
from vetbox.validation import validate_python_code

ROOT = Path(__file__).parents[3]
RULES = load_rules()
PROGRAM = program_of(RULES, Profile.AGENT)
FETCH = "model-output-to-address"
BENIGN = (
    "def area(width, height=2):\n    return width * height",
    "class Shelf:\n    def __init__(self, open, input):\n        self.eval = open or input",
    "names = [part.strip() for part in 'a, b'.split(',') if part]",
    "import json as os\nfrom pathlib import Path as system\nprint(os.dumps({}), system('x'))",
    "total = 0\nfor number in range(10):\n    total += number",
    "def getter(thing, key='name'):\n    return getattr(thing, key, None)",
)


def cases() -> Iterator[str]:
    """The code of every attack on the validator that is written down, and of the fixtures."""
    for name in ("01_validator", "own-validator", "probes"):
        for line in (ROOT / f"tests/attacks/{name}.jsonl").read_text().splitlines():
            case = json.loads(line)
            code = case.get("input", case).get("code")
            if isinstance(code, str):
                yield code
    for path in sorted((ROOT / "fixtures").rglob("*.py")):
        yield path.read_text(errors="surrogateescape")


CASES = tuple(dict.fromkeys(cases()))
SHORT = tuple(case for case in CASES if len(case) < 1_000)


def asked(code: str) -> tuple[Source, Anchors] | None:
    """The code and the rules in question; None for what the gate turns away."""
    try:
        source = Source.from_text(code)
        source.module  # noqa: B018 - libcst may turn it away too
    except SourceError:
        return None
    return source, PROGRAM.hits(source)


def is_told(code: str) -> bool:
    """Are the findings of the rules that are left those of all rules, place by place?

    Also where the tree's own verdicts are not taken, and the judge is asked of an excerpt.
    """
    known = asked(code)
    if known is None:
        return True
    source, hits = known
    plain, flowing = judged(source, hits), followed(source, hits)
    is_left = placed([*plain, *flowing]) == placed(check(source, RULES, profile=Profile.AGENT))
    return is_left and plain == left_to_the_judge(source, hits)


def left_to_the_judge(source: Source, hits: Anchors) -> list[Finding]:
    """What the judge finds in the excerpt of the rules that are left."""
    screened = PROGRAM.screened(source, hits)
    left = plain_of(screened.left)
    return placed(findings(source, PROGRAM, left, screened.excerpt_for(left))) if left else []


def judged(source: Source, hits: Anchors) -> list[Finding]:
    """What the rules find that follow no data."""
    rest = plain_of(hits)
    return placed(findings(source, PROGRAM, rest)) if rest else []


def followed(source: Source, hits: Anchors) -> Sequence[Finding]:
    """What the others find."""
    flowing = {rule: found for rule, found in hits.items() if PROGRAM.rules[rule].flows}
    return flow_findings(source, PROGRAM, flowing).findings if flowing else ()


def plain_of(hits: Anchors) -> Anchors:
    return {rule: found for rule, found in hits.items() if not PROGRAM.rules[rule].flows}


def excerpt_of(code: str) -> str | None:
    """The part of the code that is judged; None for all of it."""
    known = asked(code)
    assert known is not None
    screened = PROGRAM.screened(*known)
    excerpt = screened.excerpt_for(screened.left)
    return None if excerpt is None else excerpt.text


def placed(found: Iterable[Finding]) -> list[Finding]:
    return sorted(found, key=position)


def kept(code: str) -> set[str]:
    """The rules that are left in question."""
    known = asked(code)
    assert known is not None
    return set(PROGRAM.screened(*known).left)


def test_screening_loses_no_finding_in_any_attack_or_fixture() -> None:
    assert len(CASES) > 1_600
    assert [code for code in sample(CASES, each=6) if not is_told(code)] == []


def test_screening_loses_no_finding_where_attacks_hide_among_other_code() -> None:
    @settings(max_examples=120, deadline=None, derandomize=True, database=None)
    @given(st.lists(st.sampled_from(SHORT), min_size=1, max_size=3), st.data())
    def holds(parts: list[str], data: st.DataObject) -> None:
        pieces: list[str] = []
        for part in parts:
            pieces += [part, data.draw(st.sampled_from(BENIGN))]
        code = "\n".join(pieces)
        if data.draw(st.booleans()):
            header = data.draw(st.sampled_from(["def f(open, input, os):", "class A:", "if x:"]))
            code = f"{header}\n{textwrap.indent(code, '    ')}"
        assert is_told(code), code

    holds()


def test_nothing_is_lost_whatever_way_a_name_is_handed_on() -> None:
    made = [code for code in map(program, sample(range(400))) if asked(code) is not None]
    assert len(made) > 70
    assert [code for code in made if not is_told(code)] == []


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (
            "import paramiko as p\np.SSHClient().set_missing_host_key_policy(p.AutoAddPolicy())",
            "ssh-unknown-host",
        ),
        ("def f(frame, take):\n    os\n    take(frame.f_builtins)", "module-handed-on"),
        ("os\ntake(self.os)", "module-handed-on"),
        ("it = next(iter([os]))\ntake(it)", "module-handed-on"),
        ("box = {'os': os}\nfor name, it in box.items():\n    take(it)", "module-handed-on"),
        ("class A:\n    it = os\n\ntake(A().it)", "module-handed-on"),
        ("it = getattr(box, 'x', os)\ntake(it)", "module-handed-on"),
        ("import pickle\npickle._getattribute(__builtins__, 'eval')", "module-handed-on"),
        ("take(frame.f_builtins)", "module-handed-on"),
        ("take(print.__self__)", "module-handed-on"),
        ("import random\ntake(random._os)", "module-handed-on"),
        ("import logging\nit = logging.os\ntake(it)", "module-handed-on"),
        ("take(getattr(box, '_os'))", "module-handed-on"),
        ("take(globals()['__buil' + 'tins__'])", "module-handed-on"),
        ("import enum\ntake(enum.bltns)", "module-handed-on"),
        ("from enum import bltns as b\ntake(b)", "module-handed-on"),
        ("import enum\nenum.bltns.open('1')", "open-call"),
        ("import enum as e\nq = e.bltns\nq.open('1')", "open-call"),
        ("from enum import bltns\nbltns.open('1')", "open-call"),
        ("from enum import *\nbltns.open('1')", "open-call"),
        ("import enum\nenum.bltns.input()", "standard-input"),
        ("import enum\nenum.bltns.breakpoint()", "debugger"),
        ("import yaml\nmatch yaml:\n    case object(load=it):\n        it(x)", "yaml-load"),
        (
            "import code as c\nmatch [c]:\n    case [object(interact=it)]:\n        it()",
            "code-runner",
        ),
        ("import os\nmatch os:\n    case Box(it):\n        it('x')", "lookup-by-computed-name"),
        ("(lambda: os)().system('x')", "process-start"),
        (
            "import inspect, os\ninspect.getattr_static(os, name)('x')",
            "lookup-by-computed-name",
        ),
        ("import builtins as b\ndel b.print", "interpreter-patch"),
        ("import json\ndel json.codecs.builtins.print", "interpreter-patch"),
        ("from builtins import eval\nit = __builtins__\ndel it.print", "interpreter-patch"),
        (
            "import operator, os\nlist(map(operator.methodcaller('system', x), [os]))",
            "process-start",
        ),
        (
            "import operator as o, builtins\nf([builtins], o.methodcaller('eval', x))",
            "eval-call",
        ),
        ("take(*[os])", "module-handed-on"),
        ("take(*x, os)", "module-handed-on"),
        ("box = dict(a=os)\ntake(x, **box)", "module-handed-on"),
        ("take(it=it)\nit = it or os\ntake(it)", "module-handed-on"),
        ("from functools import partial\nit = partial(take, os)\nit()", "module-handed-on"),
        ("def f(run):\n    f(run=run)\n    run('1')\n\nf(run=eval)", "eval-call"),
        ("box = [x, '__globals__']\ngetattr(*box)", "class-by-name"),
        ("box = [f'{a}']\ngetattr(*box, '__globals__')", "class-by-name"),
        ("name = 'reqeusts'\n__import__(name)", "lookalike-import"),
        ("from reqeusts import get", "lookalike-import"),
        ("f'{{x.__globals__}}{1}'.format(x=1)", "format-introspection"),
        ("t = '{0'\nt += '.__globals__}'\nt.format(x)", "format-introspection"),
        ("(a, b) = a = [eval, 1]\na[0]('1')", "eval-call"),
        ("a = (a, b) = [eval, 1]\na('1')", "eval-call"),
        ("for a, (b, c) in [[1, [2, eval]]]:\n    c('1')", "eval-call"),
        ("for a, (b, c) in {1: [2, eval]}.items():\n    c('1')", "eval-call"),
        ("import operator\noperator.attrgetter('system')(os)('x')", "process-start"),
        ("import operator\noperator.call(os.system, 'x')", "process-start"),
        ("import builtins as b\nb.eval('1')", "eval-call"),
        ("getattr(x, 'y', eval)('1')", "eval-call"),
        ("sys.modules['os'].system('x')", "process-start"),
        ("eval = eval\neval('1')", "eval-call"),
        ("import os as run\nrun.system('x')", "process-start"),
        ("if x:\n    import os as run\nelse:\n    run = sys\nrun.system('x')", "process-start"),
        ("system('x')\nfrom os import system\ndef f():\n    system('y')", "process-start"),
        ("import os\ngetattr(os, 'a system'.split()[1])('ls')", "process-start"),
        ("import os\ngetattr(os, ('sys' + 'tem', 'x')[0])('ls')", "process-start"),
        ("import os\nn = 'popen,system'.split(',')\ngetattr(os, n[1])('ls')", "process-start"),
        ("import os\ngetattr(os, 'path')\ngetattr(os, name)('x')", "lookup-by-computed-name"),
        ("import os\nit = getattr\nit(os, name)('x')", "lookup-by-computed-name"),
        ("import os\ngetattr(*(os, name))('x')", "lookup-by-computed-name"),
        ("import os\ngetattr(os, '__dict__')[name]('x')", "lookup-by-computed-name"),
        ("import os\nprint(os.environ['A'], os.environ)", "environment-dump"),
        ("import os\nfrom os import environ\nprint(os.environ['A'], environ)", "environment-dump"),
        ("import os\nkept = [os]\nprint(os.environ['A'], kept[0].environ)", "environment-dump"),
        ("import os\nfrom os import *\nprint(os.environ['A'], environ)", "environment-dump"),
        ("import os\nhere = os\nprint(os.environ['A'], here.environ)", "environment-dump"),
        ("import os\nos.environ['LD_PRE' + 'LOAD'] = '/tmp/x.so'", "loader-environment"),
        ("import os\nkey = 'LD_PRELOAD'\nos.environ[key] = '/tmp/x.so'", "loader-environment"),
        ("options ['verify'] = False", "session-verify-off"),
        ("(options  # all\n )['verify'] = False", "session-verify-off"),
        ("my.options['verify'] = False", "session-verify-off"),
        ("\uff4fptions['verify'] = False", "session-verify-off"),
        (
            "def f(key):\n    return getattr(box, key, subprocess)\nglobals()['x']",
            "lookup-by-computed-name",
        ),
        ("box = dict(environ=sys.modules)", "interpreter-state"),
        (
            "def f(agent, client):\n    url = agent.run()\n    (client  # own\n     .get)(url)",
            FETCH,
        ),
    ],
)
def test_what_screening_once_lost_or_may_easily_lose_is_found(code: str, rule: str) -> None:
    found = check(Source.from_text(code), RULES, profile=Profile.AGENT)
    assert rule in {one.code for one in found}
    assert is_told(code)


@pytest.mark.parametrize(
    "code",
    [
        "def f(self):\n    return getattr(self, 'size', None)",
        "def f(input):\n    return input()",
        "import re\nre.compile('a')",
        "def f(shelf):\n    '''open a file, then eval it'''\n    return shelf.open(globals)",
        "platform.system()\nos.path",
        "def f(name):\n    '''Caf\u00e9 \u0441\u0430'''\n    return f'{name}' + '\u00e9'",
        "x = '%s' % f(1)\nhasattr(x, 'size')",
        "df.compile('a')\ngetattr(df, 'size')",
        "def f(event, box):\n    box.format(event.name)\n    log.info(event)",
        "def f():\n    '''The system has it.'''\n    return 'TERM' in os.environ",
        "def f(*args, **kwargs):\n    return g(*args, size=os.name, **kwargs)",
        "def f(a, *args):\n    return getattr(a, 'x')(*args)",
        "z3 = import_module('z3')\nz3.model(1)",
        "box.update({f'{a}': '\u00e9'})",
        "take(f'import os, sys: {name}')",
        "show('%(format)s' % {'format': str(day)}, day.format)",
        "sys\nbox = getattr(box, name)\nbox.x(sys.path)",
        "for a, (b, c) in socket.them():\n    print(b[0], a, c)",
        "import os, sys\nbox = getattr(here, 'size', None)\nbox.x(os.sep, sys.path)",
        "kw = dict(size=size, name=size)\nif size:\n    kw['x'](size, os.name, **kw)",
        "import os\nhome = os.environ.get('HOME', '/')\nprint(home, 'TERM' in os.environ)",
        "@pytest.fixture(params=[1, 2])\ndef size(request):\n    return request.param.copy()",
        "def f(nodes):\n    return set(chain.from_iterable(node.edges for node in nodes))",
        "def f(axes, verify=True):\n    make(axes, verify=verify)",
        "def f(box, name):\n    return isinstance(getattr(box.all, name)(1), str)",
    ],
)
def test_plain_code_leaves_no_rule_in_question(code: str) -> None:
    known = asked(code)
    assert known is not None
    assert known[1], "the prefilter has dropped it already"
    assert kept(code) <= {"module-lookup-by-computed-name"}


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("getattr(__builtins__, 'ev' + 'al')('1')", "eval-call"),
        ("name = 'ev'\nname += 'al'\nglobals()[name]('1')", "eval-call"),
        ("def f(open=open):\n    return open('x')", "open-call"),
        ("def f(os):\n    global os\n    os.system('x')", "process-start"),
        ("class A:\n    system = os.system\n\nA.system('x')", "process-start"),
        ("import os\nbox = {}\nbox['run'] = os\nbox['run'].system('x')", "process-start"),
        ("case = __import__\ncase('o' 's').system('x')", "process-start"),
        ("from os import *\nsystem('x')", "process-start"),
        ("\uff45val('1')", "eval-call"),
        ("f = lambda: eval\nf()('1')", "eval-call"),
        ("p\u0430y = 'p\u0430y'", "mixed-script-name"),
        ("f'{p\u0430y}'", "mixed-script-name"),
        ("vars(os)[key]('x')", "lookup-by-computed-name"),
        ("print('x')\nshow = print\ngetattr(show, key)", "lookup-by-computed-name"),
        ("print('x')\ngetattr([print][0], key)", "lookup-by-computed-name"),
        ("@print\ndef show(): ...\nprint('x')\ngetattr(show, key)", "lookup-by-computed-name"),
        ("import os as _o\n_o.getcwd()\ngetattr(_o, key)", "lookup-by-computed-name"),
        ("match eval:\n    case run:\n        run('1')", "eval-call"),
        ("def f(request):\n    logging.info(request.GET['a'])", "log-from-request"),
        ("def f(r):\n    logging.info(r.GET)\nf(self.request)", "log-from-request"),
        ("def on_handler(event, context):\n    log.info(event['a'])", "log-from-request"),
        ("web = flask.request\nrun = os.system\nrun(web.args)", "shell-from-request"),
        ("run = input\nos.system(run())", "shell-from-input"),
        ("import os\nprint(os.environ['A'], os.environ)", "environment-dump"),
        ("import os\nenv = os.environ\nsend(env)", "environment-dump"),
        ("import os\nos.environ[:].x = os.environ", "environment-dump"),
        ("env = os.environ\nrequests.get(url, params=env['API_TOKEN'])", "secret-to-network"),
    ],
)
def test_what_may_lead_there_stays_in_question(code: str, rule: str) -> None:
    assert rule in kept(code)


CUT = """
def f(items, host):
    total = 0
    for item in items:
        total += item.size
        if total > 10:
            box = {"names": [item.name for item in items]}
            print(box, total)
    rows = [row for row in items if row]
    if rows:
        show(socket.getfqdn(host))
    else:
        show("none")
    return total
"""


def test_what_cannot_matter_is_not_judged() -> None:
    assert excerpt_of(CUT) == (
        "def f(items, host):\n    if rows:\n        show(socket.getfqdn(host))\n"
        "    else:\n        0\n"
    )
    (found,) = check(Source.from_text(CUT), RULES, profile=Profile.AGENT)
    assert (found.code, found.location.line) == ("network-access", 11)


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("f(x, auth=(a, b))", True),
        ("f(x, **{'auth': (a, b)})", True),
        ("f(x, **given)", False),
        ("f(x, oauth=(a, b))", False),
    ],
)
def test_a_pattern_of_any_call_waits_for_its_keyword(code: str, stays: bool) -> None:
    data = {"id": "r", "message": "found", "severity": "warning"}
    rule = rule_from_data({**data, "match": {"any": ["$CALL(..., auth=$LOGIN, ...)"]}}, "r")
    own = program_of(RuleSet.of([rule]), Profile.AGENT)
    source = Source.from_text(code)
    assert ("r" in own.screened(source, {"r": rule.anchors}).left) == stays


def test_a_statement_that_is_looked_into_is_judged_with_its_body() -> None:
    call, target = {"has": {"call": {"name": "random.choice"}}}, {"target-regex": "^token$"}
    written = {"id": "own", "message": "m", "severity": "error"}
    rule = rule_from_data({**written, "match": {"all": [{"assign": target}, call]}}, "own.yaml")
    own = program_of(RuleSet.of([rule]), Profile.AGENT)
    rest = "".join(f"name{number} = {number}\n" for number in range(9))
    loop = "for box.token in rows:\n    show(random.choice(rows))\n"
    source = Source.from_text(f"import random\ntoken = 0\n{loop}{rest}")
    screened = own.screened(source, own.hits(source))
    excerpt = screened.excerpt_for(screened.left)
    assert excerpt is not None
    found = findings(source, own, screened.left, excerpt)
    assert [one.location.line for one in found] == [3]
    assert found == findings(source, own, screened.left)


@pytest.mark.parametrize(
    "code",
    [
        CUT.replace("total = 0", "global socket"),
        CUT.replace("total = 0", "from x import *"),
        CUT.replace("total = 0", "total = 0; rows = 1"),
        CUT.replace("total = 0", "total = \\\n        0"),
        CUT.replace("total = 0", "total = __builtins__"),
        CUT.replace("total", "t\u043etal"),
        CUT.replace("\n", "\r\n"),
    ],
)
def test_code_whose_parts_are_not_told_apart_is_judged_whole(code: str) -> None:
    assert excerpt_of(code) is None
    assert is_told(code)


@pytest.mark.parametrize(
    "code",
    [
        "if x:\n    y()\n" + "elif x:\n    y()\n" * 60 + "else:\n    eval('1')\n",
        "a0 = eval\n" + "".join(f"a{n + 1} = a{n}\n" for n in range(400)) + "a400('1')\n",
        "".join(f"a = a.b(a, a{n})\n" for n in range(300)) + "eval(a)\n",
        "".join(f"a{n} = a or b\na = a{n} or [a{n}]\n" for n in range(150)) + "open(a)\n",
    ],
)
def test_long_chains_are_told_in_time(code: str) -> None:
    start = time.process_time()
    assert check(Source.from_text(code), RULES, profile=Profile.AGENT)
    assert time.process_time() - start < 10
    assert is_told(code)


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("eval('1')", {"eval-call"}),
        ("import os\nos.system('ls')\nos.kill(1, 9)", {"process-start", "process-control"}),
        ("from os import system as run\ndef f(x):\n    run(x)", {"process-start"}),
        ("x = '\u00e9'; sys.stdin.read(); y = [sys\n .stdin]", {"standard-input"}),
        ("getattr(x, '__globals__')", {"class-by-name"}),
        ("import ctypes, winreg", {"native-module"}),
        ("os.remove(x)\nzipfile.ZipFile", {"file-access"}),
        ("kmz = BytesIO()\nzipfile.ZipFile(kmz, 'a')", {"file-access"}),
        ("import io, zipfile\nzipfile.ZipFile(path, 'a')", {"file-access"}),
        ("ctypes.pythonapi.PyErr_Print(ctypes.py_object(x))", {"native-code"}),
        ("(((socket)).getfqdn)()\nsocket.socket", {"network-access"}),
    ],
)
def test_what_plain_names_tell_is_found_without_the_judge(code: str, rules: set[str]) -> None:
    known = asked(code)
    assert known is not None
    assert rules <= PROGRAM.screened(*known).decided.keys()
    assert is_told(code)


@pytest.mark.parametrize(
    "code",
    [
        "f'{eval(x)}'",
        "take(eval)\neval('1')",
        "eval = eval\neval('1')",
        "del eval\neval('1')",
        "global eval\neval('1')",
        "from x import *\neval('1')",
        "if x:\n    import os as eval\neval('1')",
        "@eval\ndef f():\n    eval('1')",
        "eval('1')\n\u0435 = 1",
        "match x:\n    case eval:\n        eval('1')",
        "import os\r\neval('1')",
        "operator.call(eval, '1')",
        "getattr(__builtins__, 'eval')('1')",
    ],
)
def test_what_is_not_plain_is_left_to_the_judge(code: str) -> None:
    known = asked(code)
    assert known is not None
    assert "eval-call" not in PROGRAM.screened(*known).decided
    assert is_told(code)


@pytest.mark.parametrize(
    "code",
    [
        "import io, zipfile\nzipfile.ZipFile(io.BytesIO(x), 'a')",
        "from io import BytesIO\nheld = [BytesIO()]\nfor one in held:\n    zipfile.ZipFile(one)",
        "import io\ndef f(x=io.BytesIO()):\n    return zipfile.ZipFile(*[x])",
        "import sqlite3\nplace = ':memory:'\nsqlite3.connect(place)",
        "import sqlite3\nsqlite3.connect(':mem' + 'ory:')",
    ],
)
def test_what_may_excuse_is_left_to_the_judge(code: str) -> None:
    known = asked(code)
    assert known is not None
    assert "file-access" not in PROGRAM.screened(*known).decided
    assert is_told(code)


def test_code_too_deep_for_the_judge_is_refused_and_no_exception() -> None:
    code = "if x:\n    y()\n" + "elif x:\n    y()\n" * 490 + "else:\n    eval('1')\n"
    result = validate_python_code(code)
    assert not result.valid
    assert [one.code for one in result.findings] in (["too-deep"], ["eval-call"])


def test_code_too_entangled_to_tell_is_judged_by_every_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = "def f(self, names):\n    return [getattr(self, name, None) for name in names]"
    assert not kept(code)
    monkeypatch.setattr(leads, "MAX_STEPS", 3)
    known = asked(code)
    assert known is not None
    assert kept(code) == set(known[1])


def test_a_text_put_together_is_looked_for_by_the_words_of_its_parts() -> None:
    code = "def f(event):\n    if 'Location' not in event:\n        event['Location'] = event[{}]\n"
    assert "redirect-from-request" not in kept(code.format("'time'"))
    assert "redirect-from-request" in kept(code.format("self.request.path + '/'"))
