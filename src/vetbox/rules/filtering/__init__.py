"""Which rules can fire in a file at all, and where: by words, before it is parsed."""
