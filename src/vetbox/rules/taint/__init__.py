"""Taint: data that must not reach a place, followed from its sources to its sinks.

`survey` is where the engine comes in and marks what the rules name in a module, `arrived` is what
it finds. `flow` follows the data: an abstract interpretation of the libcst tree, flow-sensitive,
with one summary a function. `module` is the state of an analysis, `scope` what an expression sees
of its function.

- `data`: taints and values.
- `reading`: a function, statement by statement.
- `calls`: which function a call means, and what it gives.
- `sanitizing`: what tests say of what they ask about.
- `policy`: what rules ask of the data, node by node.
"""

from vetbox.rules.taint.calls.summaries import Flow
from vetbox.rules.taint.flow import flows, followed
from vetbox.rules.taint.policy.marks import Labelling, Marks, Policy, Propagator, Sink

__all__ = ["Flow", "Labelling", "Marks", "Policy", "Propagator", "Sink", "flows", "followed"]
