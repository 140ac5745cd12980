"""Stores that are no variables: files, the environment of the process, standard output."""

import ast
from collections.abc import Iterator, Mapping, Set

from vetbox.rules.narrowing.functions import Function, Functions
from vetbox.rules.narrowing.indirect_calls import IndirectCalls
from vetbox.rules.narrowing.markers import Lookout
from vetbox.rules.narrowing.nodes import Nodes, all_locals, variable
from vetbox.rules.taint.reading.stores import ENVIRONMENTS, FILES, WRITING_METHODS

REDIRECTING = "redirect_stdout"
"""What leads standard output into a buffer."""
_WRITING: Set[str] = WRITING_METHODS | {"write", "writelines", "dump", "print"}
_READING: Set[str] = frozenset({"open", "read_text", "read_bytes"})


class Stores(IndirectCalls):
    """The edges into what is stored, and out of it."""

    def __init__(self, functions: Functions, lookout: Lookout) -> None:
        super().__init__(functions, lookout)
        self._naming: set[Function | None] = set()
        self._modules: set[str] = set()
        self._imported: set[str] = set()

    def _stored(self, node: ast.Call, name: str) -> Nodes:
        """What a call reads of a store, or of the variables of the module."""
        if name in _READING:
            own = variable(self._function, FILES)
            return [own, variable(None, FILES)] if _may_be_of_all(node) else [own]
        if name == REDIRECTING:
            printed = variable(None, REDIRECTING)
            for buffer in node.args:
                self._put_into(buffer, [printed])
            return [printed]
        if name == "globals":
            self._naming.add(None)
            return [all_locals(None)]
        is_of_environment = name == "getenv"
        return [variable(None, path) for path in ENVIRONMENTS if is_of_environment]

    def _store(self, node: ast.Call, name: str, given: Mapping[int, Nodes]) -> None:
        """What a call puts into a store, or into the variables of the module."""
        for word, value in _put_into_globals(node) if name == "update" else ():
            self.showing.add(self._function)
            self._flow(self._value(value), variable(None, word))
        if name in _WRITING:
            arguments = (*node.args, *(keyword.value for keyword in node.keywords))
            put = [value for one in arguments for value in given.get(id(one), ())]
            self._flow(put, variable(self._function, FILES))
            if put and (name != "print" or any(one.arg == "file" for one in node.keywords)):
                self.showing.add(self._function)
                self._flow(put, variable(None, FILES))
            if name == "print" and self._is_led_elsewhere():
                self.showing.add(self._function)
                self._flow(put, variable(None, REDIRECTING))

    def _is_led_elsewhere(self) -> bool:
        return "contextlib" in self._modules or REDIRECTING in self._imported


def _may_be_of_all(node: ast.Call) -> bool:
    """May a file be meant that others write: by a constant path, or that of an object?"""
    modes = (one.value for one in node.args[1:2] if isinstance(one, ast.Constant))
    if any(isinstance(mode, str) and "r" not in mode for mode in modes):
        return False
    return not node.args or not isinstance(node.args[0], ast.Name) or node.args[0].id.isupper()


def _put_into_globals(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The variables that `globals().update(…)` sets."""
    match node.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="globals"))):
            yield from ((one.arg, one.value) for one in node.keywords if one.arg)
            for table in (one for one in node.args if isinstance(one, ast.Dict)):
                for key, value in zip(table.keys, table.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key.value, value
