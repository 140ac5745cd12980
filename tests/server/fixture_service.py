"""A service of vetbox with endpoints that misbehave: `python fixture_service.py PROJECT [PORT]`."""

import logging
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel

from vetbox.app import App, Call, Endpoint
from vetbox.boundary import Params
from vetbox.server.door import Address, door_for
from vetbox.server.http import listen, serve_http
from vetbox.server.stdio import serve_stdio

STEP_S = 0.02


class Nothing(Params):
    """No parameters."""


class Seconds(Params):
    """How long to work."""

    seconds: float = 60.0


class Said(BaseModel):
    """What was done."""

    said: str


def print_everywhere(params: Nothing, call: Call) -> Said:
    print("stray print")
    os.write(1, b"stray write\n")
    os.system("echo stray child")
    return Said(said=repr(sys.stdin.read()))


def work(params: Seconds, call: Call) -> Said:
    """Burns no CPU, but stops only when it is told to or done."""
    print("work begun", file=sys.stderr, flush=True)
    steps = int(params.seconds / STEP_S)
    for step in range(steps):
        if call.cancel.wait(STEP_S):
            print("work cancelled", file=sys.stderr, flush=True)
            return Said(said="cancelled")
        call.progress(step + 1, steps, "working")
    return Said(said="done")


def ignore_everything(params: Seconds, call: Call) -> Said:
    print("ignoring begun", file=sys.stderr, flush=True)
    time.sleep(params.seconds)
    return Said(said="done")


def break_down(params: Nothing, call: Call) -> Said:
    raise RuntimeError("inside: /home/user/secret")


def endpoint(params: type[Params], answer: Callable[..., Said]) -> Endpoint:
    name = answer.__name__
    return Endpoint(name, name, name, params, Said, answer, lambda result: result.said)


ENDPOINTS = (
    endpoint(Nothing, print_everywhere),
    endpoint(Seconds, work),
    endpoint(Seconds, ignore_everything),
    endpoint(Nothing, break_down),
)


def open_app(project: Path) -> App:
    app = App.open(project)
    app.__dict__["endpoints"] = {**app.endpoints, **{one.name: one for one in ENDPOINTS}}
    return app


def main() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    app = open_app(Path(sys.argv[1]))
    if len(sys.argv) == 2:
        serve_stdio(app)
    address = Address("127.0.0.1", int(sys.argv[2]))
    listener = listen(address)
    bound = Address(address.host, listener.getsockname()[1])
    door = door_for(bound, None, hosts=(), origins=())
    print(f"port {bound.port}", file=sys.stderr, flush=True)
    serve_http(app, listener, door)


if __name__ == "__main__":
    main()
