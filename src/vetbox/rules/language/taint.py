"""What a taint rule looks for: where data enters, where it must not arrive, what makes it good."""

from dataclasses import dataclass

from vetbox.rules.language.formula import Formula


@dataclass(frozen=True, slots=True)
class Place:
    """A source, sink or sanitizer. Places of one `label` (a shared kind) are found together.

    `at` says which part of a match is meant; `by` how a sanitizer works: by its `result`, by a
    `side-effect` on its arguments, as a `guard` where the test it stands in holds, or as a
    `refusal` where it does not. Of `parameters` those annotated with one of `except_types` are
    left out.
    """

    label: str
    formula: Formula
    at: str = "match"
    by: str = "result"
    to: str = ""
    except_types: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Taint:
    """Data from any source that reaches any sink without passing a sanitizer."""

    sources: tuple[Place, ...]
    sinks: tuple[Place, ...]
    sanitizers: tuple[Place, ...] = ()
    propagators: tuple[Place, ...] = ()
