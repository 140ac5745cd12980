"""What a taint rule looks for: where data enters, where it must not arrive, what makes it good."""

from dataclasses import fields
from functools import lru_cache
from typing import Any

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.formula import Formula
from vetbox.rules.language.requirement import Requirement


@dataclass(frozen=True, slots=True)
class Place:
    """A source, sink or sanitizer of one `kind`: a shared one, or the rule's own.

    `at` says which part of a match is meant; `by` how a sanitizer works: by its `result`, by a
    `side-effect` on its arguments, as a `guard` where the test it stands in holds, or as a
    `refusal` where it does not; a source by `side-effect` stays in the variable it marks. Of
    `parameters` those annotated with one of `except_types`, or called one of `except_names`, are
    left out. Data from a source
    carries its `label`; `requires` says what it must carry at a sink to be refused, at a source
    to become this as well, at a propagator to be handed on. Of a propagator `at` and `to` are the
    metavariables, and `label` is put in the place of the labels that it `replaces`, if not of all.
    There may be a good reason for data from a `doubtful` source.
    """

    kind: str
    formula: Formula
    at: str = "match"
    by: str = "result"
    to: str = ""
    except_types: frozenset[str] = frozenset()
    except_names: frozenset[str] = frozenset()
    label: str = ""
    requires: Requirement | None = None
    replaces: frozenset[str] = frozenset()
    doubtful: bool = False

    @property
    def enters(self) -> bool:
        """Does data enter here as a source? Where something is required, data has to be there."""
        return self.requires is None

    def __reduce__(self) -> tuple[object, ...]:
        return shared_place, tuple(getattr(self, one.name) for one in fields(self))


@lru_cache(maxsize=5_000)
def shared_place(*said: Any) -> Place:
    """The place that says this: many rules have those of the same models, and read them back."""
    return Place(*said)


@dataclass(frozen=True, slots=True)
class Taint:
    """Data from any source that reaches any sink without passing a sanitizer.

    It is doubtful where one of the `doubts` holds at the sink.
    """

    sources: tuple[Place, ...]
    sinks: tuple[Place, ...]
    sanitizers: tuple[Place, ...] = ()
    propagators: tuple[Place, ...] = ()
    doubts: tuple[Formula, ...] = ()
