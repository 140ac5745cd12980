"""Fixes: what to write instead, and writing it without touching anything else."""

from vetbox.rules.fixes.apply import Fixed, fixed, with_edits
from vetbox.rules.fixes.rewrite import rewritten
from vetbox.rules.language.correction import Correction

__all__ = ["Correction", "Fixed", "fixed", "rewritten", "with_edits"]
