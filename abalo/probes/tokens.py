"""Access to models that label single tokens."""

from __future__ import annotations

from abalo.core.protocols.probe import RunContext
from abalo.models.tokens.predictor import TokenPredictor


def token_predictor(engine: RunContext) -> TokenPredictor:
    """The session's predictor; raises TypeError if the model does not label tokens."""
    found = engine.predictor
    if not isinstance(found, TokenPredictor):
        raise TypeError(f"{engine.task.name}: its model labels no tokens; use another kind of case")
    return found
