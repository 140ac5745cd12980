"""The rule gate: schema, lint, fixtures, generated variants and mutants of every rule.

- `judge` holds a rule to `lint`, to the `cases` that `fixtures` and their `annotations` make, to
  `fixing`, to `variants` of the cases and to `mutation`, in this order, and says its `cost`; it
  holds a model to them by way of a rule that `models` makes around it.
- variants: `rewrites` of the spelling, applied by `rewriting` and `visiting` (names by `imports`),
  and `respelling` of the tokens.
- mutation: `mutants` of the `clauses` of a rule (a regex has `alternatives`), each a `trial` on
  `pieces` of cases that are parsed once and `kept`.
- rules written for `semgrep` are held to fixtures of their own.
"""

from vetbox.gate.judge import Judgement, judge, judge_all

__all__ = ["Judgement", "judge", "judge_all"]
