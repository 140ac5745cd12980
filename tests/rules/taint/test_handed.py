"""Whom data meets that is handed on with what is called: objects in tables, closures, lambdas."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

RULES = load_rules().select(select=("shell-from-request",))
CODE = """\
import asyncio, os
from functools import partial
from flask import Flask, request

class Probe:
    def __init__(self, target): self.target = target

class Host(Probe):
    def go(self): os.system("host " + self.target)

class Other(Probe):
    def go(self): return None

class Box:
    def __init__(self, probes): self.probes = probes
    def each(self):
        for probe in self.probes: yield probe

def each(act, names):
    for name in names: act(name)

def make(program):
    def act(name): os.system(program + name)
    return act

def make_of(program, of):
    def act(name): os.system(program + of)
    return act

def paint(color, name): os.system("paint " + name)
def color(color, name): os.system("color " + color)

{code}
"""


def found(code: str) -> bool:
    made = Source.from_text(CODE.replace("{code}", code))
    return bool(check(made, RULES, profile=Profile.REPO))


TAINTED = [
    "for one in [Host(x) for x in request.args]: one.go()",
    "for one in sorted({Host(x) for x in request.args}): one.go()",
    "probes = list(Host(x) for x in request.args)\nfor one in probes: one.go()",
    "probes = {x: Host(x) for x in request.args}\nfor one in probes.values(): one.go()",
    "probes = {x: Host(x) for x in request.args}\nfor k, one in probes.items(): one.go()",
    "[one.go() for one in [Host(x) for x in request.args]]",
    "def of(xs): return [Host(x) for x in xs]\nfor one in of(request.args): one.go()",
    "def of(xs):\n    for x in xs: yield Host(x)\nfor one in of(request.args): one.go()",
    "asyncio.gather(*(asyncio.to_thread(one.go) for one in [Host(x) for x in request.args]))",
    "for one in Box([Host(x) for x in request.args]).each(): one.go()",
    "do = make('a')\neach(do, request.args)",
    "do = make_of('a', request.args['b'])\neach(do, 'ab')",
    "do = partial(paint, 'red')\neach(do, request.args)",
    "do = lambda x: os.system(x)\neach(do, request.args)",
    (
        "async def go(tool, reader): os.system(await reader.read())\n"
        "asyncio.start_server(partial(go, 'a'))"
    ),
    "asyncio.start_server(lambda reader, writer: os.system(reader))",
]
CLEAN = [
    "for one in [Host(x) for x in ('a', 'b')]: one.go()",
    "for one in [Other(x) for x in request.args]: one.go()",
    "do = make('a')\neach(do, 'ab')",
    "do = make_of('a', 'b')\neach(do, request.args)",
    "do = partial(color, 'red')\neach(do, request.args)",
    "do = lambda x: os.system('a')\neach(do, request.args)",
    "async def go(tool, reader): os.system(tool)\nasyncio.start_server(partial(go, 'a'))",
    "async def go(reader, tool=''): os.system(tool)\nasyncio.start_server(partial(go, tool='a'))",
    "asyncio.start_server(lambda reader, writer: os.system('a'))",
]


@pytest.mark.parametrize("code", TAINTED)
def test_data_meets_what_is_called(code: str) -> None:
    assert found(code)


@pytest.mark.parametrize("code", CLEAN)
def test_data_meets_nobody_else(code: str) -> None:
    assert not found(code)
