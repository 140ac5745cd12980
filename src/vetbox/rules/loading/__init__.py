"""From rule files to a rule set: read, checked, compiled, kept for the next start.

- `loader` reads the files, `compiling` makes rules of them (with `matchers`, `conditions`,
  `profiles` and the models that they share, in `shared`); `imported` does so with rules written for
  semgrep.
- checks, each of which reports `problems`: `soundness` (of formulas), `messages`, `places`,
  `labels`, `fixes`.
- `cache` keeps the result; `aside` compiles the shipped rules in a child process.
"""
