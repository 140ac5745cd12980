"""Data: taints, the values that carry them, and which expressions share a value.

`taints` (kind, origin, trace) and `values` (taints with constants and elements, under `keys`) are
what all else is made of; `putting` changes elements, `gains` are what callers' objects get;
`aliasing` knows expressions for one object, `sharing` variables that functions share, and
`unknown_origin` the taint of what nobody knows.
"""
