"""A result on its way to the caller: secrets hidden, kept when large, marked when asked to."""

import os
from dataclasses import dataclass

from vetbox.config import Config
from vetbox.config.secrets import secret_values
from vetbox.errors import VetboxError
from vetbox.run.outcome import Finished
from vetbox.run.output import serialize_result
from vetbox.run.result_store import MAX_PREVIEW, ResultStore, hint, overview
from vetbox.run.sanitize import sanitized

HIDDEN = "[REDACTED:secret]"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the caller reads, and the handle of the whole where that is only its summary."""

    text: str
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Presentation:
    """How results of one project are presented."""

    config: Config
    store: ResultStore

    def of(self, text: str, said: Finished, *, source: str) -> Shown:
        """A program's text as the program and the configuration want it; `source` are its tools."""
        shown = self._short(self.without_secrets(text), said, source)
        return self._marked(shown, said.sanitize, source)

    def of_failure(
        self, printed: str, error: str, *, source: str, sanitize: bool | None = None
    ) -> Shown:
        """What a program printed and then how it failed; much text is kept, the error is shown.

        An exception's text comes from outside as a value does: `sanitize` is what the program set.
        """
        printed, error = self.without_secrets(printed), self.without_secrets(error)
        if not self._is_large(printed + error):
            return self._marked(Shown(printed + error), sanitize, source)
        try:
            stored = self.store.keep(printed, tool=source)
        except VetboxError as unkept:
            shown = Shown(f"{self._beginning(printed)}\n({unkept})\n{error}")
        else:
            shown = Shown(f"{error}\n(what it printed is kept: {hint(stored)})", stored.handle)
        return self._marked(shown, sanitize, source)

    def without_secrets(self, text: str) -> str:
        """The text without the values that the configuration only refers to."""
        for secret in secret_values(self.config, os.environ):
            text = text.replace(secret, HIDDEN)
        return text

    def _marked(self, shown: Shown, sanitize: bool | None, source: str) -> Shown:
        """The same between boundary tags, where the program or else the configuration says so."""
        if not (self.config.security.sanitize if sanitize is None else sanitize):
            return shown
        triggers = self.config.security.triggers
        return Shown(sanitized(shown.text, source=source, triggers=triggers), shown.handle)

    def _short(self, text: str, said: Finished, source: str) -> Shown:
        if not self._is_large(text):
            return Shown(text)
        try:
            stored = self.store.keep(text, tool=source)
        except VetboxError as unkept:  # what the program did is done: its result is not lost
            return Shown(f"{self._beginning(text)}\n({unkept})")
        summary = overview(stored, text, preview_lines=self.config.output.preview_lines)
        return Shown(serialize_result(summary, said.format), stored.handle)

    def _beginning(self, text: str) -> str:
        """As much as may be shown; at least a preview."""
        most = max(self.config.output.max_inline_size, MAX_PREVIEW)
        return text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore") + "…"

    def _is_large(self, text: str) -> bool:
        return len(text.encode("utf-8", "surrogatepass")) > self.config.output.max_inline_size
