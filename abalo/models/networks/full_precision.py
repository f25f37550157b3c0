"""The full-precision checkpoint behind a lower-precision model."""

from __future__ import annotations

from abalo.files import expand_home
from abalo.models.networks.checkpoint import has_weights
from abalo.models.networks.exported import SUFFIX


def weights_beside(spec: str) -> str | None:
    """The folder with a graph's original weights, or None."""
    path = expand_home(spec)
    if path.suffix != SUFFIX or not path.is_file():
        return None
    folders = (path.parent, path.parent.parent)
    return next((str(folder) for folder in folders if (folder / "config.json").is_file() and has_weights(folder)), None)
