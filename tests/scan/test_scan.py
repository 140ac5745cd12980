"""A scan finds what is there, in order, however it is run, and never calls the unread clean."""

import mmap
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from vetbox.findings import FailureKind
from vetbox.rules import Profile, load_rules
from vetbox.scan import PARSE_ALL_BYTES, PARSE_ALL_FILES, RulesOnDemand, ScanOptions, scan
from vetbox.scan.cache import CLEAN, Entry, ScanCache
from vetbox.scan.files import FoundFile, discover
from vetbox.scan.forks import CHUNK, Died, Limits, Steps, forked
from vetbox.scan.ignoring import MAX_PATTERNS
from vetbox.scan.judge import Asked, Judge
from vetbox.scan.scanning import _jobs_for, is_small, limits
from vetbox.scan.thrift import resident

RULES = RulesOnDemand.ready(load_rules())
REPO = ScanOptions(Profile.REPO, jobs=2)
LIMITS = Limits(cpu_s=0.3, memory_bytes=600_000_000)

SETTLED_S = 2.1  # only the times of files that nobody wrote of late are believed


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def test_findings_are_named_as_typed_and_ordered(project: Path) -> None:
    write(project, b="import pickle\npickle.loads(x)\n", a="x = 1\n", c="exec(y)\n")
    found = scan([Path()], RULES, REPO)
    assert [finding.location.path for finding in found.findings] == ["b.py", "c.py"]
    assert (found.files, found.failures) == (3, ())


def test_a_second_scan_says_the_same_from_the_cache(project: Path) -> None:
    write(project, a="exec(y)\n", b="def broken(:\n")
    first = scan([Path()], RULES, REPO)
    assert scan([Path()], RULES, REPO) == first
    assert scan([Path()], RULES, ScanOptions(Profile.REPO, cache=False)) == first


def test_names_that_are_no_text_are_scanned_with_the_others(project: Path) -> None:
    write(project, a="exec(y)\n")
    Path(os.fsdecode(b"\xff\xfe.py")).write_text("eval(x)\n")
    Path(os.fsdecode(b"\xed\xa0\x80.py")).write_text("eval(x)\n")
    for _ in range(2):
        found = scan([Path()], RULES, REPO)
        assert sorted(each.code for each in found.findings) == [
            "eval-call",
            "eval-call",
            "exec-call",
        ]
        assert (found.files, found.failures) == (3, ())


@pytest.mark.parametrize(
    "lines",
    [["\\", "b.py"], [*(f"{n}*x{n}" for n in range(4_000)), "b.py"], ["[a-", "b.py", "b.py"]],
)
def test_patterns_that_nothing_can_make_sense_of_ignore_nothing(
    project: Path, lines: list[str]
) -> None:
    write(project, a="exec(y)\n", b="exec(y)\n")
    (project / ".gitignore").write_text("\n".join(lines))
    assert [each.path for each in discover([Path()]).files] == ["a.py"]
    assert [each.path for each in discover([Path()], exclude=lines).files] == ["a.py"]


@pytest.mark.parametrize("kind", ["pipe", "endless", "folder", "loop", "large"])
def test_an_ignore_file_that_is_none_ignores_nothing(project: Path, kind: str) -> None:
    write(project, a="exec(y)\n")
    make = {
        "pipe": os.mkfifo,
        "endless": lambda path: os.symlink("/dev/zero", path),
        "folder": os.mkdir,
        "loop": lambda path: os.symlink(path, path),
        "large": lambda path: Path(path).write_text("\n".join(f"{n}" for n in range(200_000))),
    }
    make[kind](".gitignore")
    found = discover([Path()])
    assert [each.path for each in found.files] == ["a.py"]
    [failure] = found.failures
    assert failure.path == ".gitignore"
    assert failure.kind == ("too-large" if kind == "large" else "unreadable")
    assert failure.message.endswith("; nothing that it names was left out")
    assert discover([Path()], respect_ignores=False).failures == ()


