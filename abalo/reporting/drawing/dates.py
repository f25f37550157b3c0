"""Dates in reports."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from abalo.core.records import words


def day_of(said: Any) -> date | None:
    """Parses a date, or a timestamp in local time; None for anything else."""
    try:
        return date.fromisoformat(said)
    except (TypeError, ValueError):
        pass
    try:
        return datetime.fromisoformat(said).astimezone().date()
    except (TypeError, ValueError, OverflowError):
        return None


def with_age(said: object, today: date) -> str:
    """Formats a date with its age, such as ``2026-11-01 (21 days ago)``."""
    day = day_of(said)
    if day is None:
        return words.NOTHING if said is None else words.name(str(said))
    days = (today - day).days
    if days < 0:
        return f"{day} (not yet)"
    return f"{day} ({'today' if days == 0 else words.count(days, 'day') + ' ago'})"
