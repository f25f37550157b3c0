"""Confidence drops at original tokens with gold other than O [stage 4, "confidence drops"].

Confidence is a raw logit or calibrated probability (`abalo.models.tokens.scores.ScoreScale`). Deleted tokens and
unknown labels are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, mean
from abalo.models.labelling.prediction import Scores
from abalo.models.tokens.scores import ScoreScale

_TOGETHER = 4096

_GOLD, _GOLD_LOGIT, _GOLD_PROBABILITY, _PRED, _PRED_LOGIT, _PRED_PROBABILITY = range(6)


def confidence_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Tokens, and summed losses of logit and probability, of gold, then of clean predictions, by type."""
    table = np.zeros((len(outcomes), len(types), 6))
    column = {kind: k for k, kind in enumerate(types)}
    for start in range(0, len(outcomes), _TOGETHER):
        part = outcomes[start : start + _TOGETHER]
        sides = _Tokens(), _Tokens()
        for row, outcome in enumerate(part, start):
            scale, before, after = outcome.scale, outcome.clean.scores, outcome.prediction.scores
            if scale is None or before is None or after is None:
                continue
            gold = outcome.sentence.tags or ()
            kept = [(old, new) for old, new in enumerate(_places(outcome)) if gold[old] != "O" and new is not None]
            for side, tags in zip(sides, (gold, outcome.clean.tags), strict=True):
                known = [(old, new, k) for old, new in kept if (k := scale.column(tags[old])) >= 0]
                side.cells += [(row, column[gold[old][2:]]) for old, _, _ in known]
                side.labels += [label for _, _, label in known]
                side.before.append(before[[old for old, _, _ in known]])
                side.after.append(after[[new for _, new, _ in known]])
        for side, first in zip(sides, (_GOLD, _PRED), strict=True):
            side.add_to(table[:, :, first : first + 3], part[0].scale)
    return table


@dataclass(slots=True)
class _Tokens:
    cells: list[tuple[int, int]] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    before: list[Scores] = field(default_factory=list)
    after: list[Scores] = field(default_factory=list)

    def add_to(self, table: Floats, scale: ScoreScale | None) -> None:
        if scale is None or not self.cells:
            return
        rows, columns = np.array(self.cells).T
        every, labels = np.arange(len(self.labels)), np.array(self.labels)
        before, after = np.concatenate(self.before), np.concatenate(self.after)
        drops = [
            np.ones(len(labels)),
            before[every, labels].astype(np.float64) - after[every, labels],
            scale.probabilities(before, labels) - scale.probabilities(after, labels),
        ]
        np.add.at(table, (rows, columns), np.stack(drops, axis=1))


def _places(outcome: Outcome) -> Sequence[int | None]:
    count = len(outcome.sentence)
    return range(count) if outcome.perturbed is None else outcome.perturbed.positions(count)


conf_drop_gold = mean(_GOLD_LOGIT, _GOLD)

conf_drop_pred = mean(_PRED_LOGIT, _PRED)

prob_drop_gold = mean(_GOLD_PROBABILITY, _GOLD)

prob_drop_pred = mean(_PRED_PROBABILITY, _PRED)

METRICS = tuple(
    Metric(
        name,
        confidence_counts,
        value,
        views=("projected",),
        compares=True,
        low=-most,
        high=most,
        title=title,
        meaning=meaning,
    )
    for name, value, most, title, meaning in (
        (
            "conf_drop_gold",
            conf_drop_gold,
            math.inf,
            "confidence drop (gold label)",
            "drop in the score of the gold label, mean over words of gold entities, in logits",
        ),
        (
            "conf_drop_pred",
            conf_drop_pred,
            math.inf,
            "confidence drop (predicted label)",
            "drop in the score of the label predicted on the clean sentence, mean over the same words, in logits",
        ),
        (
            "prob_drop_gold",
            prob_drop_gold,
            1.0,
            "probability drop (gold label)",
            "drop in the probability of the gold label, mean over words of gold entities",
        ),
        (
            "prob_drop_pred",
            prob_drop_pred,
            1.0,
            "probability drop (predicted label)",
            "drop in the probability of the label predicted on the clean sentence, mean over the same words",
        ),
    )
)
