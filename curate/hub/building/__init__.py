"""Lay out finished folders as a release."""

from curate.hub.building.release import build_release

__all__ = ["build_release"]
