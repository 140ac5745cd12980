"""The rule gate: schema, lint, fixtures, generated variants and mutants of every rule."""

from vetbox.gate.judge import Judgement, judge, judge_all

__all__ = ["Judgement", "judge", "judge_all"]
