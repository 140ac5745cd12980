"""Connections: closed when no request begins on them, as strangers could hold them all."""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_TIMEOUT_S = 10.0
# A client sends its request at once; of more that wait, the one that waited longest is given up.
MAX_UNHEARD = 200


class Connection(H11Protocol):
    """One client's; those of which no request's head has come yet are kept in their order."""

    _unheard: ClassVar[dict["Connection", asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        loop = asyncio.get_running_loop()
        self._unheard[self] = loop.call_later(HEAD_TIMEOUT_S, self._give_up)
        if len(self._unheard) > MAX_UNHEARD:
            next(iter(self._unheard))._give_up()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None:
            self._heard()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def _heard(self) -> None:
        timer = self._unheard.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _give_up(self) -> None:
        self._heard()
        self.transport.close()
