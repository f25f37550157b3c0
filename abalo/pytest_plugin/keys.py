"""Stash keys shared by the plugin's modules; imports only pytest."""

from __future__ import annotations

from typing import Any

import pytest

MARKERS = ("abalo", "abalo_regressions")

LOSSES = "abalo_losses"

CONFIGURATION = pytest.StashKey[Any]()

DEAL = pytest.StashKey[Any]()

LEFT_OUT = pytest.StashKey[dict[str, int]]()

AFTER = pytest.StashKey[Any]()

PAYLOAD = pytest.StashKey[Any]()

STORE = pytest.StashKey[str]()

RECORDS = pytest.StashKey[Any]()

TOLD = pytest.StashKey[dict[str, str]]()

STARTED = pytest.StashKey[float]()

UNUSABLE = pytest.StashKey[bool]()


NOTHING_HERE = "without a case in this run"


def leave_out(config: pytest.Config, items: list[pytest.Item], left: list[pytest.Item], why: str) -> None:
    """Deselects tests and records the reason."""
    if left:
        unwanted = set(left)
        items[:] = [item for item in items if item not in unwanted]
        counts = config.stash.setdefault(LEFT_OUT, {})
        counts[why] = counts.get(why, 0) + len(left)
        config.hook.pytest_deselected(items=left)


def is_ours(item: pytest.Item) -> bool:
    """True if a test judges a model."""
    return any(item.get_closest_marker(name) for name in MARKERS)
