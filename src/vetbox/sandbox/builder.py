"""The process that makes an image: it needs half a gigabyte for a moment, and ends afterwards."""

import hashlib
import json
from pathlib import Path
from typing import TypeAlias, cast

from vetbox.sandbox.cache import place_folder
from vetbox.sandbox.errors import SnapshotError
from vetbox.sandbox.guest_package import GuestPackage
from vetbox.sandbox.host import compiled
from vetbox.sandbox.image import CODE, START, FromScratch, Image, Snapshotted, Start
from vetbox.sandbox.interpreters import PINNED
from vetbox.sandbox.snapshot import build_snapshot, guarded
from vetbox.workers import JSON
from vetbox.workers.child import Emit, Handler

_Order: TypeAlias = tuple[str, str, dict[str, str], str, str, str]


def start(_config: JSON) -> Handler:
    """The handler for orders: `[path of the wasm, its sha256, guest modules, entry, folder, desk]`.

    The image is put into the folder; the desk is an empty one that whoever orders it removes.
    """
    return build


def build(order: JSON, emit: Emit) -> JSON:
    """Make an image in a folder; progress is emitted as texts."""
    path, sha256, modules, entry, folder, desk = cast(_Order, order)

    def progress(message: str) -> None:
        emit(message)

    wasm = Path(path).read_bytes()
    if hashlib.sha256(wasm).hexdigest() != sha256:
        raise SnapshotError(f"The interpreter {path} changed while it was read.")
    guest = GuestPackage(modules, entry)
    interpreter = PINNED.get(sha256)
    if interpreter is None:
        wasm, begin = guarded(wasm).encode(), cast(Start, FromScratch(guest.source(and_run=True)))
    else:
        snapshot = build_snapshot(wasm, interpreter, guest, Path(desk), progress)
        wasm, begin = snapshot.wasm, Snapshotted(snapshot.stub, snapshot.slots)
    progress("Preparing the interpreter: compiling it for this machine")
    python = interpreter.python if interpreter else None
    _place(Image(Path(folder) / CODE, begin, sha256, python), compiled(wasm))
    return None


def _place(image: Image, code: bytes) -> None:
    def fill(draft: Path) -> None:
        (draft / CODE).write_bytes(code)
        (draft / START).write_text(json.dumps(image.to_json()))

    place_folder(image.code.parent, fill)
