"""What a written expression may stand for: scopes, bindings, aliases, constants, indirection."""
