"""The date that a release carries: given, of SOURCE_DATE_EPOCH, or today's."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from curate.errors import UsageError

__all__ = ["release_date"]


def release_date(given: str, *, today: bool = False) -> str | None:
    """YYYY-MM-DD, or None where none is said and `today` does not stand in.

    Raises UsageError for text that is no date, or a SOURCE_DATE_EPOCH that is no number.
    """
    if given:
        try:
            return datetime.strptime(given, "%Y-%m-%d").replace(tzinfo=UTC).date().isoformat()
        except ValueError:
            raise UsageError(f"{given!r} is no date", hint="--date 2026-01-31") from None
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC).date().isoformat() if today else None
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise UsageError("SOURCE_DATE_EPOCH is no number of seconds", where=epoch) from None
