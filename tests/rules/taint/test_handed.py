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

class Read:
    @classmethod
    def of(cls, text):
        made = cls.__new__(cls)
        made.text = text
        made.kind = "a"
        return made
    def go(self): os.system(self.text)
    def show(self): os.system(self.kind)

class Bus:
    def __init__(self):
        self.heard, self.named = [], {}
    def hear(self, act): self.heard.append(act)
    def name(self, key, act): self.named[key] = act
    def say(self, *told):
        for act in self.heard: act(*told)
    def tell(self, key, told): self.named[key](told)

class Desk(Bus):
    def __init__(self):
        super().__init__()
        self.hear(self.on_parcel)
        self.name("count", self.on_count)
    def on_parcel(self, parcel): os.system("parcel " + parcel)
    def on_count(self, count): os.system("count all")

class Shop(Bus):
    def __init__(self):
        super().__init__()
        self.named["sale"] = self.on_sale
        self.named["none"] = self.on_none
    def on_sale(self, sale): os.system("sale " + sale)
    def on_none(self, none): return none

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
    "Read.of(request.args['a']).go()",
    "Desk().say(request.args['a'])",
    "Shop().tell('sale', request.args['a'])",
    "Shop().tell(request.args['b'], request.args['a'])",
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
    "Read.of(request.args['a']).show()",
    "Read.of('a').go()",
    "Desk().say('a')",
    "Shop().tell(request.args['b'], 'a')",
]


@pytest.mark.parametrize("code", TAINTED)
def test_data_meets_what_is_called(code: str) -> None:
    assert found(code)


@pytest.mark.parametrize("code", CLEAN)
def test_data_meets_nobody_else(code: str) -> None:
    assert not found(code)
