"""The stash keys that the parts of the plugin share. Only pytest is imported here."""

from __future__ import annotations

from typing import Any

import pytest

MARKERS = ("abalo", "abalo_regressions")
"""The markers of tests that judge a model."""

LOSSES = "abalo_losses"
"""The marker of tests that list the losses against the reference; a run reports them itself."""

CONFIGURATION = pytest.StashKey[Any]()
"""The `Configuration` of the session."""

DEAL = pytest.StashKey[Any]()
"""The `Deal` of a run of which this session runs one shard."""

AFTER = pytest.StashKey[Any]()
"""The test that comes after this one, None for the last."""

PAYLOAD = pytest.StashKey[dict[str, Any]]()
"""The facts and results of a test, as plain values, which a worker can send."""

STORE = pytest.StashKey[str]()
"""The folder that the workers of one session share for predictions."""

SENT = pytest.StashKey[set[str]]()
"""The tasks whose wrong clean examples have been sent: once from each process."""

TOLD = pytest.StashKey[dict[str, str]]()
"""The problems that tests of this process have told in full, each with the test that did."""

UNUSABLE = pytest.StashKey[bool]()
"""Whether a corpus or model could not be used, which ends the run."""


def is_ours(item: pytest.Item) -> bool:
    """Whether a test judges a model."""
    return any(item.get_closest_marker(name) for name in MARKERS)
