"""Properties: the decorators that make a method of a class one that is called by being read."""

PROPERTIES = frozenset(
    {"property", "cached_property", "cachedproperty", "lazy_property", "lazyproperty", "reify"}
    | {"memoized_property", "hybrid_property", "classproperty", "abstractproperty"}
)
"""By the last word of their names: those of the standard library, and others that do the same."""
