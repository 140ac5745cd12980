"""A late dataclass is one of the standard library in all but when its methods are written."""

import dataclasses
import pickle
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import pytest

from vetbox.late_dataclasses import dataclass as late

OPTIONS = (
    {},
    {"frozen": True},
    {"slots": True},
    {"eq": False},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"slots": True, "eq": False},
)


_BY_TYPE = frozenset({"__dict__", "__weakref__"})


class Plain:
    """What is decorated, once by each."""

    name: str
    size: int = 2
    parts: list[str] = dataclasses.field(default_factory=list, hash=False)
    seen: str = dataclasses.field(default="", compare=False, repr=False)
    twice: int = dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", self.size * 2)


def made(decorate: Callable[..., Any], options: Mapping[str, bool]) -> Any:
    said = {name: said for name, said in vars(Plain).items() if name not in _BY_TYPE}
    return decorate(**options)(type("Plain", (), said))


def told(kind: Any) -> list[object]:
    """What is seen of a class and of its instances."""
    one, same, other = kind("a"), kind(name="a", seen="x"), kind("a", 3, ["b"])
    can_be_hashed = kind.__hash__ is not None
    found: list[object] = [
        repr(other),
        [one == same, one == other, one != same, one == "a"],
        [field.name for field in dataclasses.fields(kind)],
        dataclasses.asdict(other),
        dataclasses.asdict(dataclasses.replace(one, size=5)),
        kind.__match_args__,
        hasattr(one, "__dict__"),
        can_be_hashed,
    ]
    if can_be_hashed:
        found.append(hash(one) == hash(same))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        kind()
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_it_is_what_the_standard_library_makes(options: dict[str, bool]) -> None:
    assert told(made(late, options)) == told(made(dataclasses.dataclass, options))


def test_a_class_that_inherits_has_the_fields_of_both() -> None:
    @late(frozen=True)
    class One:
        name: str

    @late(frozen=True)
    class Two(One):
        size: int = 1

    class Three(Two):
        def __init__(self) -> None:
            super().__init__("c", 3)

    assert [repr(Two("b")), Two("b") == Two("b", 1), Two("b") == One("b")] == [
        f"{Two.__qualname__}(name='b', size=1)",
        True,
        False,
    ]
    assert (Three().name, Three().size, One("a").name) == ("c", 3, "a")


def test_what_a_class_has_of_its_own_stays() -> None:
    @late(frozen=True)
    class Own:
        name: str

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 7

        @cached_property
        def long(self) -> str:
            return self.name * 2

    assert (repr(Own("a")), hash(Own("a")), Own("a").long, Own("a") == Own("a")) == (
        *("own", 7, "aa"),
        True,
    )


@late(frozen=True, slots=True)
class Kept:
    name: str
    size: int = 0


def test_one_is_pickled_as_ever() -> None:
    kept = Kept("a", 2)
    assert pickle.loads(pickle.dumps(kept)) == kept
    assert kept.__getstate__() == ["a", 2]  # what the standard library writes, and reads


def test_equal_ones_are_one_key() -> None:
    assert {Kept("a"): 1, Kept("a"): 2} == {Kept("a"): 2}
