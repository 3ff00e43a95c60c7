"""The HTML report of a run, a release or a demo."""

from __future__ import annotations

from curate.report.page import write_report

__all__ = ["write_report"]
