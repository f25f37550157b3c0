"""The JSON Schema of thresholds.toml that editors read, as ``abalo schema thresholds`` prints it."""

from __future__ import annotations

from pathlib import Path

from abalo.config.thresholds_schema import as_text, thresholds_schema

PAGE = Path(__file__).parents[1] / "reference" / "thresholds.schema.json"


def made() -> str:
    """The whole file."""
    return as_text(thresholds_schema())