def test_more_patterns_than_are_compiled_are_a_failure_above_and_in_settings_too(
    project: Path,
) -> None:
    patterns = [f"{n}.py" for n in range(MAX_PATTERNS + 1)]
    (project / "below").mkdir()
    write(project / "below", a="exec(y)\n")
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("\n".join(patterns))
    found = discover([Path("below")], exclude=patterns)
    assert [each.path for each in found.files] == ["below/a.py"]
    [above, settings] = found.failures
    assert above.path.endswith("/.gitignore")
    assert (above.message, settings.path) == (
        "more than 5,000 patterns; nothing that it names was left out",
        "pyproject.toml",
    )
    assert "exclude" in settings.message


def test_an_ignore_file_that_is_not_there_is_none(project: Path) -> None:
    write(project, a="exec(y)\n")
    os.symlink("nowhere", ".gitignore")
    assert discover([Path()]).failures == ()


def test_a_change_that_keeps_size_and_time_is_seen(project: Path) -> None:
    write(project, a="exec(y)\n")
    os.utime("a.py", ns=(10**18, 10**18))
    scan([Path()], RULES, REPO)
    write(project, a="exit(y)\n")
    os.utime("a.py", ns=(10**18, 10**18))
    assert scan([Path()], RULES, REPO).findings == ()


def test_the_cache_keeps_the_newest_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vetbox.scan.cache._KEPT_ENTRIES", 2)
    cache = ScanCache.of(tmp_path, "rules")
    for path in ("/a", "/b", "/a", "/c"):
        cache.store({path: Entry(path, 1, 0, 0, b"digest", CLEAN)})
    assert sorted(cache.load(["/a", "/c"])) == ["/a", "/c"]


def test_a_corrupt_cache_is_made_anew(project: Path, tmp_path: Path) -> None:
    write(project, a="exec(y)\n")
    first = scan([Path()], RULES, REPO)
    for cache in (tmp_path / "cache" / "vetbox").glob("scan-*.db"):
        cache.write_bytes(b"not a database" * 100)
    assert scan([Path()], RULES, REPO) == first


@pytest.mark.parametrize("garbage", ["", "[", "[[[1]],null]", "[[],[0]]", "{}", "7"])
def test_a_record_that_nobody_wrote_is_no_answer(
    project: Path, tmp_path: Path, garbage: str
) -> None:
    write(project, a="exec(y)\n")
    os.utime("a.py", ns=(10**18, 10**18))
    first = scan([Path()], RULES, REPO)
    (cache,) = (tmp_path / "cache" / "vetbox").glob("scan-*.db")
    found = Path("a.py").stat()
    with closing(sqlite3.connect(cache)) as database, database:
        values = (found.st_mtime_ns, found.st_ctime_ns, garbage)
        database.execute("UPDATE files SET mtime = ?, ctime = ?, record = ?", values)
    assert scan([Path()], RULES, REPO) == first


def test_a_file_that_the_system_gives_in_pieces_is_read_to_its_end(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, a="x = 1\n" * 100 + "exec(y)\n")
    read = os.read
    monkeypatch.setattr("vetbox.scan.judge.os.read", lambda fd, size: read(fd, min(size, 500)))
    found = scan([Path()], RULES, ScanOptions(Profile.REPO, jobs=1, cache=False))
    assert [one.location.line for one in found.findings] == [101]


def test_a_file_that_has_become_a_pipe_is_a_failure_and_holds_nobody_up(project: Path) -> None:
    write(project, a="x = 1\n")
    (file,) = discover([Path()]).files
    (project / "a.py").unlink()
    os.mkfifo(project / "a.py")
    judge = Judge(RULES.loaded, Profile.REPO, parse_all=True, cached=False, files=1)
    assert "not a regular file" in judge.answer(judge.look((file, None)))


def test_what_cannot_be_analysed_is_a_failure(project: Path) -> None:
    write(project, syntax="x = (\n", ok="x = 1\n")
    (project / "large.py").write_bytes(b"x = 1\n" * 200_000)
    (project / "latin.py").write_bytes(b"x = '\xff'\n")
    (project / "nul.py").write_bytes(b"x = 1\0\n")
    (project / "deep.py").write_bytes(b"(" * 20_000)
    os.mkfifo(project / "fifo.py")
    (project / "gone.py").symlink_to("nowhere.py")
    found = scan([Path()], RULES, REPO)
    assert {failure.path: failure.kind for failure in found.failures} == {
        "deep.py": FailureKind.TOO_DEEP,
        "fifo.py": FailureKind.UNREADABLE,
        "gone.py": FailureKind.UNREADABLE,
        "large.py": FailureKind.TOO_LARGE,
        "latin.py": FailureKind.ENCODING,
        "nul.py": FailureKind.SYNTAX,
        "syntax.py": FailureKind.SYNTAX,
    }


