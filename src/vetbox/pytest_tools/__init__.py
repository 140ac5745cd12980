"""A project's tests: found and run by its own pytest, in a process tree that dies with the call.

Running tests runs the project's code. Whoever calls these functions has asked for trust first.
"""

from vetbox.pytest_tools.params import DiscoverTestsParams, ExecuteTestsParams
from vetbox.pytest_tools.results import DiscoveredTests, ExecutedTests
from vetbox.pytest_tools.service import discover_tests, execute_tests
from vetbox.pytest_tools.wording import discovered_text, executed_text

__all__ = [
    "DiscoverTestsParams",
    "DiscoveredTests",
    "ExecuteTestsParams",
    "ExecutedTests",
    "discover_tests",
    "discovered_text",
    "execute_tests",
    "executed_text",
]
