"""The rule language at run time: rules and their formulas as frozen values.

`rule` and `meaning` are the rule, `formula` and `values` what it looks for, `taint` and
`requirement` its flows, `correction` its fix. The others are what the language knows of Python and
of code bases: `callbacks`, `common` and `defaulting` (library calls), `whereabouts` (paths),
`weaknesses` (CWE families), `resemblance` (lookalike names).
"""
