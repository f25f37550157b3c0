"""Abalo shakes NLP models before they ship: the harness that runs `perturbations`, measures, judges and reports."""

from abalo.errors import AbaloError

__version__ = "0.1.0"

__all__ = ["AbaloError", "__version__"]
