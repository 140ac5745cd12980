"""What pytest told the private channel, put together into answers of bounded size."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_LINE_BYTES = 200_000  # one event; a longer line is not ours
MAX_TEXT = 100_000  # characters of text_output
MAX_LISTED = 400_000  # characters of the tests listed; summary and count speak of all
MAX_DETAIL = 300_000  # characters of their messages and tracebacks
MAX_ERRORS = 50  # of collection, each with a traceback of up to 10,000 characters
ENTRY = 150  # characters of an entry's keys and numbers
MAX_BARE_MESSAGE = 100  # characters of a message that lost its details

Outcome = Literal["passed", "failed", "skipped", "error"]
BADNESS: Mapping[Outcome, int] = {"passed": 0, "skipped": 1, "failed": 2, "error": 3}


class Answer(BaseModel):
    """Complete and unchangeable; fields may be given by name or by the word clients see."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, serialize_by_alias=True)


class FoundTest(Answer):
    """A test and where it is written."""

    node_id: str
    module: str | None
    class_: str | None = Field(alias="class")
    function: str
    file: str
    line: int


class CollectionError(Answer):
    """A file whose tests could not be collected."""

    file: str
    error_type: str
    message: str
    line: int | None
    traceback: str


class DiscoveredTests(Answer):
    """The tests of a project."""

    tests: tuple[FoundTest, ...] = ()
    count: int = 0
    collection_errors: tuple[CollectionError, ...] = ()
    error_message: str | None = None


class RanTest(Answer):
    """What became of one test."""

    node_id: str
    outcome: Outcome
    duration: float = Field(description="Seconds.")
    message: str = ""
    traceback: str = ""


class Summary(Answer):
    """How many tests had which outcome; `duration` in seconds."""

    total: int = 0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    errors: int = 0
    duration: float = 0.0


class ExecutedTests(Answer):
    """What became of the tests; `exit_code` is pytest's, None when it did not come to its end."""

    exit_code: int | None = None
    summary: Summary = Summary()
    tests: tuple[RanTest, ...] = ()
    text_output: str = ""
    truncated: int = Field(0, description="Tests counted in the summary and not listed.")
    error_message: str | None = None


Event = dict[str, Any]


@dataclass(slots=True)
class Channel:
    """The bytes of the private channel, cut into events; what is not an event is dropped."""

    rest: bytes = b""
    skipping: bool = False

    def events(self, chunk: bytes) -> Iterator[Event]:
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            if self.skipping:
                self.skipping = False
            elif (event := parsed(line)) is not None:
                yield event
        if len(self.rest) > MAX_LINE_BYTES:
            self.rest, self.skipping = b"", True


def parsed(line: bytes) -> Event | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


@dataclass(slots=True)
class Session:
    """What one pytest session told so far."""

    started: bool = False
    collected: int = 0
    exit_code: int | None = None
    items: list[Event] = field(default_factory=list)
    unreadable: list[Event] = field(default_factory=list)
    reports: dict[str, RanTest] = field(default_factory=dict)

    def hear(self, event: Event) -> None:
        """Take one event in; one that is not shaped like ours says nothing."""
        try:
            self._hear(event)
        except (KeyError, TypeError, ValueError):
            return

    def _hear(self, event: Event) -> None:
        match event.get("event"):
            case "started":
                self.started = True
            case "collected":
                self.collected = int(event["count"])
            case "item":
                self.items.append(event)
            case "unreadable":
                self.unreadable.append(event)
            case "report":
                self._report(event)
            case "finished":
                self.exit_code = int(event["exit_code"])

    def _report(self, event: Event) -> None:
        """Setup, call and teardown report apart; a failed setup or teardown is an error."""
        node_id = event["node_id"]
        outcome: Outcome = event["outcome"]
        if outcome == "failed" and event["when"] != "call":
            outcome = "error"
        told = RanTest(
            node_id=clean(node_id),
            outcome=outcome,
            duration=event["duration"],
            message=clean(event["message"]),
            traceback=clean(event["traceback"]),
        )
        earlier = self.reports.get(node_id)
        self.reports[node_id] = told if earlier is None else worst(earlier, told)

    def discovered(self, error: str | None) -> DiscoveredTests:
        errors = [CollectionError.model_validate(cleaned(each)) for each in self.unreadable]
        return DiscoveredTests(
            tests=found_tests(self.items),
            count=self.collected,
            collection_errors=tuple(errors[:MAX_ERRORS]),
            error_message=error,
        )

    def executed(
        self, exit_code: int | None, text: str, duration: float, error: str | None
    ) -> ExecutedTests:
        results = [*map(not_collected, self.unreadable), *self.reports.values()]
        tests = listed(results)
        return ExecutedTests(
            exit_code=exit_code,
            summary=summary_of(results, duration),
            tests=tests,
            text_output=shortened(text),
            truncated=len(results) - len(tests),
            error_message=error,
        )


def worst(one: RanTest, other: RanTest) -> RanTest:
    """The worse of two reports about a test, with the time of both."""
    chosen = max(one, other, key=lambda result: BADNESS[result.outcome])
    return chosen.model_copy(update={"duration": one.duration + other.duration})


def not_collected(event: Event) -> RanTest:
    return RanTest(
        node_id=clean(event["file"]),
        outcome="error",
        duration=0.0,
        message=clean(event["message"]),
        traceback=clean(event["traceback"]),
    )


def summary_of(results: Sequence[RanTest], duration: float) -> Summary:
    outcomes = [result.outcome for result in results]
    return Summary(
        total=len(outcomes),
        passed=outcomes.count("passed"),
        failed=outcomes.count("failed"),
        skipped=outcomes.count("skipped"),
        errors=outcomes.count("error"),
        duration=round(duration, 3),
    )


def listed(results: Sequence[RanTest]) -> tuple[RanTest, ...]:
    """As many as there is room for, chosen worst first; late ones lose their details."""
    entries, details, kept = MAX_LISTED, MAX_DETAIL, []
    for result in sorted(results, key=lambda each: -BADNESS[each.outcome]):
        bare = result.model_copy(
            update={"message": result.message[:MAX_BARE_MESSAGE], "traceback": ""}
        )
        entries -= size_of(bare)
        if entries < 0:
            break
        details -= size_of(result) - size_of(bare)
        kept.append(result if details >= 0 else bare)
    order = {result.node_id: number for number, result in enumerate(results)}
    return tuple(sorted(kept, key=lambda entry: order[entry.node_id]))


def size_of(result: RanTest) -> int:
    return ENTRY + len(result.node_id) + len(result.message) + len(result.traceback)


def found_tests(items: Sequence[Event]) -> tuple[FoundTest, ...]:
    """As many as there is room for, in their order."""
    room, kept = MAX_LISTED, []
    for item in items:
        test = FoundTest.model_validate(cleaned(item))
        room -= ENTRY + 2 * len(test.node_id)  # its parts repeat what the node id says
        if room < 0:
            break
        kept.append(test)
    return tuple(kept)


def shortened(text: str) -> str:
    """The beginning and the end, where pytest says what matters."""
    text = clean(text)
    if len(text) <= MAX_TEXT:
        return text
    half = MAX_TEXT // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters left out …\n{text[-half:]}"


def cleaned(event: Event) -> Event:
    return {key: clean(value) if isinstance(value, str) else value for key, value in event.items()}


def clean(text: str) -> str:
    """Text in which no character hides or reorders others: such are written as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else escaped(char) for char in text)


def escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
