"""Releases: pairs laid out so that `datasets.load_dataset` opens them, with card and manifest."""

from curate.hub.building import build_release
from curate.hub.check import Problem, check_release

__all__ = ["Problem", "build_release", "check_release"]
