"""Probes that look at single tokens of a sentence need a model that labels them."""

from __future__ import annotations

from abalo.core.probe import RunContext
from abalo.models.predictor import TokenPredictor


def token_predictor(session: RunContext) -> TokenPredictor:
    """The predictor of a session whose model labels tokens; raises TypeError for any other."""
    found = session.predictor
    if not isinstance(found, TokenPredictor):
        raise TypeError(f"{session.task.name}: its model labels no tokens; use another kind of case")
    return found
