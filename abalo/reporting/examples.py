"""The sentences that a perturbation hurt most, as plain JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abalo.tasks.ner.metrics.attack import broken
from abalo.core.example import Outcome
from abalo.tasks.ner.alignment import View, aligned, carried
from perturbations import Perturbed, Span, entity_spans

EXAMPLES = 10

Json = dict[str, Any]


def examples(outcomes: Sequence[Outcome], view: View = "projected") -> list[Json]:
    """The sentences that lost most in ``view``, worst first, each distinct one once; none that lost nothing.

    Of an attack that searches only those whose target it broke.
    """
    worst: dict[str, tuple[int, Outcome]] = {}
    for outcome in outcomes:
        added = _errors_added(outcome, view)
        if added > 0 and added > worst.get(outcome.sentence_id, (0, outcome))[0]:
            worst[outcome.sentence_id] = (added, outcome)
    ranked = sorted(worst.values(), key=lambda pair: (-pair[0], pair[1].sentence_id))
    return [_example(added, outcome) for added, outcome in ranked[:EXAMPLES]]


def _errors_added(outcome: Outcome, view: View) -> int:
    """Entities missed or invented after the perturbation, less those of the clean prediction."""
    if outcome.perturbed is None or (outcome.searched is not None and not broken(outcome)):
        return 0
    gold, predicted = aligned(outcome.gold, outcome.perturbed, outcome.prediction.tags, view)
    before = set(entity_spans(outcome.gold.tags or ())) ^ set(entity_spans(outcome.clean.tags))
    return len(set(entity_spans(gold)) ^ set(entity_spans(predicted))) - len(before)


def _example(added: int, outcome: Outcome) -> Json:
    perturbed = outcome.perturbed
    assert perturbed is not None
    source, target = outcome.gold, perturbed.sentence
    edited = [
        new
        for new, origin in enumerate(perturbed.origins)
        if len(origin) != 1 or source.tokens[origin[0]] != target.tokens[new]
    ]
    return {
        "sentence_id": outcome.sentence_id,
        "seed": outcome.seed,
        "broken": added,
        "tokens": list(source.tokens),
        "gold": list(source.tags or ()),
        "clean": list(outcome.clean.tags),
        "new_tokens": list(target.tokens),
        "new_gold": list(target.tags or ()),
        "predicted": list(outcome.prediction.tags),
        "origins": [list(origin) for origin in perturbed.origins],
        "edited": edited,
        "removed": [old for old, new in enumerate(perturbed.positions(len(source))) if new is None],
        "targets": _places(outcome.targets),
        "new_targets": _places(_moved(outcome, perturbed)),
    }


def _moved(outcome: Outcome, perturbed: Perturbed) -> Sequence[Span]:
    """Where the targets are now: the anchors, or what stands for the one target of a search."""
    if outcome.searched is None:
        return perturbed.sentence.anchors
    return [moved for target in outcome.targets if (moved := carried(perturbed, target)) is not None]


def _places(spans: Sequence[Span]) -> list[list[int | str]]:
    return [[span.start, span.stop, span.type] for span in spans]
