"""From rule files to a rule set: read, checked, compiled, kept for the next start."""
