"""The rule language at run time: rules and their formulas as frozen values.

- a rule: `rule`, its `anchors` (what a file must hold for it to fire) and its `meaning`, which only
  a hit needs (`sealing`); what it looks for: `formula`, `values`, `comparison`; its flows: `taint`,
  `requirement`; its fix: `correction`.
- what becomes of a formula: `doubting` (half as sure), `raising` (names followed further, in code
  about to run), `wording` (said in words).
- what is said of `comments` that suppress findings.
- what the language knows of Python and of code bases: `callbacks`, `common` and `defaulting`
  (library calls), `properties` (methods that are read), `resemblance` (lookalike names), `globs`
  and `whereabouts` (paths), `weaknesses` (CWE families).
"""
