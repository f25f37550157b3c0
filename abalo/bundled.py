"""Where the files are that ship with Abalo."""

from pathlib import Path


def bundled(name: str) -> Path:
    """The path of a bundled file or folder: inside an installed wheel, else beside the package in a checkout.

    ``name`` is relative to the repository, such as ``"fixtures/model"`` or ``"thresholds.toml"``.
    """
    here = Path(__file__).resolve().parent
    for root in (here / "_bundled", here.parent):
        if (root / name).exists():
            return root / name
    raise FileNotFoundError(
        f"{name} is missing from this installation of Abalo: reinstall it (pip install --force-reinstall abalo)"
    )
