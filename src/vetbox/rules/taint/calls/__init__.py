"""Calls: which function a call means, and what it gives, changes and leaves behind.

- which function: `definitions`, `functions` (the call graph; `factories` make objects), `given`
  (what a call is given), `binding` (arguments to parameters), `dynamic_calls`, `callbacks`,
  `higher_order`, `decorated`, `specials`, `depending`, `equivalents`, `applied`, `options`,
  `closures`, in their `surroundings`; they ask for values by way of `evaluating`.
- what a call gives: `own_calls` of the module's functions by their `summaries`, which `readings`
  makes and `substitution`, `specialization`, `constructing` and `spreading` fit to a call;
  `results` and `effects` of all other functions; `harmless` builtins give numbers, `codes` are
  numbers that become texts again, `decoding` undoes what sanitizers did; `singles` are objects of
  which there is one, and `validated` are fields that methods of their class check.
"""
