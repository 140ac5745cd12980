"""Compiled interpreters on disk: made once per user, found again by all they depend on."""

import hashlib
import json
import os
import platform
import re
import time
from collections.abc import Callable
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from vetbox.sandbox.cache import cache_folder, locked
from vetbox.sandbox.errors import SnapshotError
from vetbox.sandbox.guest_package import GuestPackage
from vetbox.sandbox.image import ENGINE, Image
from vetbox.sandbox.workspace import opened, remove_tree
from vetbox.workers import JSON, WorkerError, WorkerFailed, WorkerPool

# What an image is made by; with what it is made of, its identity.
BUILDER = ("quota.wat", "quota.py", "snapshot.py", "wasm_binary.py", "wasm_code.py")
BUILD_TIMEOUT_S = 900  # ten seconds on a quiet machine
_NAMED = re.compile(r"^(?:Snapshot|Sandbox)Error: ")
"""How an error of the box begins that comes from another process."""

UNUSED_S = 30 * 86_400

Progress = Callable[[str], None]  # told what is being done, in words
FindWasm = Callable[[], Path]


def image_of(sha256: str, guest: GuestPackage, find: FindWasm, progress: Progress) -> Image:
    """The interpreter of a hash with a guest package in it, made if there is none yet.

    A known interpreter becomes a snapshot, an unknown one is to be started anew in every run. Of
    several processes that need it at once, one makes it and the others wait.
    """
    folder = image_folder(sha256, guest)
    if not folder.is_dir():
        with locked(folder.with_suffix(".lock")):
            if not folder.is_dir():
                _remove_unused(folder.parent)
                _make(folder, sha256, guest, find(), progress)
    os.utime(folder)
    return Image.read(folder)


def image_folder(sha256: str, guest: GuestPackage) -> Path:
    """Where the image of this version is, or would be."""
    return cache_folder("images") / _key(sha256, guest)


def images_on_disk() -> list[tuple[Path, int]]:
    """The folders of this user's images with their sizes in bytes, other versions' included."""
    found = [path for path in cache_folder("images").iterdir() if path.is_dir()]
    return [(path, sum(file.stat().st_size for file in path.iterdir())) for path in sorted(found)]


def remove_images() -> tuple[Path, ...]:
    """Remove all of them; which they were."""
    found = tuple(path for path, _ in images_on_disk())
    for path in found:
        with locked(path.with_suffix(".lock")):
            remove_tree(path)
    return found


def _remove_unused(folder: Path) -> None:
    """Remove images of versions no longer used, and what builds that were killed have left."""
    oldest = time.time() - UNUSED_S
    for path in folder.iterdir():
        if path.is_dir() and path.stat().st_mtime < oldest:
            remove_tree(path)


def _make(folder: Path, sha256: str, guest: GuestPackage, wasm: Path, progress: Progress) -> None:
    builders = WorkerPool("vetbox.sandbox.builder:start", size=1, memory_bytes=None)
    # The desk is removed here: a builder may be killed.
    with opened(None) as desk, builders as pool:
        order: JSON = [str(wasm), sha256, dict(guest.modules), guest.entry, str(folder), str(desk)]
        try:
            pool.call(
                order, timeout_s=BUILD_TIMEOUT_S, on_event=lambda message: progress(str(message))
            )
        except WorkerFailed as failed:
            raise SnapshotError(_NAMED.sub("", str(failed))) from None
        except WorkerError as failed:
            raise SnapshotError(f"The interpreter could not be prepared. {failed}") from None


def _key(sha256: str, guest: GuestPackage) -> str:
    parts = [
        sha256,
        *((files("vetbox.sandbox") / name).read_text() for name in BUILDER),
        dict(ENGINE),
        version("wasmtime"),
        platform.system(),
        platform.machine(),
        guest.digest,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
