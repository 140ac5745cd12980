"""The schema of rule files: a closed world in pydantic, so that a misspelt key is an error."""
