"""Machine translation scores from sacreBLEU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from abalo.errors import AbaloError
from abalo.validators.validator import Plain
from perturbations import Sentence


def metrics_of(name: str) -> Any:
    """The metrics of sacreBLEU; raises `AbaloError` if missing."""
    try:
        from sacrebleu import metrics
    except ImportError as error:
        raise AbaloError(f"{name} needs sacreBLEU: pip install 'abalo[validators]'") from error
    return metrics


def against_original(name: str, measure: Any, text: Callable[[Sentence], str]) -> Plain:
    """The score against the original, divided by 100, named by sacreBLEU's signature."""

    def of(original: Sentence, variant: Sentence) -> float:
        return float(measure.sentence_score(text(variant), [text(original)]).score) / 100

    measure.sentence_score("a", ["a"])  # without which it does not know its signature
    return Plain(f"{name} by sacreBLEU, {measure.get_signature()}", of)
