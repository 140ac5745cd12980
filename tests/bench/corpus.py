"""The corpus of the bench: pinned real packages, fetched once by hash and unpacked safely."""

import shutil
import subprocess
import sys
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

# Not below tests: what is found there would count as found in tests, and as less sure.
FOLDER = Path(__file__).parents[2] / ".corpus"
# Wheels for any platform or for one that pip is asked for: the Python files are what counts.
PLATFORM = ("--platform", "manylinux_2_17_x86_64", "--python-version", "3.11")
PINNED = {
    "django==5.2": "91ceed4e3a6db5aedced65e3c8f963118ea9ba753fc620831c77074e620e7d83",
    "ansible-core==2.18.6": "12a34749a7b20f0f1536bd3e3b2e137341867e4642e351273e96647161f595c0",
    "networkx==3.5": "0030d386a9a06dee3565298b4a734b68589749a544acbb6c412dc9e2489ec6ec",
    "pandas==2.3.0": "14a0cc77b0f089d2d2ffe3007db58f170dae9b9f54e569b299db871a3ab5bf46",
    "scikit-learn==1.7.0": "9dbe48d69aa38ecfc5a6cda6c5df5abef0c0ebdb2468e92437e2053f84abb8bc",
    "sqlalchemy==2.0.41": "90c11ceb9a1f482c752a71f203a81858625d8df5746d787a4786bca4ffdf71c6",
    "sympy==1.14.0": "e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5",
    "twisted==24.11.0": "fe403076c71f04d5d2d789a755b687c5637ec3bcd3b2b8252d76f2ba65f54261",
}


def corpus(folder: Path = FOLDER) -> Path:
    """The folder of the unpacked packages: 6,815 files, 2.84 million lines, 98 MB."""
    for requirement, digest in PINNED.items():
        target = folder / "packages" / requirement.partition("==")[0]
        if not target.is_dir():
            unpack(fetched(requirement, digest, folder / "wheels"), target)
    return folder / "packages"


def sample(packages: Path, target: Path, *, every: int) -> Path:
    """A copy of each n-th file, by path: for tools that take minutes for all."""
    for path in sorted(packages.rglob("*.py"))[::every]:
        copy = target / path.relative_to(packages)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return target


def size(folder: Path) -> str:
    files = [path.read_bytes() for path in folder.rglob("*.py")]
    lines, total = sum(data.count(b"\n") for data in files), sum(map(len, files))
    return f"{len(files):,} files, {lines:,} lines, {total / 1e6:.0f} MB"


def fetched(requirement: str, digest: str, wheels: Path) -> Path:
    """The wheel with this hash; raises ValueError for any other."""
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
    folder = wheels / requirement
    subprocess.run([*pip, *PLATFORM, "-d", str(folder), requirement], check=True)
    (wheel,) = folder.glob("*.whl")
    if sha256(wheel.read_bytes()).hexdigest() != digest:
        raise ValueError(f"{wheel.name} is not the file that was pinned")
    return wheel


def unpack(wheel: Path, target: Path) -> None:
    """Its Python files, all or none; a name that would leave the folder is refused."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".") as draft:
        inside = Path(draft, target.name)
        extract(wheel, inside)
        inside.rename(target)


def extract(wheel: Path, target: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.endswith(".py"):
                continue
            path = (target / name).resolve()
            if not path.is_relative_to(target.resolve()):
                raise ValueError(f"{wheel.name} holds {name}, which leaves its folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))
