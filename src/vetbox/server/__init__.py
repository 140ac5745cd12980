"""The MCP service: the endpoints of one project for any client, over stdio or HTTP."""
