"""The losses against the accepted run, with ``--abalo-against DIR``: one test for each loss that stops a release.

A run reports them when all other tests are done, so no function is called here; ``--collect-only`` lists them.
"""

import pytest


@pytest.mark.abalo_losses
def test_loss(loss: str) -> None:
    """The model has lost no more than allowed against the reference in the case ``loss``."""
    raise AssertionError(f"{loss}: is reported at the end of a run, by the plugin of Abalo")
