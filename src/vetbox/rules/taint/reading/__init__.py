"""Reading: a function from its first statement to its last, with the values of its variables.

`statements` reads in order what `environment` remembers; `expressions` evaluates; `places` assigns,
and `linking` knows which of them are one.
`loops`, `cases`, `raising`, `displays`, `comprehensions` and `folding` are forms of the language;
`containers`, `container_builtins`, `sets`, `mappings`, `objects` and `attributes` say what is in a
value, `stores` what is kept elsewhere.
"""
