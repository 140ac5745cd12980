"""Taint: data that must not reach a place, followed from where it enters."""

from vetbox.rules.taint.flow import flows, followed
from vetbox.rules.taint.marks import Labelling, Marks, Policy, Propagator, Sink
from vetbox.rules.taint.summaries import Flow

__all__ = ["Flow", "Labelling", "Marks", "Policy", "Propagator", "Sink", "flows", "followed"]
