"""The answers in words."""

from vetbox.counting import counted
from vetbox.pytest_tools.results import DiscoveredTests, ExecutedTests, RanTest

SHOWN = 100  # tests named in the text


def executed_text(result: ExecutedTests) -> str:
    """Outcome first, then every test that did not pass."""
    summary = result.summary
    counts = (
        f"{counted(summary.total, 'test')}: {summary.passed} passed, {summary.failed} failed, "
        f"{summary.skipped} skipped, {counted(summary.errors, 'error')} "
        f"in {summary.duration:.2f} s."
    )
    bad = [test for test in result.tests if test.outcome in ("failed", "error")]
    lines = [result.error_message or "", counts, *map(line_of, bad[:SHOWN])]
    if len(bad) > SHOWN:
        lines.append(f"… and {len(bad) - SHOWN} more")
    return "\n".join(line for line in lines if line)


def line_of(test: RanTest) -> str:
    first = test.message.partition("\n")[0]
    return f"{test.outcome.upper()} {test.node_id}" + (f": {first}" if first else "")


def discovered_text(result: DiscoveredTests) -> str:
    """The number, then the node ids and the files that could not be collected."""
    lines = [result.error_message or "", f"{counted(result.count, 'test')} found."]
    lines += [test.node_id for test in result.tests[:SHOWN]]
    if result.count > SHOWN:
        lines.append(f"… and {result.count - SHOWN} more")
    lines += [f"ERROR {each.file}: {each.message}" for each in result.collection_errors[:SHOWN]]
    return "\n".join(line for line in lines if line)
