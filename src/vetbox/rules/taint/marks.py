"""What the rules say of a module's nodes before its flows are followed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst


@dataclass(frozen=True, slots=True, eq=False)
class Sink:
    """A place a rule guards: `node` is what it reports when a target of it carries its kinds."""

    rule: str
    node: cst.CSTNode


@dataclass(frozen=True, slots=True)
class Policy:
    """Which kinds of data a rule's sinks refuse, and which sanitizers make them good."""

    sources: frozenset[str]
    sanitizers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Propagator:
    """After the marked node, `to` holds what `from_` holds."""

    from_: cst.CSTNode
    to: cst.CSTNode


@dataclass(frozen=True, slots=True)
class Marks:
    """Node identity → what the rules say of it; `policies` by rule id.

    `sinks` are by the expression that must not carry the kinds. `sources` and `sanitizers` hold
    kinds; a sanitizer in `side_effects` cleans its arguments in place, one in `guards` cleans the
    names it tests where the test holds, one in `refusals` where it does not. Of the sinks of rules
    in `excusing` it is asked whether all that comes there is known.
    """

    policies: Mapping[str, Policy]
    sources: Mapping[int, frozenset[str]] = field(default_factory=dict)
    sinks: Mapping[int, tuple[Sink, ...]] = field(default_factory=dict)
    sanitizers: Mapping[int, frozenset[str]] = field(default_factory=dict)
    side_effects: Mapping[int, frozenset[str]] = field(default_factory=dict)
    guards: Mapping[int, frozenset[str]] = field(default_factory=dict)
    refusals: Mapping[int, frozenset[str]] = field(default_factory=dict)
    propagators: Mapping[int, tuple[Propagator, ...]] = field(default_factory=dict)
    excusing: frozenset[str] = frozenset()
