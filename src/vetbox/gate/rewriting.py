"""Rewriting: a module's text after rewrites, in which unchanged parts keep their characters."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import libcst as cst

from vetbox.gate.visiting import changed

Rewrite = Callable[[cst.Module], cst.CSTTransformer]
MAX_TEXTS = 32  # more fixtures than any rule has; variants and mutants ask for the same


class Rewriting:
    """A text with its module, and what each rewrite has made of it."""

    def __init__(self, text: str) -> None:
        self.module = cst.parse_module(text)
        self._texts: dict[Rewrite, str] = {}

    @cached_property
    def text(self) -> str:
        """As libcst writes it."""
        return self.module.code

    def by(self, rewrite: Rewrite) -> str:
        """The text as a rewrite leaves it."""
        if rewrite not in self._texts:
            self._texts[rewrite] = self._rewritten(rewrite)
        return self._texts[rewrite]

    def _rewritten(self, rewrite: Rewrite) -> str:
        transformer = rewrite(self.module)
        body = [changed(statement, transformer) for statement in self.module.body]
        if self._parts is None:
            return self.module.with_changes(body=body).code
        head, statements, tail = self._parts
        written = (
            known if new is old else self.module.code_for_node(new)
            for known, new, old in zip(statements, body, self.module.body, strict=True)
        )
        return "".join((head, *written, tail))

    @cached_property
    def _parts(self) -> tuple[str, Sequence[str], str] | None:
        """Before the statements, each of them, and behind; None if that is not all of the text."""
        module = self.module
        head = "".join(map(module.code_for_node, module.header))
        statements = [*map(module.code_for_node, module.body)]
        tail = "".join(map(module.code_for_node, module.footer))
        return (head, statements, tail) if "".join((head, *statements, tail)) == self.text else None


@lru_cache(maxsize=MAX_TEXTS)
def rewriting_of(text: str) -> Rewriting:
    """The same for the same text."""
    return Rewriting(text)
