"""Examples are the same in every run and may take their time: neither luck nor load decides."""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

# Syntax trees have no cycles; to look for some takes a quarter of the time of many tests.
gc.set_threshold(200_000, 20, 50)

# What the shell asks of programs is not asked of the tests, nor of what they start.
for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHONUNBUFFERED", "VETBOX_CONFIG_DIR"):
    os.environ.pop(name, None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Among several processes, files with slow tests go first: none is left alone with one."""
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)
