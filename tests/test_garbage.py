"""Code is judged without collections of garbage, and none is put off any longer."""

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from vetbox.garbage import collected_later
from vetbox.validation import validate_python_code

LONG = "\n".join(f"value_{n} = [{n}, getattr(box, 'name'), name.strip()]" for n in range(300))


@pytest.fixture
def collections() -> Iterator[list[str]]:
    """Those that have begun."""
    begun: list[str] = []
    callback = lambda phase, info: begun.append(phase)  # noqa: E731
    gc.callbacks.append(callback)
    yield begun
    gc.callbacks.remove(callback)
    gc.enable()


def test_none_begins_until_code_is_judged(collections: list[str]) -> None:
    validate_python_code(LONG)  # loads what is loaded once
    gc.collect()
    collections.clear()
    validate_python_code(LONG)
    assert collections.count("start") <= 1
    assert gc.isenabled()


@pytest.mark.parametrize("enabled", [True, False])
def test_it_is_as_it_was_afterwards_whatever_is_raised(
    enabled: bool, collections: list[str]
) -> None:
    gc.enable() if enabled else gc.disable()
    with pytest.raises(KeyError):
        _raise_while_put_off()
    assert gc.isenabled() is enabled


def _raise_while_put_off() -> None:
    with collected_later():
        assert not gc.isenabled()
        raise KeyError


def test_threads_do_not_leave_it_off() -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(validate_python_code, [LONG] * 40))
    assert gc.isenabled()
