"""Abbreviated names: completed in signature order, never in the way of an exact one."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.run.parameters import bound, full_names, matched, misfit

NAMES = st.lists(st.text("abc", min_size=1, max_size=3), unique=True)


def tool(query_info: str, query: str = "", *, quality: str = "") -> None:
    """For its signature."""


SIGNATURE = inspect.signature(tool)


@given(NAMES, st.data())
def test_an_exact_name_is_never_renamed(names: list[str], data: st.DataObject) -> None:
    given_names = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    kwargs: dict[str, object] = dict.fromkeys(given_names, 1)
    assert matched(names, kwargs) == kwargs


@given(NAMES, st.dictionaries(st.text("abcd", max_size=3), st.integers()))
def test_no_argument_is_lost(names: list[str], kwargs: dict[str, object]) -> None:
    assert sorted(matched(names, kwargs).values()) == sorted(kwargs.values())


def test_positional_arguments_take_their_parameter() -> None:
    assert full_names(SIGNATURE, ("x",), {"q": 1}) == {"query": 1}


def test_two_abbreviations_take_two_parameters() -> None:
    assert matched(["query_info", "query"], {"q": 1, "qu": 2}) == {"query_info": 1, "query": 2}


def test_r24_the_error_shows_the_signature() -> None:
    expected = (
        r"tool\(\) missing a required argument: 'query_info'. Expected: pack.tool\(query_info"
    )
    with pytest.raises(TypeError, match=expected):
        bound("pack.tool", SIGNATURE, (), {})


def test_a_name_that_no_parameter_has_is_told_before_what_is_missing_for_it() -> None:
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'qury'"):
        bound("pack.tool", SIGNATURE, (), {"qury": 1})


def test_types_are_called_as_they_are_documented() -> None:
    """Python 3.13 defines the classes of pathlib in a module of its own."""
    moved = type("PurePosixPath", (), {"__module__": "pathlib._local"})
    path = inspect.Parameter("path", inspect.Parameter.POSITIONAL_ONLY, annotation=moved)
    error = misfit("fs.read", inspect.Signature([path]), "'path' is missing")
    assert "(path: pathlib.PurePosixPath" in str(error)
