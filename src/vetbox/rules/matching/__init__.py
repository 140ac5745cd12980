"""Whether a rule holds at a libcst node.

`dispatch` says which formulas to try at which node, `formulas` whether one holds there (structured
matchers are in `rules.matchers`, code patterns in `coded` and `rules.patterns`), `conditions` and
`measuring` whether a value meets its conditions; `match` is the result. `facts` lets patterns ask
the resolver.
"""
