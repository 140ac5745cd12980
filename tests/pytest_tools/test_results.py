from vetbox.pytest_tools.results import (
    Channel,
    DiscoveredTests,
    ExecutedTests,
    RanTest,
    Session,
    Summary,
    clean,
    listed,
)
from vetbox.pytest_tools.wording import discovered_text, executed_text


def result(number: int, outcome: str = "passed", detail: str = "") -> RanTest:
    return RanTest.model_validate(
        {
            "node_id": f"tests/test_a.py::test_{number}",
            "outcome": outcome,
            "duration": 0.1,
            "message": detail,
            "traceback": detail,
        }
    )


def test_what_does_not_fit_loses_its_details_and_then_its_place() -> None:
    results = [result(number) for number in range(5_000)]
    results += [result(9_000 + number, "failed", "x" * 5_000) for number in range(100)]
    kept = listed(results)
    failed = [each for each in kept if each.outcome == "failed"]
    assert len(failed) == 100
    assert sum(len(each.model_dump_json()) for each in kept) < 800_000
    assert [each.node_id for each in kept] == [
        each.node_id for each in results if each.node_id in {each.node_id for each in kept}
    ]


def test_events_come_whole_however_they_are_cut() -> None:
    channel = Channel()
    chunks = (b'{"event": "st', b'arted"}\n{"event"', b': "x"}\n')
    assert [event for chunk in chunks for event in channel.events(chunk)] == [
        {"event": "started"},
        {"event": "x"},
    ]


def test_a_line_without_end_is_dropped() -> None:
    channel = Channel()
    assert list(channel.events(b"x" * 300_000)) == []
    assert list(channel.events(b'x\n{"event": "started"}\n')) == [{"event": "started"}]


def test_the_worst_report_of_a_test_counts() -> None:
    session = Session()
    for when, outcome in (("call", "passed"), ("teardown", "failed")):
        event = {"event": "report", "node_id": "a.py::t", "when": when, "outcome": outcome}
        session.hear({**event, "duration": 1.0, "message": "", "traceback": ""})
    (told,) = session.reports.values()
    assert (told.outcome, told.duration) == ("error", 2.0)


def test_text_shows_what_is_there() -> None:
    assert clean("a\u202eb\x1b[1m\tc\n") == "a\\u202eb\\x1b[1m\tc\n"


def test_what_is_one_is_called_one() -> None:
    assert discovered_text(DiscoveredTests(count=1)) == "1 test found."
    assert discovered_text(DiscoveredTests()) == "0 tests found."
    one = ExecutedTests(summary=Summary(total=1, errors=1, duration=0.5))
    assert executed_text(one) == "1 test: 0 passed, 0 failed, 0 skipped, 1 error in 0.50 s."
