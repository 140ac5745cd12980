"""Follows data from sources to sinks through every function of a module.

One pass serves all rules: sources put kinds on values, sanitizers note that they were passed, and
a sink asks whether a kind its rule refuses arrived uncleaned. A function is read once, its
parameters standing for themselves, and leaves a summary; a call puts its arguments into that, so a
flow across functions is found without reading them anew for each call. There are two exceptions:

- A function that uses a field, a file, or a variable that it shares with others, which only got
  something after the function was read, is read again (`_read_again`), and so is the module's own
  body where it calls one of them that says something else then.
- A function that branches on a parameter is read once more for each of the few constants that calls
  pass there, as in `run(x, shell=False)` (`calls.specialization`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import libcst as cst

from vetbox.rules.budget import Budget
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.calls.definitions import Function, is_left_out, yields_in_order
from vetbox.rules.taint.calls.functions import FunctionIndex
from vetbox.rules.taint.calls.summaries import Flow, Summary
from vetbox.rules.taint.calls.surroundings import names_in
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.values import mixed, sequence
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.policy.marks import Marks
from vetbox.rules.taint.reading.environment import Environment
from vetbox.rules.taint.reading.objects import attributes
from vetbox.rules.taint.reading.statements import Reader
from vetbox.rules.taint.reading.stores import FILES
from vetbox.rules.taint.sanitizing.validators import note_return
from vetbox.rules.walk import identifier

FLOW_STEPS = 800_000
"""Expressions read on one file; real methods that fill each other's fields need nearly as many."""
_CONSTRUCTORS = frozenset({"__init__", "__post_init__"})
_READ_BY = {"environ": ["getenv"], FILES: ["open", "read_text", "read_bytes"]}
"""By variable, functions that read it."""
ROUNDS = 6
"""Times that functions are read again for what others did since."""


def flows(
    module: cst.Module, marks: Marks, facts: Facts, *, steps: int | None = None
) -> tuple[Flow, ...]:
    """The first flow to each sink of each rule that refuses it, in the order they are met.

    Raises BudgetExceededError when the module needs more than `steps` (default FLOW_STEPS).
    """
    return tuple(followed(module, marks, facts, steps=steps).flows.values())


def followed(module: cst.Module, marks: Marks, facts: Facts, *, steps: int | None = None) -> Module:
    """The analysis of a module with its flows, and the sinks that are excused."""
    state = Module(
        marks,
        facts,
        FunctionIndex(module, facts),
        Budget(FLOW_STEPS if steps is None else steps),
        _read_function,
    )
    _read_body(state, module)
    _read_all(state, state.index.functions)
    if _read_again(state, module):
        _read_body(state, module)
    return state


def _read_body(state: Module, module: cst.Module) -> None:
    state.globals.dead = False
    Reader(state, None, env=state.globals).statements(module.body)


def _read_function(module: Module, function: Function) -> Summary:
    """What a function gives, changes and leads to sinks, whatever it is called with."""
    around = module.around.at_reading(function)
    env = around or Environment()
    env.dead = False
    nested = around is not None
    reader = Reader(module, function.owner, env=env, within=function, nested=nested)
    reader.around |= {path for path in env.values if "." not in path}
    for parameter in function.parameters:
        name, value = identifier(parameter.name), module.parameter(parameter)
        told = function.told.get(name, UNKNOWN)
        reader.env.assign(name, value if told is UNKNOWN else replace(value, constant=told))
        reader.given.add(name)
        reader.around.discard(name)
    reader.block(function.node.body)
    if not reader.env.dead:
        note_return(reader.summary, reader.env, reader.given)
        reader.answer(None, truth=False)
    reader.summary.thrown = mixed(reader.thrown.held)
    given = reader.summary.given
    if len(given) > 1 and len(given) == yields_in_order(function.node):
        reader.summary.returns = sequence(given)
    if is_left_out(function.node.body):
        reader.summary.returns = module.unknown
    if identifier(function.node.name) in _CONSTRUCTORS:
        reader.summary.fields = dict(attributes(reader.env.values))
    return reader.summary


def _read_all(module: Module, functions: Sequence[Function]) -> None:
    """Constructors first, so that the methods that read their fields see the values."""
    for function in sorted(functions, key=lambda f: f.node.name.value != "__init__"):
        module.summary(function)


def _read_again(module: Module, tree: cst.Module) -> bool:
    """Read those again that use what others have put somewhere only after they were read.

    And then those that use what these say now, for some rounds. Is the module's body one of them?
    """
    changed: set[str] = set()
    told: set[str] = set()
    for _ in range(ROUNDS):
        late, module.late = module.late, {}
        again = [
            function
            for number, function in _last_readings(module)
            if any(number < at and _uses(module, function, *place) for place, at in late.items())
            or any(_uses(module, function, None, name) for name in changed)
        ]
        if not again:
            break
        changed = {name for one in again if module.reread(one) for name in _called_as(one)}
        told |= changed
    return bool(told) and not told.isdisjoint(names_in(*tree.body, but=cst.FunctionDef))


def _called_as(function: Function) -> Iterator[str]:
    """The names by which others call it: a constructor by its class, a closure by what made it."""
    name = identifier(function.node.name)
    yield function.owner if function.owner and name in _CONSTRUCTORS else name
    if function.outer is not None:
        yield from _called_as(function.outer)


def _last_readings(module: Module) -> list[tuple[int, Function]]:
    """Every function that was read, and as which one it was so last."""
    last = {function.key: at for at, function in enumerate(module.readings.order)}
    return [(at, module.readings.order[at]) for at in sorted(last.values())]


def _uses(module: Module, function: Function, owner: str | None, name: str) -> bool:
    """Does a name stand in a function, or an attribute of the object whose class it is in?"""
    if owner is not None and function.owner not in module.index.family(owner):
        return False
    used = module.around.names_in(function)
    return name in used or any(reader in used for reader in _READ_BY.get(name, ()))
