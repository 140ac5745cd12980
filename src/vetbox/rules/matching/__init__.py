"""Whether a rule holds at a node: formulas, matchers' conditions, and what to ask where."""
