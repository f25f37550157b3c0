"""Token accuracy, and how much a change lowers it.

Only labelled tokens count; inserted ones have no label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Difference, Floats, Metric, share, split_sides
from abalo.tasks.tokens.alignment import labelled_answers
from perturbations.layers import UNLABELLED

_CLEAN_RIGHT, _CLEAN, _RIGHT, _TOKENS, _WAS_RIGHT, _FLIPPED, _PREDICTED = range(7)

ComparedToken = tuple[str, str, int | None]


def token_counts(outcomes: Sequence[Outcome], view: str, tags: Sequence[str]) -> Floats:
    """Right and all tokens clean, then in ``view``, right before and flipped, by gold tag; all by predicted tag."""
    table = np.zeros((len(outcomes), len(tags), 7))
    column = {tag: k for k, tag in enumerate(tags)}
    for rows, outcome in zip(table, outcomes, strict=True):
        gold, clean = outcome.sentence.tags or (), outcome.clean.tags
        left_out = renewed_tokens(outcome)
        for i, (right, predicted) in enumerate(zip(gold, clean, strict=True)):
            if right != UNLABELLED and i not in left_out:
                rows[column[right], :_RIGHT] += (predicted == right, 1)
        for right, predicted, place in compare_tokens(outcome, view):
            row, was_right = rows[column[right]], place is not None and clean[place] == gold[place]
            row[_RIGHT:_WAS_RIGHT] += (predicted == right, 1)
            row[_WAS_RIGHT:_PREDICTED] += (was_right, was_right and predicted != right)
            if predicted in column:
                rows[column[predicted], _PREDICTED] += 1
    return table


def renewed_tokens(outcome: Outcome) -> frozenset[int]:
    """Places of clean tokens replaced by a word of unknown label; never counted."""
    gold, made = outcome.sentence.tags or (), outcome.perturbed
    if made is None or made.sentence.tags is None:
        return frozenset()
    stands = Counter(old for origin in made.origins for old in origin)
    return frozenset(
        origin[0]
        for tag, origin in zip(made.sentence.tags, made.origins, strict=True)
        if tag == UNLABELLED and len(origin) == 1 and stands[origin[0]] == 1 and gold[origin[0]] != UNLABELLED
    )


def compare_tokens(outcome: Outcome, view: str) -> Iterator[ComparedToken]:
    """The labelled tokens as ``view`` compares them, without `renewed_tokens`.

    * projected: original tokens, by their first new token; deleted ones are left out.
    * structural: new tokens with carried labels.
    * padded: by position; predictions past the end are wrong.
    """
    made, predicted, left_out = outcome.perturbed, outcome.prediction.tags, renewed_tokens(outcome)
    gold = [UNLABELLED if i in left_out else tag for i, tag in enumerate(outcome.sentence.tags or ())]
    if made is None:
        found: Iterator[ComparedToken] = ((tag, predicted[i], i) for i, tag in enumerate(gold))
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


clean_accuracy = share(_CLEAN_RIGHT, _CLEAN)

accuracy_drop = Difference(clean_accuracy, accuracy)


flip_rate = share(_FLIPPED, _WAS_RIGHT)


def sided_counts(outcomes: Sequence[Outcome], view: str, tags: Sequence[str]) -> Floats:
    """Right and all tokens inside a slice, then outside, by gold tag."""
    return split_sides(token_counts(outcomes, view, tags)[..., _RIGHT:_WAS_RIGHT], outcomes)


accuracy_gap = Difference(share(2, 3), share(0, 1), paired=False)


METRICS = (
    Metric(
        "accuracy",
        token_counts,
        accuracy,
        of_clean=True,
        more_is_better=True,
        exact=True,
        by_label=lambda sums: sums[..., [_RIGHT, _PREDICTED, _TOKENS]],
        meaning="share of the labelled words that are tagged correctly",
    ),
    Metric(
        "accuracy_drop",
        token_counts,
        accuracy_drop,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop over all sentences",
        meaning="accuracy on the clean sentences minus accuracy after the change, over all sentences",
    ),
    Metric(
        "flip_rate",
        token_counts,
        flip_rate,
        compares=True,
        flips=True,
        outputs=labelled_answers,
        meaning="share of the words tagged correctly on the clean sentence that are tagged wrongly now",
    ),
    Metric(
        "accuracy_changed",
        token_counts,
        accuracy,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        meaning="accuracy on the changed sentences only",
    ),
    Metric(
        "accuracy_drop_changed",
        token_counts,
        accuracy_drop,
        changed_only=True,
        low=-1.0,
        before=clean_accuracy,
        title="accuracy drop",
        meaning="accuracy on the clean sentences minus accuracy after the change, over the changed sentences",
    ),
    Metric(
        "accuracy_gap",
        sided_counts,
        accuracy_gap,
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        meaning="accuracy on the sentences outside the slice minus accuracy on the sentences in it",
    ),
)
