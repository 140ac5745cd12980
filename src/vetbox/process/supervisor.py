"""The guardian of one command: starts it, and when it ends or is called off kills what is left.

Run as a script of its own (`python -I -S supervisor.py FD`), so it imports nothing of vetbox. The
command is its grandchild: a program that kills its parent kills the keeper between them, and the
guardian still sweeps. On Linux the guardian is a child subreaper, so that a daemon which left its
session and lost its parent comes back to it; elsewhere the command's process group is killed.
Where Linux has Landlock, the command may be confined to folders that it and its children write to.
"""

import ctypes
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
from typing import NoReturn, TypedDict

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # <sys/prctl.h>
SWEEP_PAUSE_S = 0.005
SWEEP_LIMIT_S = 5.0  # a process that survives SIGKILL this long hangs in the kernel
KILLED = -signal.SIGKILL
NICENESS = 10  # the service that waits for the command has others to answer meanwhile
LINUX = sys.platform == "linux"

# <linux/landlock.h>: system calls, the version of Linux 6.2, which knows all of the rights below.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
TELL_VERSION, BELOW_A_FOLDER, VERSION = 1, 1, 3
PR_SET_NO_NEW_PRIVS = 38  # the kernel asks for it
WRITE_FILE, REMOVE_AND_MAKE_AND_TRUNCATE = 1 << 1, sum(1 << bit for bit in range(4, 15))
WRITING = WRITE_FILE | REMOVE_AND_MAKE_AND_TRUNCATE


class Order(TypedDict):
    """What to start; `limits` maps the names of resource limits to their values.

    `writable` are the only folders it may write to, where there are any.
    """

    argv: list[str]
    cwd: str
    env: dict[str, str]
    limits: dict[str, int]
    writable: list[str]
    channel: int


def main(fd: int) -> None:
    """Obey one order from the socket `fd`, report how it ended, leave nobody behind."""
    control = socket.socket(fileno=fd)
    control.set_inheritable(False)
    with control.makefile("rb") as orders:
        order: Order = json.loads(orders.readline())
    if LINUX:
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    wakeup = signals_as_bytes()
    keeper, status = start_keeper(order)
    let_go_of_streams(order["channel"])
    with os.fdopen(status, "rb") as told:
        command = int(told.readline() or keeper)
        ended = wait(keeper, control.fileno(), wakeup)
        sweep([-command, keeper])
        last_words = told.readline() if ended else b""
    control.sendall(last_words or json.dumps({"returncode": KILLED}).encode())


def start_keeper(order: Order) -> tuple[int, int]:
    """Fork the command's parent: its pid, and a pipe that tells the command's pid and its end."""
    status, tell = os.pipe()
    guardian = os.getpid()
    keeper = os.fork()
    if keeper == 0:
        os.close(status)
        keep(order, guardian, tell)
    os.close(tell)
    return keeper, status


def keep(order: Order, guardian: int, tell: int) -> NoReturn:
    """The keeper: the only process the command knows as its parent."""
    die_with(guardian)
    keeper = os.getpid()
    command = os.fork()
    if command == 0:
        become(order, keeper, tell)
    let_go_of_streams(order["channel"])
    _, waited = os.waitpid(command, 0)
    os.write(tell, json.dumps({"returncode": os.waitstatus_to_exitcode(waited)}).encode())
    os._exit(0)


def become(order: Order, keeper: int, tell: int) -> NoReturn:
    """The command itself; an error on the way is told before the exit code."""
    os.write(tell, b"%d\n" % os.getpid())
    try:
        os.setsid()
        os.nice(NICENESS)
        die_with(keeper)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores these two, and exec keeps it
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        os.chdir(order["cwd"])
        if order["channel"] >= 0:
            os.set_inheritable(order["channel"], True)
        for name, value in order["limits"].items():
            lower_limit(getattr(resource, name), value)
        if order["writable"] and can_confine():
            confine(order["writable"])
        os.execve(order["argv"][0], order["argv"], order["env"])
    except (OSError, ValueError) as failed:
        os.write(tell, json.dumps({"errno": getattr(failed, "errno", 0) or 0}).encode() + b"\n")
        os._exit(127)


def lower_limit(name: int, value: int) -> None:
    _, hard = resource.getrlimit(name)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(name, (value, value))
    except (OSError, ValueError):
        if LINUX:  # elsewhere some limits exist by name only
            raise


def can_confine() -> bool:
    """Has the kernel Landlock, switched on and new enough?"""
    return LINUX and landlock(CREATE_RULESET, None, 0, TELL_VERSION) >= VERSION


def confine(folders: list[str]) -> None:
    """From here on this process and its children write to nothing but what lies in the folders."""
    handled = ctypes.c_uint64(WRITING)
    rules = landlock(CREATE_RULESET, ctypes.byref(handled), ctypes.sizeof(handled), 0)
    for path in filter(os.path.isdir, folders):
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", WRITING, folder)
        landlock(ADD_RULE, rules, BELOW_A_FOLDER, rule, 0)
        os.close(folder)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if landlock(RESTRICT_SELF, rules, 0) < 0:
        raise OSError(ctypes.get_errno(), "the kernel refused to confine the command")
    os.close(rules)


def landlock(*arguments: object) -> int:
    said: int = ctypes.CDLL(None, use_errno=True).syscall(*arguments)
    return said


def let_go_of_streams(channel: int) -> None:
    """Readers must see the end of output when the command ends, not when this process does."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    if channel >= 0:
        os.close(channel)


def wait(keeper: int, control: int, wakeup: int) -> bool:
    """True when the keeper ended; False when the caller hung up or called it off."""
    while True:
        ready, _, _ = select.select([control, wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, 4096)
            if keeper in reaped():
                return True
        if control in ready:
            return False


def reaped() -> set[int]:
    """Children that ended; they are zombies no more."""
    ended: set[int] = set()
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended.add(pid)


def sweep(known: list[int]) -> None:
    """Kill descendants until there are none.

    They are stopped first, so that none can start another one meanwhile. `known` (a group and a
    process) is what can be found where there is no subreaper.
    """
    deadline = time.monotonic() + SWEEP_LIMIT_S
    while not childless() and time.monotonic() < deadline:
        for signal_ in (signal.SIGSTOP, signal.SIGKILL):
            for pid in descendants(os.getpid()) if LINUX else known:
                send(pid, signal_)
        time.sleep(SWEEP_PAUSE_S)


def childless() -> bool:
    """Every child that ended is a zombie no more; is none left?"""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if pid == 0:
            return False


def descendants(ancestor: int) -> list[int]:
    """Every process below `ancestor`, from one look at /proc."""
    below: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            below.setdefault(parent_of(name), []).append(int(name))
    found, todo = [], [ancestor]
    while todo:
        children = below.get(todo.pop(), [])
        found += children
        todo += children
    return found


def parent_of(pid: str) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):  # it ended meanwhile
        return 0


def send(pid: int, signal_: signal.Signals) -> None:
    try:
        os.kill(pid, signal_)
    except (ProcessLookupError, PermissionError):
        return


def signals_as_bytes() -> int:
    """A descriptor that becomes readable when a child ends."""
    wakeup, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return wakeup


def die_with(parent: int) -> None:
    if LINUX:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
