"""Defaulting: calls that stand for a value they are given, as the default of a field or option."""

HOLDERS = frozenset({"Argument", "Field", "Form", "Option", "SecretBytes", "SecretStr", "field"})
"""Last words of what takes the value first, or as `default`."""
DEFAULT = "default"
