"""An event loop for the box, where there is no socket to wake it through and no thread to do it."""

import asyncio


class BoxedEventLoop(asyncio.SelectorEventLoop):
    """Timers, tasks and futures work as everywhere; there is nothing else to wait for."""

    def _make_self_pipe(self) -> None:
        """A loop of one thread is never woken from another."""

    def _close_self_pipe(self) -> None:
        """Nothing was opened."""

    def _write_to_self(self) -> None:
        """Nobody sleeps while this is called."""


class BoxedEventLoopPolicy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return BoxedEventLoop()


def install() -> None:
    """Make `asyncio.run` work in the box."""
    asyncio.set_event_loop_policy(BoxedEventLoopPolicy())
