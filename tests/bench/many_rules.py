"""python -m tests.bench.many_rules: what a scan pays for rules that do not match; at most 15 %."""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tests.bench.corpus import corpus
from vetbox.code.source import Source, SourceError
from vetbox.rules import Profile, RuleSet, check, load_rules
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.rule import Rule

FILES = 150
ROUNDS = 5
ALLOWED = 1.15
_UNUSED = "_unheard_of"


def main() -> int:
    """Both sets by turns on each file, in CPU time; the best of each counts."""
    sources = list(sample(corpus()))
    plain = load_rules()
    doubled = RuleSet.of([*plain.rules.values(), *map(unmatched, plain.rules.values())])
    few = many = 0.0
    for source in sources:
        rounds = [(cost(source, plain), cost(source, doubled)) for _ in range(ROUNDS)]
        few += min(first for first, _ in rounds)
        many += min(second for _, second in rounds)
    print(f"{len(sources)} files, {len(plain.rules)} rules: {few:.3f} CPU s")
    print(f"with {len(doubled.rules) - len(plain.rules)} that match nothing: {many:.3f} CPU s")
    print(f"{many / few:.2f} x, at most {ALLOWED} x")
    return 1 if many > few * ALLOWED else 0


def unmatched(rule: Rule) -> Rule:
    """The rule under another name, waiting for words that nobody writes."""
    anchors, needs = (tuple(map(_unwritten, found)) for found in (rule.anchors, rule.needs))
    return replace(rule, id=f"{rule.id}{_UNUSED}", anchors=anchors, needs=needs)


def _unwritten(anchor: Anchor) -> Anchor:
    words, sites, via = (
        frozenset(f"{word}{_UNUSED}" for word in group)
        for group in (anchor.words, anchor.sites, anchor.via)
    )
    root = anchor.root and f"{anchor.root}{_UNUSED}"
    regex = anchor.regex and f"(?:{anchor.regex}){_UNUSED}"
    return anchor._replace(words=words, sites=sites, via=via, root=root, regex=regex)


def sample(folder: Path) -> Iterator[Source]:
    files = sorted(folder.rglob("*.py"))
    for path in random.Random(3).sample(files, FILES):
        try:
            yield Source.from_bytes(path.read_bytes(), path.name)
        except SourceError:
            continue


def cost(source: Source, rules: RuleSet) -> float:
    fresh = Source(source.path, source.data, source.text)
    started = time.process_time()
    with suppress(SourceError):
        check(fresh, rules, profile=Profile.REPO)
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(main())
