"""Building snapshots: what is in them, and what is said when it fails."""

import pytest

from vetbox.sandbox import GuestPackage, PythonSandbox, SnapshotError

MODULES = """
    zlib sqlite3 bz2 decimal asyncio unicodedata xml.etree.ElementTree csv zoneinfo statistics
    email argparse logging inspect pickle fractions graphlib queue configparser tomllib difflib
    pprint html http ipaddress concurrent.futures unittest typing uuid
"""


@pytest.mark.slow
def test_a_broken_guest_package_is_a_clear_error() -> None:
    broken = PythonSandbox(guest=GuestPackage({"broken": "1 / 0"}))
    with pytest.raises(SnapshotError, match="could not be imported: ZeroDivisionError: division"):
        broken.execute("pass")


@pytest.mark.parametrize("module", MODULES.split())
def test_the_standard_library_can_be_imported(module: str) -> None:
    assert PythonSandbox().execute(f"import {module}").stderr == ""


def test_what_is_imported_already_costs_next_to_nothing() -> None:
    sandbox = PythonSandbox()
    warm = sandbox.execute("import json, re, datetime, dataclasses, pathlib").fuel_consumed
    assert warm < 10 * sandbox.execute("pass").fuel_consumed


# What a run may not see of it: objects that last for ever are only those of the snapshot.
COUNTS = """
import json, sys, weakref
class Own: pass
one = Own()
gone, counted = weakref.ref(one), sys.getrefcount(one)
del one
print(sys.getrefcount(json.dumps) == sys.getrefcount(None), counted, gone())
"""


def test_the_objects_of_the_snapshot_last_for_ever_and_a_programs_own_do_not() -> None:
    assert PythonSandbox().execute(COUNTS).stdout == "True 2 None\n"


def test_collecting_garbage_after_the_snapshot_harms_nothing() -> None:
    code = (
        "import gc, sys, json\n"
        "for _ in range(3): gc.collect(); gc.unfreeze(); gc.collect()\n"
        "sys.modules.pop('json'); del json; gc.collect(); import json\n"
        "print(json.dumps({'a': 1}))"
    )
    assert PythonSandbox().execute(code).stdout == '{"a": 1}\n'
