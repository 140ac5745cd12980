"""Kept: a source that one mutant after another is run on; each of its parts is parsed once."""

from vetbox.source import Source


class Kept(Source):
    """What is known of its parts stays known: it does not depend on the rule that is asked."""

    def part(self, text: str) -> Source:
        parts: dict[str, Source] = self.__dict__.setdefault("_parts", {})
        if text not in parts:
            parts[text] = super().part(text)
        return parts[text]
