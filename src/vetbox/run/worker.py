"""Extension tools at work: each file in worker processes of its own, asked over JSON."""

import asyncio
import importlib.util
import inspect
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from vetbox.run.dependencies import installed
from vetbox.run.extension import Extension
from vetbox.run.guest.tags import TAGS
from vetbox.run.guest.values import plain
from vetbox.run.packs import Invoke, Tool, ToolPack
from vetbox.sandbox.guest import bridge, wire
from vetbox.sandbox.tools import failure
from vetbox.toolkit import ToolContext, ToolError
from vetbox.workers import (
    JSON,
    WorkerCancelled,
    WorkerDied,
    WorkerFailed,
    WorkerPool,
    WorkerTimeout,
)

WORKERS = 2  # calls of one extension at the same time
MEMORY_BYTES = 1_000_000_000


def extension_pack(extension: Extension, root: Path, *, timeout_s: float) -> ToolPack:
    """The pack of an extension file; nothing is started before its first call."""
    process = ExtensionProcess(extension, root, timeout_s)
    tools = {
        name: Tool(f"{extension.pack}.{name}", f.signature, f.doc, process.caller(name))
        for name, f in extension.functions.items()
    }
    return ToolPack(extension.pack, "extension", extension.doc, tools, process.close)


class ExtensionProcess:
    """The workers of one extension file, started at the first call."""

    def __init__(self, extension: Extension, root: Path, timeout_s: float) -> None:
        self._extension, self._root, self._timeout_s = extension, root, timeout_s
        self._starting = threading.Lock()
        self._pool: WorkerPool | None = None

    def caller(self, function: str) -> Invoke:
        """Calls that function in a worker."""

        def invoke(context: ToolContext, arguments: inspect.BoundArguments) -> object:
            asked = wire.dumps([function, list(arguments.args), arguments.kwargs], TAGS)
            match wire.loads(self._answer(function, asked, context.cancel), TAGS):
                case ["ok", value]:
                    return value
                case ["error", str(kind), str(text)]:
                    raise bridge.error(kind, text)
            raise ToolError(f"{function} was answered in a way that is not understood.")

        return invoke

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()

    def _answer(self, function: str, asked: str, cancel: threading.Event) -> str:
        name = f"{self._extension.pack}.{function}"
        try:
            return str(self._ready().call(asked, timeout_s=self._timeout_s, cancel=cancel))
        except WorkerTimeout:
            sentence = f"{name} did not answer within {self._timeout_s:g} s and was stopped."
        except WorkerCancelled:
            sentence = f"{name} was cancelled."
        except (WorkerDied, WorkerFailed) as error:
            sentence = f"{name} failed: {error}"
        raise ToolError(sentence)

    def _ready(self) -> WorkerPool:
        with self._starting:
            if self._pool is None:
                self._pool = self._started()
            return self._pool

    def _started(self) -> WorkerPool:
        libraries = installed(self._extension)
        return WorkerPool(
            f"{__name__}:serve",
            size=WORKERS,
            memory_bytes=MEMORY_BYTES,
            config=str(self._root / self._extension.path),
            import_from=() if libraries is None else (libraries,),
        )


def serve(config: JSON) -> Callable[[JSON, object], JSON]:
    """The worker's side. The file is executed by the first request, within its time limit."""
    loaded: list[ModuleType] = []

    def answer(request: JSON, emit: object) -> JSON:
        if not loaded:
            loaded.append(_module(Path(str(config))))
        return _called(loaded[0], str(request))

    return answer


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"vetbox_extension_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickle look their module up
    sys.path.append(str(path.parent))  # last: a helper beside the file hides no library
    spec.loader.exec_module(module)
    return module


def _called(module: ModuleType, asked: str) -> str:
    match wire.loads(asked, TAGS):
        case [str(function), list(args), dict(kwargs)]:
            return _outcome(getattr(module, function), args, kwargs)
    raise TypeError("a request is a function, its arguments and their names")


def _outcome(function: Callable[..., object], args: list[object], kwargs: dict[str, object]) -> str:
    try:
        return _written(["ok", _value(function(*args, **kwargs))])
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - crosses to the program, raised there
        return failure(error)


def _value(value: object) -> object:
    return asyncio.run(value) if inspect.iscoroutine(value) else value


def _written(answer: list[object]) -> str:
    try:
        return wire.dumps(answer, TAGS)
    except wire.WireError:  # a type of its own: what it shows as
        return wire.dumps(plain(answer))
