"""Policy: what the rules ask of the data, node by node.

`marks` holds sources, sinks and sanitizers by node, `parts` says which node of a match is meant,
`routes` which parameters of a view no client gives; `labelling`, `markup` and `declared` are what
data is besides its kind, `confidence` is how sure a flow is.
"""
