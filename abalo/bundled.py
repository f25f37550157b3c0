"""The files that ship with Abalo."""

from pathlib import Path

LEADING = "ner"
"""Default task for a given model."""

CORPUS = "bundled:legal-pt"

QUESTIONS = "bundled:questions"

USUAL_LANGUAGE = "pt"
"""ISO 639-1."""


CASES = "tests_behavioral/cases.toml"

OWN_GATE = Path(__file__).resolve().parent.parent / "thresholds.toml"
"""Only in a checkout."""


def bundled_path(name: str) -> Path:
    """A path relative to the repository, in a wheel or a checkout."""
    here = Path(__file__).resolve().parent
    for root in (here / "_bundled", here.parent):
        if (root / name).exists():
            return root / name
    raise FileNotFoundError(
        f"{name} is missing from this installation of Abalo: reinstall it (pip install --force-reinstall abalo)"
    )
