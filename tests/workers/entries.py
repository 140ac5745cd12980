"""Handlers that the worker tests start in children: good ones and hostile ones."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from vetbox.workers import JSON
from vetbox.workers.child import Answered

Handler = Callable[[JSON, Callable[[JSON], JSON]], "JSON | Answered"]


def broken(config: JSON) -> Handler:
    raise ValueError(f"no {config}")


def echo(config: JSON) -> Handler:
    return lambda request, emit: [config, request, os.getpid()]


def tidies(config: JSON) -> Handler:
    """Answers at once with what it has tidied up so far, and then takes its time."""
    tidied: list[JSON] = []

    def tidy(request: JSON) -> None:
        if request == "fail":
            raise RuntimeError("cannot tidy up")
        time.sleep(1)
        tidied.append(request)

    return lambda request, emit: Answered(list(tidied), lambda: tidy(request))


def acts(config: JSON) -> Handler:
    """`request` is `[act, argument]`; the acts are the table below."""

    def handle(request: JSON, emit: Callable[[JSON], JSON]) -> JSON:
        assert isinstance(request, list)
        act, argument = request
        return ACTS[str(act)](argument, emit)

    return handle


def _raise(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    raise KeyError(argument)


def _sleep(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    time.sleep(float(str(argument)))
    return "slept"


def _die(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    os.kill(os.getpid(), signal.Signals(argument))
    return None


def _grow(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    hoard = [bytearray(1_000_000) for _ in range(int(str(argument)))]
    time.sleep(5)
    return len(hoard)


def _pid(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    return os.getpid()


def _emit(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    return [emit(n) for n in range(int(str(argument)))]


def _long(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    return "x" * int(str(argument))


def _chatter(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    print("to stdout", flush=True)
    os.write(1, b"raw")
    return sys.stdin.read()


def _environment(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    return [*os.environ]


def _grandchild(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    child = subprocess.Popen(["sleep", "60"], process_group=0)
    emit(child.pid)
    time.sleep(60)
    return None


def _daemon(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    """A copy of this process that leaves its session, as init would find it."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.write(theirs, b"%d" % os.getpid())
        time.sleep(600)
        os._exit(0)
    return int(os.read(ours, 20))


def _orphan(argument: JSON, emit: Callable[[JSON], JSON]) -> JSON:
    """Another program that leaves its session, its parent gone."""
    script = "(setsid sh -c 'echo $$; exec sleep 600' &)"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        return int(child.stdout.readline())


ACTS: dict[str, Callable[[JSON, Callable[[JSON], JSON]], JSON]] = {
    "raise": _raise,
    "sleep": _sleep,
    "die": _die,
    "grow": _grow,
    "pid": _pid,
    "emit": _emit,
    "long": _long,
    "chatter": _chatter,
    "environment": _environment,
    "daemon": _daemon,
    "grandchild": _grandchild,
    "orphan": _orphan,
}
