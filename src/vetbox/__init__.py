"""vetbox vets Python, then runs it boxed."""

__version__ = "0.1.0"
