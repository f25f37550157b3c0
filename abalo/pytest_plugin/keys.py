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

LEFT_OUT = pytest.StashKey[dict[str, int]]()
"""How many tests this plugin has deselected, by the reason."""

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


NOTHING_HERE = "without a case in this run"
"""Why a test is deselected that is for no case of the thresholds, no regression and no loss."""


def leave_out(config: pytest.Config, items: list[pytest.Item], left: list[pytest.Item], why: str) -> None:
    """Deselects tests for a reason that is told."""
    if left:
        unwanted = set(left)
        items[:] = [item for item in items if item not in unwanted]
        counts = config.stash.setdefault(LEFT_OUT, {})
        counts[why] = counts.get(why, 0) + len(left)
        config.hook.pytest_deselected(items=left)


def is_ours(item: pytest.Item) -> bool:
    """Whether a test judges a model."""
    return any(item.get_closest_marker(name) for name in MARKERS)