def test_python_2_is_noticed_where_nothing_else_is_parsed(project: Path) -> None:
    write(project, old="def f():\n    print 'hello'\n")
    found = scan([Path()], RULES, ScanOptions(Profile.REPO, parse_all=False))
    assert [failure.kind for failure in found.failures] == [FailureKind.SYNTAX]


def test_ignored_files_are_counted_and_can_be_asked_for(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("build/\nlocal_*.py\n!local_kept.py\n")
    (project / "build").mkdir()
    (project / ".venv").mkdir()
    write(project / "build", a="")
    write(project / ".venv", b="")
    write(project, c="", local_d="", local_kept="", skipped="")
    found = discover([Path()], exclude=["skip*"])
    assert [file.path for file in found.files] == ["c.py", "local_kept.py"]
    assert sorted(found.skipped.values()) == [1, 2, 2]
    everything = discover([Path()], exclude=["skip*"], respect_ignores=False)
    assert len(everything.files) == 6


def test_a_file_named_on_the_command_line_is_always_read(project: Path) -> None:
    (project / ".gitignore").write_text("*.py\n")
    write(project, a="")
    assert [file.path for file in discover([Path("a.py"), Path("./a.py")]).files] == ["a.py"]


@pytest.mark.parametrize("named", ["build", "build/", "./build", "build/deep"])
def test_an_ignored_folder_that_is_named_is_walked(project: Path, named: str) -> None:
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("build/\nlocal_*.py\n")
    (project / "build" / "deep" / "own").mkdir(parents=True)
    (project / "build" / "deep" / ".gitignore").write_text("own/\n")
    write(project / "build" / "deep", a="")
    write(project / "build" / "deep" / "own", b="")
    assert [file.path for file in discover([Path(named)]).files] == ["build/deep/a.py"]
    assert not discover([Path()]).files


def hostile(task: str) -> str:
    """What a parser could do to its process."""
    if task == "spin":
        while True:
            pass
    if task == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    return task.upper()


def test_a_task_that_hangs_or_kills_costs_only_itself() -> None:
    tasks = ["a", "spin", "b", "die", "c", *"defghij"]
    started = time.monotonic()
    answers = dict(forked([hostile], tasks, jobs=2, limits=LIMITS))
    assert answers[1] == Died("took too long", overtime=True)
    assert answers[3] == Died("was ended by SIGSEGV", overtime=False)
    assert [answers[n] for n in range(len(tasks)) if n not in (1, 3)] == [*"ABCDEFGHIJ"]
    assert time.monotonic() - started < 10


def test_a_worker_that_cannot_begin_costs_its_tasks_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vetbox.scan.forks._limit", lambda _: os._exit(3))
    answers = list(forked([hostile], [*"ab" * 40], jobs=2, limits=LIMITS))
    died = Died("ended with 3", overtime=False)
    assert sorted(answers) == [(number, died) for number in range(80)]


SHELLED = """import os
from flask import request

def look():
    os.system(request.args["path"])
    exec(request.args["code"])
"""


def spin(*_: object, **__: object) -> None:
    while True:
        pass


def test_what_takes_too_long_to_follow_is_judged_without_flows(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, quick="exec(x)\n", slow=SHELLED)
    monkeypatch.setattr("vetbox.rules.following.flow_findings", spin)
    monkeypatch.setattr("vetbox.scan.scanning.FILE_CPU_S", 0.5)
    for _ in range(2):  # it is not remembered as the whole answer
        found = scan([Path()], RULES, ScanOptions(Profile.REPO))
        assert {(one.path, one.kind) for one in found.failures} == {
            ("slow.py", FailureKind.TIMEOUT)
        }
        told = {one.code for one in found.findings if one.location.path == "slow.py"}
        assert {"exec-call", "os-system"} <= told
        assert "shell-from-request" not in told


def test_what_takes_too_long_either_way_is_a_failure(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, slow=SHELLED)
    monkeypatch.setattr("vetbox.scan.judge.check", spin)
    monkeypatch.setattr("vetbox.scan.scanning.FILE_CPU_S", 0.5)
    found = scan([Path()], RULES, ScanOptions(Profile.REPO))
    assert [one.kind for one in found.failures] == [FailureKind.TIMEOUT]
    assert not found.findings


@pytest.mark.parametrize(
    ("size", "seconds"), [(0, 10), (200_000, 10), (800_000, 32), (50_000_000, 40)]
)
def test_large_files_have_more_time_without_flows(size: int, seconds: float) -> None:
    assert limits(size).cpu_s == seconds


def own_pid(task: str) -> str:
    return str(os.getpid())


def test_leaving_early_leaves_no_child() -> None:
    answers = forked([own_pid], [*"ab" * 100], jobs=2, limits=LIMITS)
    pids = {int(str(pid)) for _, (_, pid) in zip(range(150), answers, strict=False)}
    answers.close()  # type: ignore[attr-defined]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_an_unchanged_scan_loads_no_rules(project: Path) -> None:
    write(project, a="x = 1\n")
    time.sleep(SETTLED_S)
    command = [sys.executable, "-X", "importtime", "-m", "vetbox", "check"]
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert second.stdout == first.stdout
    assert "vetbox.rules.engine" in first.stderr
    for heavy in (
        "vetbox.rules",
        "vetbox.scan.forks",
        "vetbox.code.source",
        "yaml",
        "pydantic",
        "rich",
    ):
        assert f" {heavy}\n" not in second.stderr


def test_rules_that_cannot_be_used_are_told_where_there_is_no_file(project: Path) -> None:
    command = [sys.executable, "-m", "vetbox", "check", "--select", "nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "names no rule" in done.stderr) == (2, True)


def hoard(task: str) -> str:
    """Leaves 200 MB of garbage in cycles; answers what the process holds as it begins."""
    held = resident()
    for _ in range(200):
        cycle: list[object] = [bytearray(b"x") * 1_000_000]
        cycle.append(cycle)
    return str(held)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what is held")
def test_what_a_task_leaves_behind_is_given_back_before_the_next() -> None:
    limits = Limits(cpu_s=60, memory_bytes=2_000_000_000)
    answers = forked([hoard], [*"abcdef"], jobs=1, limits=limits)
    first, *later = (int(str(held)) for _, held in answers)
    assert max(later) - first < 150_000_000


def begin_large(task: str) -> bytearray:
    """What is read of a file before the first one is judged, and grows while it is."""
    return bytearray(10)


def end_large(begun: bytearray) -> str:
    held = resident()
    begun.extend(b"x" * 10_000_000)
    return str(held)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what is held")
def test_what_was_made_of_a_file_goes_with_it() -> None:
    limits = Limits(cpu_s=60, memory_bytes=2_000_000_000)
    answers = forked([begin_large, end_large], ["a"] * (CHUNK * 20), jobs=1, limits=limits)
    held = [int(str(said)) for _, said in answers]
    assert max(held) - held[0] < 100_000_000


READ: list[str] = []


def read_one(task: str) -> str:
    READ.append(task)
    return task


def count_read(task: str) -> str:
    return str(len(READ))


def test_large_files_are_read_one_at_a_time_and_many_of_the_small_ones() -> None:
    tasks = ["a"] * (CHUNK * 20)
    answers = [answer for _, answer in forked([read_one, count_read], tasks, jobs=1, limits=LIMITS)]
    assert answers[:3] == ["1", "2", "3"]
    assert answers[-1] == answers[-CHUNK // 2] == str(len(tasks))


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_largest_files_are_judged_first(
    project: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    sizes = {"a": 10, "b": 30_000, "c": 200, "d": 4_000}
    write(project, **{name: "#" * size for name, size in sizes.items()})
    given: list[str] = []

    def noted(steps: Steps, tasks: Sequence[Asked], **how: Any) -> Iterator[tuple[int, Any]]:
        given.extend(file.path for file, _ in tasks)
        return forked(steps, tasks, **how)

    monkeypatch.setattr("vetbox.scan.forks.forked", noted)
    found = scan([Path()], RULES, replace(REPO, jobs=jobs, cache=False))
    assert given == ["b.py", "d.py", "c.py", "a.py"]
    assert found.paths == ("a.py", "b.py", "c.py", "d.py")


def test_what_is_looked_at_for_all_workers_is_no_more_than_they_gain(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, large="#" * 100_001, **{f"a{number}": "#" * 90_000 for number in range(15)})
    judge = Judge(RULES.loaded, Profile.REPO, parse_all=False, cached=False, files=16)
    seen: list[str] = []

    def noted(file: FoundFile, known: Entry | None) -> str:
        seen.append(file.path)
        return ""

    monkeypatch.setattr(judge, "_looked", noted)
    judge.begin((file, None) for file in discover([Path()]).files)
    assert (len(seen), "large.py" in seen) == (12, False)


def test_what_fails_before_the_workers_are_forked_is_left_to_them(project: Path) -> None:
    judge = Judge(RULES.loaded, Profile.REPO, parse_all=False, cached=False, files=1)
    judge._program = None  # type: ignore[assignment]
    write(project, a="exec(y)\n")
    judge.begin((file, None) for file in discover([Path()]).files)


def test_little_code_is_scanned_by_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert [_jobs_for(size) for size in (0, 1_000_000, 4_000_000, 90_000_000)] == [1, 1, 3, 4]


def _with_new_memory(_: object) -> str:
    """Not what other tests have left to the allocator."""
    return str(len(mmap.mmap(-1, 60_000_000, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)))


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of data is Linux's")
def test_what_the_command_holds_itself_is_no_tasks_memory() -> None:
    limits = Limits(cpu_s=60, memory_bytes=20_000_000)
    held = [bytearray(1_000_000) for _ in range(100)]
    assert dict(forked([own_pid], ["a"], jobs=1, limits=limits))[0] != Died("ended with 1", False)
    answers = dict(forked([_with_new_memory], ["a"], jobs=1, limits=limits))
    assert (len(held), answers[0]) == (100, Died("ended with 1", overtime=False))


def verbose(task: str) -> str:
    return task * 10_000_000


def test_long_answers_are_told_one_by_one() -> None:
    limits = Limits(cpu_s=60, memory_bytes=2_000_000_000)
    answers = dict(forked([verbose], [*"abcdefgh"], jobs=1, limits=limits))
    assert [str(answers[n])[:2] for n in range(8)] == [c * 2 for c in "abcdefgh"]


def test_a_link_that_leads_to_itself_hides_no_other_file(project: Path) -> None:
    write(project, a="exec(y)\n")
    (project / "loop.py").symlink_to("loop.py")
    (project / "gone.py").symlink_to("nowhere")
    (project / "below").mkdir()
    write(project / "below", z="eval(y)\n")
    (project / "folder.py").symlink_to("below")
    found = scan([Path()], RULES, REPO)
    assert [finding.location.path for finding in found.findings] == ["a.py", "below/z.py"]
    assert sorted(failure.path for failure in found.failures) == ["gone.py", "loop.py"]


def test_names_that_are_no_text_are_matched_as_far_as_they_are(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("*.txt\n")
    (project / os.fsdecode(b"\xff\xfe.py")).write_text("eval(x)\n")
    (project / "\udcff.txt").mkdir()
    assert [file.path for file in discover([Path()]).files] == ["\udcff\udcfe.py"]


@pytest.mark.parametrize(
    ("count", "size", "small"),
    [
        (PARSE_ALL_FILES, PARSE_ALL_BYTES // PARSE_ALL_FILES, False),
        (PARSE_ALL_FILES, PARSE_ALL_BYTES // PARSE_ALL_FILES - 1, True),
        (PARSE_ALL_FILES - 1, PARSE_ALL_BYTES, True),
    ],
)
def test_a_scan_is_large_by_its_files_and_its_bytes(count: int, size: int, small: bool) -> None:
    assert is_small([FoundFile(f"{n}.py", size, 0, 0) for n in range(count)]) is small
