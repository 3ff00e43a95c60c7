"""Verify a release: what it should hold, and whether that is what lies there."""

from curate.hub.check.problem import CODES, Problem
from curate.hub.check.release import check_release

__all__ = ["CODES", "Problem", "check_release"]
