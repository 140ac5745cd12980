"""An event loop for the box, where there is no socket to wake it through and no thread to do it."""

import asyncio
from collections.abc import Callable


class BoxedEventLoop(asyncio.SelectorEventLoop):
    """Timers, tasks and futures work as everywhere; there is nothing else to wait for."""

    def _make_self_pipe(self) -> None:
        """A loop of one thread is never woken from another."""

    def _close_self_pipe(self) -> None:
        """Nothing was opened."""

    def _write_to_self(self) -> None:
        """Nobody sleeps while this is called."""

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., object], *args: object
    ) -> asyncio.Future[object]:
        """What another thread would do, as in `asyncio.to_thread`, is done at once."""
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - whoever awaits it gets it
            done.set_exception(error)
        return done


class BoxedEventLoopPolicy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return BoxedEventLoop()


def install() -> None:
    """Make `asyncio.run` work in the box."""
    asyncio.set_event_loop_policy(BoxedEventLoopPolicy())
