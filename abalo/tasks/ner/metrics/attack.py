"""Success of attacks on single entities [Dirkson et al., Breaking BERT, 2021, 3.1.1].

Counted are targets of searches: entities that the model found exactly in the clean sentence. A word of one is right
under its gold label, and under B-T where that is I-T. An attack succeeds when every word is wrong, partially when at
least half of them are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.example import Outcome
from abalo.core.metrics import Floats, Metric, share
from abalo.tasks.tokens.alignment import accepted, carried
from perturbations import Perturbed, Span, unchanged

_TARGETS, _BROKEN, _MISSED, _MISTYPED, _PARTIAL, _ANY, _SINGLE, _PERTURBED = range(8)


def attack_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome and type of its target, in columns.

    Targets; those with every word wrong, and of these those with only O, with another type among the labels, and with
    a single change; those with at least half of the words wrong but not all; those with any word wrong; and the sum
    over those with every word wrong of the share of words outside entities that were changed.
    """
    table = np.zeros((len(outcomes), len(types), 8))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.searched is None:
            continue
        (target,) = outcome.targets
        row = rows[column[target.type]]
        labels, wrong = seen(outcome)
        row[_TARGETS] += 1
        row[_ANY] += any(wrong)
        row[_PARTIAL] += len(wrong) <= 2 * sum(wrong) and not all(wrong)
        if all(wrong):
            row[_BROKEN] += 1
            row[_MISSED] += set(labels) == {"O"}
            row[_MISTYPED] += not {label[2:] for label in labels if label != "O"} <= {target.type}
            row[_SINGLE] += outcome.perturbed is not None and len(outcome.perturbed.edits) == 1
            row[_PERTURBED] += _changed_share(outcome)
    return table


def seen(outcome: Outcome) -> tuple[list[str], list[bool]]:
    """The labels that the words of the target have now, and whether each is wrong."""
    (target,) = outcome.targets
    return words_seen(target, outcome.perturbed or unchanged(outcome.sentence), outcome.prediction.tags)


def words_seen(target: Span, made: Perturbed, tags: Sequence[str]) -> tuple[list[str], list[bool]]:
    """The predicted labels of the target's words in a variant, and whether each is wrong.

    Words of a target that is gone are ``O``.
    """
    now = carried(made, target)
    if now is None:
        return ["O"] * len(target), [True] * len(target)
    labels = list(tags[now.start : now.stop])
    gold = (made.sentence.tags or ())[now.start : now.stop]
    return labels, [label not in accepted(right) for label, right in zip(labels, gold, strict=True)]


def broken(outcome: Outcome) -> bool:
    """Whether every word of the target is wrong now."""
    return all(seen(outcome)[1])


def _changed_share(outcome: Outcome) -> float:
    """The share of words outside all entities that were changed; 0 where there is no such word."""
    tags = outcome.sentence.tags or ()
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    changed = {i for edit in edits for i in range(edit.start, edit.stop) if tags[i] == "O"}
    return len(changed) / max(1, tags.count("O"))


success_rate = share(_BROKEN, _TARGETS)
"""Targets of which every word is wrong, over all targets; NaN where there are none."""

missed_entity_rate = share(_MISSED, _BROKEN)
"""Of the successes, those with O on every word; NaN without a success."""

type_error_rate = share(_MISTYPED, _BROKEN)
"""Of the successes, those with a label of another type; NaN without a success. B-T read as I-T is neither this nor a
missed entity."""

partial_success_rate = share(_PARTIAL, _TARGETS)
"""Targets of which at least half of the words are wrong, but not all, over all targets; NaN where there are none."""

any_word_wrong_rate = share(_ANY, _TARGETS)
"""Targets with any word wrong, over all targets; NaN where there are none."""

single_change_rate = share(_SINGLE, _BROKEN)
"""Of the successes, those that took a single change; NaN without a success."""

words_perturbed = share(_PERTURBED, _BROKEN)
"""Mean over the successes of changed words over words outside entities; NaN without a success."""

METRICS = tuple(
    Metric(name, attack_counts, value, probes=("attack",), meaning=meaning)
    for name, value, meaning in (
        ("success_rate", success_rate, "of the entities attacked, those with every word labelled wrong"),
        ("missed_entity_rate", missed_entity_rate, "of the successes, those in which no word has a label any more"),
        (
            "type_error_rate",
            type_error_rate,
            (
                "of the successes, those in which a word has a label of another type; the rest kept the type, with I- "
                "where B- stood"
            ),
        ),
        (
            "partial_success_rate",
            partial_success_rate,
            "of the entities attacked, those with at least half of the words labelled wrong, not all",
        ),
        ("any_word_wrong_rate", any_word_wrong_rate, "of the entities attacked, those with any word labelled wrong"),
        ("single_change_rate", single_change_rate, "of the successes, those that took a single change"),
        ("words_perturbed", words_perturbed, "changed words over words outside entities, mean over the successes"),
    )
)
