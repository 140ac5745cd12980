"""Filtering: which rules can fire in a file at all, and where: by words, before it is parsed.

- what a rule waits for: anchors, made of formulas by `anchoring`, of names by `name_anchors`, of
  code by `pattern_anchors`, of whole rules by `rule_anchors`; `required_parts`; `reach` (how far a
  formula looks).
- regexes on texts, as a file's bytes may hold these: `relaxed_regexes`, `escaped_regexes`,
  `literals`.
- what a file holds: `prefilter` asks `vocabulary` (words), `regex_search`, `mentions` (how a name
  stands there) and `signs`.
"""
