"""Where the parts of the plugin leave things for each other. Nothing is imported here but pytest."""

from __future__ import annotations

from typing import Any

import pytest

MARKERS = ("abalo", "abalo_regressions")
"""The markers of tests that judge a model."""

CONFIGURATION = pytest.StashKey[Any]()
"""The `Configuration` of the session."""

PAYLOAD = pytest.StashKey[dict[str, Any]]()
"""Where a test leaves its facts and results: plain values, which survive the way from a worker."""

STORE = pytest.StashKey[str]()
"""The folder that the workers of one session share for predictions."""


def is_ours(item: pytest.Item) -> bool:
    """Whether a test judges a model."""
    return any(item.get_closest_marker(name) for name in MARKERS)
