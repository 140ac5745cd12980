"""Executes one program with the packs at hand, and says in plain data how it ended."""

import asyncio
import contextlib
import inspect
import pydoc
import sys
import traceback
from collections.abc import Callable, Coroutine, Mapping
from types import CodeType
from typing import Any, TypeAlias, TypeGuard

from vetbox.run.guest.capture import Parts, parts
from vetbox.run.guest.values import shown
from vetbox.run.pack_proxy import (
    DESCRIBE,
    MAX_NAME,
    Caller,
    PackProxy,
    ProjectPack,
    ToolProxy,
)
from vetbox.sandbox.guest.reserve import KEPT, is_unsaid

# What a program finds: packs (name to tools), projects (name to path), aliases (name to pack.tool).
World: TypeAlias = Mapping[str, Mapping[str, Any]]
Outcome: TypeAlias = dict[str, object]

FORMAT, SANITIZE = "__format__", "__sanitize__"
PROJECTS_PACK = "proj"
FAILED = 1
MAX_FRAMES = 20  # of a traceback; a recursion has hundreds
NO_MESSAGE = "(no message)"
MAX_MESSAGE = 20_000  # characters of an exception's text; one more tells that it was longer


def execute(
    code: str, filename: str, namespace: dict[str, Any], world: World, call: Caller
) -> Outcome:
    """Run `code` in `namespace`; whatever it raises is an outcome, never an exception here."""
    furnish(namespace, world, call)
    try:
        return success(evaluated(parts(code, filename), namespace), namespace)
    except BaseException as error:  # noqa: BLE001 - a program may raise anything at all
        KEPT.clear()
        try:
            if left_well(error):
                return {"ok": True, **settings(namespace)}
            return failure(error, filename, namespace.get(SANITIZE))
        except (MemoryError, SystemError):  # what the program holds leaves no room to say so
            traceback.clear_frames(error.__traceback__)
            namespace.clear()
            return failure(error, filename, None)


def furnish(namespace: dict[str, Any], world: World, call: Caller) -> None:
    """Put the packs, the aliases and a help() that knows them into the program's namespace."""
    for name, tools in world["packs"].items():
        namespace[name] = PackProxy(name, tools, call)
    if PROJECTS_PACK in namespace:
        tools = world["packs"][PROJECTS_PACK]
        namespace[PROJECTS_PACK] = ProjectPack(PROJECTS_PACK, tools, call, world["projects"])
    for alias, target in world["aliases"].items():
        namespace.setdefault(alias, ToolProxy(target, call))  # no alias takes a pack's place
    namespace["help"] = helper(call)


def helper(call: Caller) -> Callable[..., None]:
    """A `help()` that asks the host about packs and tools."""

    def help(thing: object = None) -> None:  # noqa: A001 - it takes the builtin's place
        """Print what a pack, a tool or any other object is for."""
        match thing:
            case ToolProxy():
                print(call(DESCRIBE, (thing.__qualname__,), {}))
            case PackProxy():
                print(call(DESCRIBE, (thing.__name__,), {}))
            case None:
                print(call(DESCRIBE, (), {}))
            case _:
                print(pydoc.plain(pydoc.render_doc(thing)))

    return help


def evaluated(program: Parts, namespace: dict[str, Any]) -> object:
    """The value in a tuple of one, or something else when there is none."""
    last = _last(program.codes, namespace)
    return (last,) if program.bare else last


def _last(codes: tuple[CodeType, ...], namespace: dict[str, Any]) -> object:
    """What the last of the code objects evaluates to; one that awaits puts all into one task, so
    that what the first begins the next may wait for.
    """
    if not any(map(_awaits, codes)):
        return [eval(code, namespace) for code in codes][-1]  # noqa: S307 - this is the executor
    with asyncio.Runner() as runner:
        return runner.run(_in_turn(codes, namespace))


async def _in_turn(codes: tuple[CodeType, ...], namespace: dict[str, Any]) -> object:
    answer: Any = None
    for code in codes:
        answer = eval(code, namespace)  # noqa: S307 - as above
        if _awaits(code):
            answer = await answer
    return answer


