"""The one family of errors a user may see: each is a sentence that says what to do next."""


class VetboxError(Exception):
    """Base of every error vetbox raises on purpose; `str()` is shown to the user as it is."""
