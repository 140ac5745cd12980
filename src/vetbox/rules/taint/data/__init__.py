"""Data: taints, the values that carry them, and which expressions share a value.

`taints` (kind, origin, trace) and `values` (taints with constants and elements) are what all else
is made of; `aliasing` knows expressions for one object, `sharing` variables that functions share,
and `unknown_origin` the taint of what nobody knows.
"""
