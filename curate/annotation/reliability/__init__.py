"""How far people agree, computed from what a campaign holds."""

from curate.annotation.reliability.overview import Reliability, reliability

__all__ = ["Reliability", "reliability"]
