"""Unsupported: why a rule written for semgrep is not run."""

from vetbox.errors import VetboxError


class Unsupported(VetboxError):
    """A rule uses something that has no equal here; the text names it."""
