"""Where the files are that ship with Abalo."""

from pathlib import Path

LEADING = "ner"
"""The task that a model alone is for, and whose facts stand at the top of a report about several tasks."""

CORPUS = "bundled:legal-pt"
"""The corpus to judge on unless another is named."""

QUESTIONS = "bundled:questions"
"""The questions to judge on unless others are named."""

USUAL_LANGUAGE = "pt"
"""The language of a corpus unless another is said, an ISO 639-1 code."""


CASES = "tests_behavioral/cases.toml"
"""The default cases of every task, without bounds."""

OWN_GATE = Path(__file__).resolve().parent.parent / "thresholds.toml"
"""The gate of the bundled models, in a checkout of Abalo alone."""


def bundled(name: str) -> Path:
    """The path of a bundled file or folder: inside an installed wheel, else beside the package in a checkout.

    ``name`` is relative to the repository, such as ``"fixtures/model"`` or ``"tests_behavioral/cases.toml"``.
    """
    here = Path(__file__).resolve().parent
    for root in (here / "_bundled", here.parent):
        if (root / name).exists():
            return root / name
    raise FileNotFoundError(
        f"{name} is missing from this installation of Abalo: reinstall it (pip install --force-reinstall abalo)"
    )
