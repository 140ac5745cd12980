"""What a check says of suppressing comments, by code: no rules, so they can only be ignored."""

from collections.abc import Mapping

UNUSED = "unused-suppression"
INCOMPLETE = "incomplete-suppression"
UNKNOWN = "unknown-suppression"
MEANINGS: Mapping[str, str] = {
    UNUSED: "A suppression that accepts nothing: its rule finds nothing in that statement.",
    INCOMPLETE: "A suppression without a rule or a reason, which therefore accepts nothing.",
    UNKNOWN: "A suppression that misspells its rule, and therefore accepts nothing.",
}
