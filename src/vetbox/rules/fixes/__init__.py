"""Fixes: what to write instead, and writing it without touching anything else."""

from vetbox.rules.correction import Correction
from vetbox.rules.fixes.apply import Fixed, fixed, with_edits
from vetbox.rules.fixes.rewrite import rewritten

__all__ = ["Correction", "Fixed", "fixed", "rewritten", "with_edits"]
