"""A counterexample as plain JSON values, complete enough to show it and to try it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abalo.attacks.log import seen_record
from abalo.core.example import Outcome
from abalo.promises.trial import confidence
from abalo.tasks.ner.metrics.attack import target_seen
from abalo.tasks.ner.metrics.promises import lost
from perturbations import Span, unchanged


def record_of(name: str, promise: str, outcome: Outcome) -> Mapping[str, Any]:
    """An outcome that broke the promise ``name``, as a record of a regression corpus with more fields for reports.

    The target is the entity that lost most confidence of those that are lost.
    """
    target = max(lost(outcome), key=lambda span: (_fall(outcome, span), -span.start))
    pair = confidence(outcome, target)
    attacked = target_seen(target, outcome.perturbed or unchanged(outcome.sentence), outcome.prediction.tags)
    labels = {"clean": outcome.clean.tags[target.start : target.stop], "attacked": attacked.labels}
    return {
        **seen_record(name, outcome, [target], labels),
        "promise": promise,
        "targets": [[span.start, span.stop, span.type] for span in outcome.targets],
        "broken": True,
        "predicted": {"clean": outcome.clean.tags, "perturbed": outcome.prediction.tags},
        "confidence": None if pair is None else {"before": pair[0], "after": pair[1]},
    }


def _fall(outcome: Outcome, span: Span) -> float:
    pair = confidence(outcome, span)
    return 1.0 if pair is None else pair[0] - pair[1]
