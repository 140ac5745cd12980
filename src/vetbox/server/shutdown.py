"""How the service stops: the first signal lets calls in progress end, the second does not wait."""

import os
import signal
from collections.abc import AsyncIterator

import anyio

from vetbox.server.calls import Calls

STOP = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# Then cancelled calls get a second to answer and one to put things away: five of six in all.
DRAIN_S = 3.0


async def drained(calls: Calls) -> None:
    """Returns once a signal has come and every call in progress has ended or was cancelled."""
    with anyio.open_signal_receiver(*STOP) as signals:
        await anext(signals)
        async with anyio.create_task_group() as group:
            group.start_soon(exit_at_next, signals)
            await calls.drain(DRAIN_S)
            group.cancel_scope.cancel()


async def exit_at_next(signals: AsyncIterator[signal.Signals]) -> None:
    os._exit(128 + await anext(signals))
