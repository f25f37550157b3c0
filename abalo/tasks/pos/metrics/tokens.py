"""Accuracy over tokens, and the accuracy that a change costs.

Every labelled token counts once: on the clean sentence all of them, on a changed one those that can be compared. An
inserted token has no label and is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from abalo.core.metrics import Difference, Floats, Metric, share, sided
from abalo.core.outcome import Outcome
from perturbations.layers import UNLABELLED

_CLEAN_RIGHT, _CLEAN, _RIGHT, _TOKENS, _WAS_RIGHT, _FLIPPED = range(6)

Compared = tuple[str, str, int | None]
"""Gold tag, predicted tag, and the place of the token in the clean sentence; None for a token that is new."""


def token_counts(outcomes: Sequence[Outcome], view: str, tags: Sequence[str]) -> Floats:
    """Per outcome and gold tag, in columns.

    Clean tokens that are right, and clean tokens, but for those that are `renewed`; the same after the change in
    ``view``; tokens compared that were right on the clean sentence, and those of them that are wrong now.
    """
    table = np.zeros((len(outcomes), len(tags), 6))
    column = {tag: k for k, tag in enumerate(tags)}
    for rows, outcome in zip(table, outcomes, strict=True):
        gold, clean = outcome.sentence.tags or (), outcome.clean.tags
        left_out = renewed(outcome)
        for i, (right, predicted) in enumerate(zip(gold, clean, strict=True)):
            if right != UNLABELLED and i not in left_out:
                rows[column[right], :_RIGHT] += (predicted == right, 1)
        for right, predicted, place in compared(outcome, view):
            row, was_right = rows[column[right]], place is not None and clean[place] == gold[place]
            row[_RIGHT:_WAS_RIGHT] += (predicted == right, 1)
            row[_WAS_RIGHT:] += (was_right, was_right and predicted != right)
    return table


def renewed(outcome: Outcome) -> frozenset[int]:
    """The places of clean tokens in whose place is one other word, whose label is not known: they count nowhere."""
    gold, made = outcome.sentence.tags or (), outcome.perturbed
    if made is None or made.sentence.tags is None:
        return frozenset()
    stands = Counter(old for origin in made.origins for old in origin)
    return frozenset(
        origin[0]
        for tag, origin in zip(made.sentence.tags, made.origins, strict=True)
        if tag == UNLABELLED and len(origin) == 1 and stands[origin[0]] == 1 and gold[origin[0]] != UNLABELLED
    )


def compared(outcome: Outcome, view: str) -> Iterator[Compared]:
    """The labelled tokens of a changed sentence as ``view`` compares them; all of the clean one where nothing changed.

    Those that are `renewed` are left out of every view.

    * projected: an original token, by the first new token that stands for it; one that is gone is not counted;
    * structural: the new tokens, by the labels that were carried to them;
    * padded: position by position; past the end of the new sentence every prediction is wrong.
    """
    made, predicted, left_out = outcome.perturbed, outcome.prediction.tags, renewed(outcome)
    gold = [UNLABELLED if i in left_out else tag for i, tag in enumerate(outcome.sentence.tags or ())]
    if made is None:
        found: Iterator[Compared] = ((tag, predicted[i], i) for i, tag in enumerate(gold))
    elif view == "projected":
        places = enumerate(made.positions(len(gold)))
        found = ((gold[old], predicted[new], old) for old, new in places if new is not None)
    elif view == "structural":
        own = len(predicted) - made.joined
        labels = (made.sentence.tags or ())[:own]
        found = ((tag, predicted[new], _origin(made.origins[new])) for new, tag in enumerate(labels))
    else:
        own = len(predicted) - made.joined
        found = ((tag, predicted[i] if i < own else UNLABELLED, i) for i, tag in enumerate(gold))
    return (each for each in found if each[0] != UNLABELLED)


def _origin(origin: tuple[int, ...]) -> int | None:
    return origin[0] if len(origin) == 1 else None


accuracy = share(_RIGHT, _TOKENS)
"""Tokens with the gold tag over labelled tokens, 0 to 1; NaN where there are none."""


clean_accuracy = share(_CLEAN_RIGHT, _CLEAN)
"""Accuracy on the clean sentences, 0 to 1; NaN without a labelled token."""

accuracy_drop = Difference(clean_accuracy, accuracy)
"""Clean minus perturbed accuracy, -1 to 1; NaN where either has no token."""


flip_rate = share(_FLIPPED, _WAS_RIGHT)
"""Tokens right on the clean sentence and wrong after the change, over those right on it; NaN where there are none."""


def sided_counts(outcomes: Sequence[Outcome], view: str, tags: Sequence[str]) -> Floats:
    """Per outcome and gold tag: right tokens and tokens inside of a slice, then the same outside."""
    return sided(token_counts(outcomes, view, tags)[..., _RIGHT:_WAS_RIGHT], outcomes)


accuracy_gap = Difference(share(2, 3), share(0, 1), paired=False)
"""Accuracy outside of a slice less accuracy inside, -1 to 1; NaN where a side has no labelled token."""


METRICS = (
    Metric(
        "accuracy",
        token_counts,
        accuracy,
        of_clean=True,
        more_is_better=True,
        meaning="of the labelled words, those tagged right",
    ),
    Metric(
        "accuracy_drop",
        token_counts,
        accuracy_drop,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop over all",
        meaning="accuracy on the clean sentences less accuracy after the change, over all sentences",
    ),
    Metric(
        "flip_rate",
        token_counts,
        flip_rate,
        compares=True,
        flips=True,
        meaning="of the words tagged right on the clean sentence, those tagged wrong now",
    ),
    Metric(
        "accuracy_changed",
        token_counts,
        accuracy,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        meaning="accuracy over the changed sentences alone",
    ),
    Metric(
        "accuracy_drop_changed",
        token_counts,
        accuracy_drop,
        changed_only=True,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop",
        meaning="accuracy on the clean sentences less accuracy after the change, over the changed sentences",
    ),
    Metric(
        "accuracy_gap",
        sided_counts,
        accuracy_gap,
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        meaning="accuracy on all sentences outside of the slice less accuracy on those in it",
    ),
)
