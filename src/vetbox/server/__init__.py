"""The MCP service: the endpoints of one project for any client, over stdio or HTTP.

- `protocol` offers tools and `resources`, with `schemas` and `failures` that every client
  understands; `calls` are those in progress.
- `stdio` checks `messages`; `http` has a `door` (who may come in), a `guard` before it and bounded
  `connections`. `shutdown` ends both.
"""
