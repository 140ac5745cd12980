"""run(): an agent's program is judged, executed with its tools at hand, and answered as text.

- `runner` takes a `command` through its steps: `fence_processor`, `shorthand`, `program` (valid
  indentation), `judge`, `executors`; how it ended is its `outcome`, and `reply` says that with the
  `hints` there are.
- the result: `output` (formats), `presentation` (what is shown), `result_store` (what is too large,
  with a `summary`), `sanitize` (what came from outside).
- the tools: `tool_loader` finds `packs`; an `extension` has `dependencies` and runs in a `worker`;
  other servers are behind `mcp_proxy` and `mcp_session`, with `approvals`.
- a tool is called through `pack_proxy` and `calls`, with `parameters` completed; `context` and
  `project_files` are what it is lent. `guest` executes the program and says how it ended.

Nothing is imported here: extension workers and the interpreter's snapshot load modules below.
"""
