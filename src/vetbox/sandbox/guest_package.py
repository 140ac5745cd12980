"""The Python that is put into the interpreter before it is snapshotted."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files

BOOT = "vetbox.sandbox.guest.boot"
OWN_MODULES = (
    "vetbox.sandbox.guest.protocol",
    "vetbox.sandbox.guest.reserve",
    "vetbox.sandbox.guest.wire",
    "vetbox.sandbox.guest.bridge",
    "vetbox.sandbox.guest.lasting",
    BOOT,
)
BRIDGE_ALIAS = "_vetbox_bridge"

# Imported once, so that no run pays for them; chosen for being what small programs import.
WARM = """
    abc ast base64 bisect collections contextlib copy csv dataclasses datetime decimal enum
    functools hashlib heapq io itertools json linecache math operator os pathlib random re
    secrets shutil statistics string struct tempfile textwrap time traceback types typing
    urllib.parse uuid
"""


@dataclass(frozen=True, eq=False)
class GuestPackage:
    """Modules (dotted name to source) that are imported into the snapshot.

    `entry`, "module:function", is called with each run's `Program` in place of executing it; its
    value becomes the result's. A program's own imports find the modules by their names.
    """

    modules: Mapping[str, str] = field(default_factory=dict)
    entry: str = f"{BOOT}:execute"

    def source(self, *, and_run: bool = False) -> str:
        """The program that puts everything in place in a fresh interpreter, and may run at once."""
        modules = {name: _own_source(name) for name in OWN_MODULES} | dict(self.modules)
        return _INSTALL.format(
            modules=json.dumps(json.dumps(modules)),
            warm=[] if and_run else WARM.split(),
            alias=BRIDGE_ALIAS,
            entry=self.entry.split(":"),
            then=_RUN if and_run else _SETTLE,
        )

    @cached_property
    def digest(self) -> str:
        """Changes whenever what is made from this would."""
        made = self.source() + self.source(and_run=True)
        return hashlib.sha256(made.encode()).hexdigest()


BARE = GuestPackage()


def _own_source(module: str) -> str:
    return files("vetbox.sandbox.guest").joinpath(module.rpartition(".")[2] + ".py").read_text()


_RUN = "run(); import os; os._exit(0)"  # finalising takes longer than starting did
_SETTLE = """\
import vetbox.sandbox.guest.lasting as lasting, vetbox.sandbox.guest.reserve as reserve
reserve.keep(); lasting.settle()
del lasting, reserve
"""
_INSTALL = """\
import importlib, json, os, sys, types

def install(modules):
    for name, source in modules.items():
        place(name, source)

def place(name, source):
    parent, _, own = name.rpartition(".")
    if parent and parent not in sys.modules:
        place(parent, "")
    module = types.ModuleType(name)
    module.__path__ = []
    sys.modules[name] = module
    exec(compile(source, "<" + "vetbox:" + name + ">", "exec"), module.__dict__)
    if parent:
        setattr(sys.modules[parent], own, module)

for name in {warm}:
    importlib.import_module(name)
install(json.loads({modules}))
sys.modules["{alias}"] = sys.modules["vetbox.sandbox.guest.bridge"]
boot = sys.modules["vetbox.sandbox.guest.boot"]
module, function = {entry}
boot.Boot.entry = staticmethod(getattr(sys.modules[module], function))
boot.bridge.connect()
sys.path[:] = [folder for folder in sys.path if folder]
os.environ.clear()
os.chdir("/app")
run, rehearse = boot.run, boot.rehearse
for name in [name for name in globals() if name not in ("run", "rehearse")]:
    del globals()[name]
{then}
"""
