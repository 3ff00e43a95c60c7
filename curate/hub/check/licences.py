"""Whether the sources of a release may be published, as far as their licences say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curate.hub.check.problem import Problem, problem
from curate.hub.layout import data_path

__all__ = ["UNKNOWN", "check_licences"]

UNKNOWN = "licence-unknown"


def check_licences(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """A finding for every source that forbids publishing, or of which nobody knows."""
    from curate.hub.card.facts import read_facts
    from curate.hub.card.licences import licence_findings

    for finding in licence_findings(read_facts(folder, manifest)):
        code = UNKNOWN if finding.unknown else "licence-forbids"
        yield problem(data_path(finding.config), code, finding.message)
