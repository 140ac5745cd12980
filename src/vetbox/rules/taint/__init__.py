"""Taint: data that must not reach a place, followed from its sources to its sinks.

`findings` is where the engine comes in, `survey` marks what the rules name in a module, and `flow`
follows the data: an abstract interpretation of the libcst tree, flow-sensitive, with one summary a
function. The modules, by subject:

- data: `taints` (kind, origin, trace), `values` (taints with constants and elements), `environment`
  (values by variable), `aliasing` (expressions for one object), `sharing` (variables of others).
- reading a function: `statements`, `expressions`, `scope` (what those see of the function),
  `places` (targets of assignments), `loops`, `cases`, `displays`, `comprehensions`, `folding`,
  `containers`, `container_builtins`, `sets`, `objects`.
- which function a call means: `definitions`, `functions`, `binding` (arguments to parameters),
  `dynamic_calls`, `callbacks`, `higher_order`, `decorated`, `specials`, `depending`.
- what a call gives: `own_calls` of the module's functions (`summaries`, `readings`, `substitution`,
  `specialization`, `constructing`, `spreading`), `results` and `effects` of all others.
- sanitizing by tests: `guards`, `trusting`, `validators` (functions of the module that check),
  `allow_lists`, `quantifiers`, `fitting` (regexes), `branch_flags`, `entries`.
- what rules ask beyond that: `marks`, `parts`, `labelling`, `markup`, `declared`, `unknown_origin`,
  `confidence`.
"""

from vetbox.rules.taint.flow import flows, followed
from vetbox.rules.taint.marks import Labelling, Marks, Policy, Propagator, Sink
from vetbox.rules.taint.summaries import Flow

__all__ = ["Flow", "Labelling", "Marks", "Policy", "Propagator", "Sink", "flows", "followed"]
