"""The words a configuration is written in: names, calls and paths, each refused early."""

import builtins
import keyword
import re
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MAX_NAME = 64
MAX_TEXT = 10_000


class Section(BaseModel):
    """One mapping of the file: complete and unchangeable, every other key an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def check_name(name: str) -> str:
    """A name that code can write; dunder names would reach into Python itself."""
    if not name.isascii() or not name.isidentifier() or len(name) > MAX_NAME:
        raise ValueError(f"'{name[:MAX_NAME]}' is not a name: use letters, digits and underscores")
    if keyword.iskeyword(name):
        raise ValueError(f"'{name}' is a keyword of Python: choose another name")
    if name.startswith("__"):
        raise ValueError(f"'{name}' is reserved for Python: choose a name without leading '__'")
    return name


def check_own_name(name: str) -> str:
    """A name of the user's: one that means something in Python already would change its meaning."""
    if hasattr(builtins, check_name(name)):
        raise ValueError(f"'{name}' is a builtin of Python: choose another name")
    return name


def check_dotted(name: str) -> str:
    for part in name.split("."):
        check_name(part)
    return name


def check_inside(path: str) -> str:
    """A path that stays below the folder it is relative to."""
    parts = PurePosixPath(path).parts
    if not path or "\0" in path or path.startswith(("/", "~")) or ".." in parts:
        raise ValueError(f"'{path}' must be a path inside the project, without '..'")
    return path


def check_folder(path: str) -> str:
    """A folder wherever it lies: `/tmp`, `~/data`."""
    if "\0" in path or not path.startswith(("/", "~/")) or ".." in PurePosixPath(path).parts:
        raise ValueError(f"'{path}' must be the whole path of a folder, without '..'")
    return path


def check_host(host: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?", host):
        raise ValueError(f"'{host}' is not a host: write name or name:port, without wildcards")
    return host


def check_origin(origin: str) -> str:
    scheme, mark, host = origin.partition("://")
    if not mark or not re.fullmatch(r"[a-z][a-z0-9+.-]*", scheme):
        raise ValueError(f"'{origin}' is not an origin: write scheme://host:port")
    check_host(host)
    return origin


Text = Annotated[str, Field(max_length=MAX_TEXT)]
Name = Annotated[str, AfterValidator(check_name)]
OwnName = Annotated[str, AfterValidator(check_own_name)]
Dotted = Annotated[str, AfterValidator(check_dotted)]
InsidePath = Annotated[str, Field(max_length=1024), AfterValidator(check_inside)]
Folder = Annotated[str, Field(max_length=4096), AfterValidator(check_folder)]
Host = Annotated[str, AfterValidator(check_host)]
Origin = Annotated[str, AfterValidator(check_origin)]
