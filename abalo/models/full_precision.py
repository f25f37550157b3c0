"""The checkpoint in full precision behind a model that computes with less."""

from __future__ import annotations

from abalo.files import expanded
from abalo.models.checkpoint import has_weights
from abalo.models.exported import SUFFIX


def weights_beside(spec: str) -> str | None:
    """The folder of the weights that a graph was exported from, where they lie beside it or above; else None."""
    path = expanded(spec)
    if path.suffix != SUFFIX or not path.is_file():
        return None
    folders = (path.parent, path.parent.parent)
    return next((str(folder) for folder in folders if (folder / "config.json").is_file() and has_weights(folder)), None)
