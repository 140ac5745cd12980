"""Callbacks: library functions that call what they are given, at once, in a thread or later."""

from collections.abc import Mapping, Set

MAPPERS = frozenset({"map", "filter"})
REDUCERS = frozenset({"reduce"})
"""What calls a function with what it gave before, and the next of what it is given."""
MAPPING_METHODS = frozenset({"map", "imap", "imap_unordered"})
"""Methods of pools and executors."""
STARTERS: Mapping[str, int] = {
    "submit": 0, "to_thread": 0, "run_sync": 0, "run_in_threadpool": 0, "add_task": 0, "partial": 0,
    "run_in_executor": 1, "call_soon": 0, "call_soon_threadsafe": 0, "call_later": 1, "call_at": 1,
    "sync_to_async": 0, "enqueue": 0, "start_soon": 0, "start_background_task": 0,
    "register": 0, "callback": 0, "push_async_callback": 0, "finalize": 1,
    "execute_read": 0, "execute_write": 0, "read_transaction": 0, "write_transaction": 0,
    "Depends": 0,
}  # fmt: skip
"""Which argument is the function, by the last word; those behind it are what it is called with."""
GIVING = frozenset(
    {"submit", "to_thread", "run_sync", "run_in_threadpool", "run_in_executor", "Depends"}
)
"""Those that give, at once or later, what the function gives."""
FILLING = frozenset({"Depends"})
"""What fills a parameter with what the function gives, or with an object of the class."""
VALIDATING = frozenset({"field_validator", "validator"})
"""Decorators of methods that a field of a record is checked by, whose names they are given."""
WITH_TUPLES: Mapping[str, tuple[int, str, str]] = {
    "Thread": (1, "target", "args"), "Process": (1, "target", "args"),
    "Timer": (1, "function", "args"), "apply_async": (0, "func", "args"),
    "add_job": (0, "func", "args"),
}  # fmt: skip
"""The same, where what it is called with is a tuple: a place and two keywords."""
WITH_ROWS = frozenset({"starmap", "starmap_async"})
"""What calls a function once for each row of what it is given."""
COLUMNS = 8
"""As many of a row are looked at."""
CHOICES = 100
"""Of more functions that a table or a name may choose none is followed: each calls all others."""
PASSING = frozenset({"delay", "send", "defer", "kiq", "schedule", "remote", "spawn"})
"""Methods of a task, which is the function itself, that hand on all that they are given."""
TASKS = PASSING | {"apply_async"}
"""These, and those that pools have as well, which are given a function."""
LED = frozenset({"execute_read", "execute_write", "read_transaction", "write_transaction"})
"""Starters that put an argument of their own before the others."""
BEGINNING = frozenset({"partial", "sync_to_async", "async_to_sync"})
"""What is called with a function, and gives one that calls it."""
REGISTERING: Mapping[str, int] = {
    "append": 0, "add": 0, "appendleft": 0, "insert": 1, "setdefault": 1, "put": 0,
}  # fmt: skip
"""Methods that put a function, or an object, into a table: the place of the argument."""
GIVEN_ITSELF = frozenset({"add_done_callback"})
"""Methods that call a function with their object."""
SETTING = "set_defaults"
"""What keeps the function of a command in an option, `parser.set_defaults(func=f)`."""
OPTIONS = frozenset(
    {"func", "function", "fn", "handler", "handle", "cmd", "command", "entry", "run_command"}
)
"""Such options, which are called later, `args.func(args)`."""
CALLING: Set[str] = frozenset(
    {*MAPPERS, *REDUCERS, *MAPPING_METHODS, *STARTERS, *WITH_TUPLES, *WITH_ROWS, *TASKS}
    | GIVEN_ITSELF
)
"""The last words of all of them."""
