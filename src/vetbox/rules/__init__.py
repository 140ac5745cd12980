"""The rule engine: declarative rules in, findings out.

`engine.check` is where reading starts. In the order in which rules, then a file, meet them:

- files become rules: `schema`, `language`, `loading`; a set of them in one profile is a `program`.
- what cannot matter is left out, what is plain is answered: `filtering`, `settling`, `sifting`,
  `screening`, `excerpt`, `narrowing`.
- the rest is judged: `judging` asks `matching`, with `matchers` and `patterns`; `following` asks
  `taint`, for flows; `resolve` knows names for both.
- findings get their places in `page` and `positions`, and `fixes`; `once` and `suppressions` take
  some back. `explain` says clause by clause why there is one, or none.
- what several share: `walk` and `fragments` (trees of modules, and of single lines), `numbers`
  (their formats), `regexes`, `remembering` (caches), `budget` (of steps), `recursion` (its limit),
  `late_inits` (of libcst).

Words with one meaning throughout:

- formula: what a rule's `match` says, compiled (`language.formula`); a condition is what it asks
  of a value.
- anchor: words that a file must hold for a rule to fire. The anchors that a file has, by rule, are
  its hits; a site is a line with such words.
- reach: how much of the file around a site may change the verdict there, from the line to all.
- excerpt: the lines that decide, put together as a module of their own.
- judge: the part that works on libcst's tree with a resolver (`judging`); always right, and slow.
  What runs before it may leave out only what it would deny, or decide what it would say: each has
  a law to that end, and tests that hold it to it.
- resolver, facts: answer which full names (`os.system`) and constants an expression may stand for.
- given: what a name is assigned, or a parameter is passed. Handed on: passed as a value, so that
  somebody else may call it.
- end: what has to be in the code for a rule: its match or, of a flow, a source and a sink.
- way: one of the alternatives in which a formula may hold.
- doubtful: reported all the same, with a confidence that is a step lower.
- excused, told: a finding is dropped where a flow rule in its `excused-by` knows the origin of all
  data there, or where a rule in its `told-by` reports the same place.
"""

from vetbox.rule_files import shipped_rules_dir
from vetbox.rules.engine import check, readable
from vetbox.rules.language.rule import Profile, Rule, RuleError, RuleSet
from vetbox.rules.loading.loader import load_rules, rules_in

__all__ = [
    "Profile",
    "Rule",
    "RuleError",
    "RuleSet",
    "check",
    "load_rules",
    "readable",
    "rules_in",
    "shipped_rules_dir",
]
