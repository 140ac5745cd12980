"""Code patterns: code with holes (`$X`, `...`) that is looked for in code.

- a pattern: `spelling` respells it as plain Python, `pattern` parses it; `vocabulary` says what its
  nodes mean, `tree` which of their fields do.
- matching: `matching` for expressions (with `arguments` and `literals`), `statements` for these
  (with `assignments` and `imports`), `runs` for several in a row; each in all `ways`, with the
  `bindings` of metavariables.
- what is known of a pattern beforehand: `kinds` (of nodes), `places` (words, and how near), `twins`
  (it names nothing, and repeats a part).
"""

from vetbox.rules.patterns.bindings import EMPTY, Bindings, Bound
from vetbox.rules.patterns.matching import Matcher
from vetbox.rules.patterns.pattern import Pattern, PatternError, parse_pattern
from vetbox.rules.patterns.places import (
    has_sure_start,
    is_any_block,
    is_around_on_line,
    is_hole,
    is_kept,
    is_line,
    is_local,
    is_run,
    is_together,
    site_words,
)
from vetbox.rules.patterns.runs import Run, Search
from vetbox.rules.patterns.statements import StatementMatcher
from vetbox.rules.patterns.twins import Twins, twins_of
from vetbox.rules.patterns.vocabulary import UNKNOWN, Facts

__all__ = [
    "EMPTY",
    "UNKNOWN",
    "Bindings",
    "Bound",
    "Facts",
    "Matcher",
    "Pattern",
    "PatternError",
    "Run",
    "Search",
    "StatementMatcher",
    "Twins",
    "has_sure_start",
    "is_any_block",
    "is_around_on_line",
    "is_hole",
    "is_kept",
    "is_line",
    "is_local",
    "is_run",
    "is_together",
    "parse_pattern",
    "site_words",
    "twins_of",
]