def _awaits(code: CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_COROUTINE)


def success(answer: object, namespace: dict[str, Any]) -> Outcome:
    """The outcome of a program that came to its end; `value` is missing when it has none."""
    outcome: Outcome = {"ok": True, **settings(namespace)}
    if isinstance(answer, tuple):
        outcome["value"] = str(answer[0]) if outcome["format"] == "raw" else shown(answer[0])
        if inspect.iscoroutine(answer[0]):
            _tell_of_await(answer[0])
    return outcome


def _tell_of_await(value: Coroutine[Any, Any, Any]) -> None:
    """Say what Python would say of a place in here: that nothing of a coroutine has run."""
    with contextlib.suppress(Exception):  # the program may have thrown its streams away
        if inspect.getcoroutinestate(value) == inspect.CORO_CREATED:
            value.close()
            what = f"coroutine '{getattr(value, '__qualname__', value)}' was never awaited"
            print(f"RuntimeWarning: {what}: put `await` before its call", file=sys.stderr)


def settings(namespace: dict[str, Any]) -> Outcome:
    """What a program set its magic variables to, however it ended."""
    wanted = {"format": namespace.get(FORMAT), "sanitize": namespace.get(SANITIZE)}
    return {name: _setting(value) for name, value in wanted.items()}


def _setting(value: object) -> object:
    return value if isinstance(value, str | bool) else None


def left_well(error: BaseException) -> bool:
    """`sys.exit()` ends a program well; with a code or a text it ends in error."""
    try:
        code = error.code if isinstance(error, SystemExit) else FAILED
        return code is None or (isinstance(code, int) and int.__eq__(code, 0))
    except BaseException:  # noqa: BLE001 - a class of the program's own may refuse to say
        return False


def failure(error: BaseException, filename: str, sanitize: object) -> Outcome:
    """The outcome of a program that raised: type, text, and where in its own lines."""
    frames = _frames(error, filename)
    own_line = error.lineno if _is_own_syntax(error, filename) else None
    return {
        "ok": False,
        "type": "MemoryError" if is_unsaid(error) else type(error).__name__[:MAX_NAME],
        "message": "" if is_unsaid(error) else _message(error, filename)[: MAX_MESSAGE + 1],
        "line": own_line or (frames[-1][0] if frames else None),
        "frames": frames[-MAX_FRAMES:],
        "name": _unknown(error),
        "sanitize": _setting(sanitize),
    }


def _is_own_syntax(error: BaseException, filename: str) -> TypeGuard[SyntaxError]:
    """Is it about the program's text? Others are about a text that the program reads."""
    return isinstance(error, SyntaxError) and error.filename == filename


def _unknown(error: BaseException) -> str | None:
    """The name that a NameError is about."""
    name = error.name if isinstance(error, NameError) else None
    return name[:MAX_NAME] if isinstance(name, str) else None


def _frames(error: BaseException, filename: str) -> list[tuple[int, str]]:
    """Line and function of each call in the program's own code, outermost first."""
    calls = traceback.walk_tb(error.__traceback__)
    return [(line, f.f_code.co_name) for f, line in calls if f.f_code.co_filename == filename]


def _message(error: BaseException, filename: str) -> str:
    try:
        text = str(error.msg) if _is_own_syntax(error, filename) else _text(error)
        notes = _notes(error)
        return "\n".join([text or NO_MESSAGE, *notes] if notes else [text])
    except BaseException as broken:  # noqa: BLE001 - the program's own __str__ may do anything
        return f"(its text cannot be shown: {type(broken).__name__})"


def _text(error: BaseException) -> str:
    match error:
        case SyntaxError(msg=None):
            return ""
        case BaseExceptionGroup():
            return f"{error}: " + "; ".join(f"{type(e).__name__}: {e}" for e in error.exceptions)
        case _:
            return str(error)


def _notes(error: BaseException) -> list[str]:
    cause = error.__cause__
    notes = [str(note) for note in getattr(error, "__notes__", ())]
    if cause is None:
        return notes
    text = str(cause)
    return [*notes, f"caused by {type(cause).__name__}" + (f": {text}" if text else "")]
