"""Whether a rule holds at a libcst node.

- `dispatch` says which formulas to try at which node, `formulas` whether one holds there, `within`
  below which nodes. Structured matchers are in `rules.matchers`, code patterns in `coded` and
  `rules.patterns`, which ask the resolver through `facts`.
- `conditions` says whether a value meets its conditions: as it is written (`literals`), composed of
  constants alone (`fixed`), long, random or large (`measuring`); a regular expression that takes
  forever is told by `backtracking`, with characters as an `alphabet` of bits.
- `match` is the result, `written` the text of what is bound, `numbering` the line of a node.
"""
