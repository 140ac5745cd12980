"""What an expression may stand for: full names (`os.system`) and constants, seen from one file.

`names.Resolver` answers both, with the help of parts that ask it again through `context`:

- scopes: `scopes` (bindings by scope), `reaching` (which of them a use sees), `earliness` (call
  order), `shadowing` (of builtins), `captures` (of `match`), `gathering` (very many bindings).
- names: `canonical` (one spelling for each), `homes` (defining modules), `indirection` (`getattr`,
  subscripts, wrappers), `steps` (walks over attributes), `namespaces`, `joining` (choices and
  walrus), `out_of_sight` (values that cannot be followed), `escaped_modules` and `escapes`
  (modules and functions among them), `asked_errors` (which let modules out), `hints` (quick
  answers).
- objects of the module: `members`, `owners`, `own_classes`, `annotations`, `offers` (arguments of
  its functions), `converters` (routes, declared patterns).
- constants: `folding`, `computing` (within bounds), `sums`, `tables` and `additions` (elements),
  `changing` (mutable containers), `choosing` (unknown keys), `arguments` (of a call).
"""
