"""Checks of minimal pairs: verdicts with stable codes."""

from curate.checks.codes import CODES, Code, Finding, is_finding, known_codes
from curate.checks.export import (
    codes_json,
    rows_with_findings,
    verdicts_csv,
    verdicts_json,
)
from curate.checks.fort2024 import fort2024, read_equivalents
from curate.checks.loaded import load_checker
from curate.checks.pair import PairChecker
from curate.checks.table import check_pairs, check_rule_fort2024, count_codes, has_findings

__all__ = [
    "CODES",
    "Code",
    "Finding",
    "PairChecker",
    "check_pairs",
    "check_rule_fort2024",
    "codes_json",
    "count_codes",
    "fort2024",
    "has_findings",
    "is_finding",
    "known_codes",
    "load_checker",
    "read_equivalents",
    "rows_with_findings",
    "verdicts_csv",
    "verdicts_json",
]
