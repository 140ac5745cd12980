"""The calls in progress: each in a thread of its own, bounded, reported on and cancellable."""

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import anyio
import mcp_types as types
from anyio import from_thread, to_thread
from anyio.lowlevel import EventLoopToken, current_token
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from vetbox.app import Call
from vetbox.server import failures

Context = ServerRequestContext[None]
Answer = types.CallToolResult | MCPError
Work = Callable[[Call], Answer]

MAX_WAITING = 256
# A person reads no faster, and every notification costs the event loop.
PROGRESS_INTERVAL_S = 0.1
SETTLE_S = 1.0
# With Python's own 5 ms, eight busy threads were seen to hold an answer up for a second.
THREAD_SLICE_S = 0.0005
GONE = "vetbox.gone"


class Calls:
    """Runs blocking work for clients, `limit` at a time; the rest waits its turn or is refused."""

    def __init__(self, limit: int) -> None:
        self._threads = anyio.CapacityLimiter(limit)
        self._asked: set[threading.Event] = set()
        self._working: set[threading.Event] = set()
        self._draining = False

    async def run(self, work: Work, ctx: Context) -> Answer:
        """The work's answer; its `cancel` is set when the client cancels, leaves or we stop.

        `work` answers its errors too: what it raises ends the client's connection.
        """
        waiting = self._threads.statistics().tasks_waiting
        if self._draining or waiting >= MAX_WAITING:
            raise failures.busy(waiting)
        cancel = threading.Event()
        self._asked.add(cancel)
        try:
            async with anyio.create_task_group() as group:
                progress = Progress()
                group.start_soon(progress.forward, ctx)
                group.start_soon(cancel_when_gone, ctx, cancel)
                answer = await to_thread.run_sync(
                    self._work,
                    work,
                    Call(cancel, progress.report),
                    abandon_on_cancel=True,
                    limiter=self._threads,
                )
                group.cancel_scope.cancel()
            return answer
        finally:
            cancel.set()
            self._asked.discard(cancel)

    def _work(self, work: Work, call: Call) -> Answer:
        self._working.add(call.cancel)
        try:
            return work(call)
        finally:
            self._working.discard(call.cancel)

    @property
    def in_progress(self) -> bool:
        return bool(self._asked)

    async def drain(self, seconds: float) -> None:
        """Take no more calls, let those in progress end in time, and cancel what does not."""
        self._draining = True
        await emptied(self._asked, seconds)
        for cancel in self._asked:
            cancel.set()
        await emptied(self._asked, SETTLE_S)

    async def settle(self) -> None:
        """Wait for cancelled work to put its files and processes away."""
        with anyio.CancelScope(shield=True):
            await emptied(self._working, SETTLE_S)


async def emptied(calls: set[threading.Event], seconds: float) -> None:
    with anyio.move_on_after(seconds):
        while calls:  # noqa: ASYNC110 - asked only when the process ends
            await anyio.sleep(0.02)


def favour_event_loop() -> None:
    """Let the threads of calls give way sooner, so that pings and cancellations are not held up."""
    sys.setswitchinterval(THREAD_SLICE_S)


class Progress:
    """Carries the newest progress from working threads to the client, and drops what is older."""

    def __init__(self) -> None:
        self._loop: EventLoopToken = current_token()
        self._send, self._receive = anyio.create_memory_object_stream[tuple[int, int, str]](1)
        self._last = 0.0
        self._done = -1

    def report(self, done: int, total: int, message: str) -> None:
        now = time.monotonic()
        if now - self._last < PROGRESS_INTERVAL_S and done < total:
            return
        self._last = now
        try:
            from_thread.run_sync(self._offer, (done, total, message), token=self._loop)
        except RuntimeError:
            # The loop has ended; whoever would read this is gone.
            return

    def _offer(self, step: tuple[int, int, str]) -> None:
        # The protocol wants each number larger than the one before.
        if step[0] <= self._done:
            return
        self._done = step[0]
        try:
            self._send.send_nowait(step)
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def forward(self, ctx: Context) -> None:
        async for done, total, message in self._receive:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await ctx.session.report_progress(done, total, message)


async def cancel_when_gone(ctx: Context, cancel: threading.Event) -> None:
    """Over HTTP, nobody can receive the answer once the request's connection is closed."""
    gone = ctx.request.scope.get(GONE) if ctx.request is not None else None
    if gone is not None:
        await gone.wait()
        cancel.set()
