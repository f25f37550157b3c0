"""Success of attacks on single entities [Dirkson et al., Breaking BERT, 2021, 3.1.1].

Counted are targets of searches: entities that the model found exactly in the clean sentence. A word of one is right
under its gold label, and under B-T where that is I-T. An attack succeeds when every word is wrong and the entity is
not found exactly any more, partially when at least half of the words are wrong, not all, and it is not found. An entity
that is found, such as one of a single word with I- for B-, is no success of either kind, whatever its labels: the paper
counts labels alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from abalo.core.example import Obstacle, Outcome
from abalo.core.metrics import Floats, Metric, Share, column, share
from abalo.tasks.tokens.alignment import accepted, carried
from perturbations import Perturbed, Span, entity_spans, unchanged

_TARGETS, _BROKEN, _MISSED, _MISTYPED, _PARTIAL, _ANY, _SINGLE, _PERTURBED, _SHIFTED, _PARTIAL_BEST, _ANY_BEST = range(
    11
)
_FAILED = {obstacle: 11 + k for k, obstacle in enumerate(Obstacle)}
_COLUMNS = 11 + len(Obstacle)


class Kind(StrEnum):
    """The kinds of success, of which each is one."""

    MISSED = "missed"
    TYPE_ERROR = "type_error"
    BOUNDARY_ERROR = "boundary_error"


@dataclass(frozen=True, slots=True)
class Seen:
    """An entity as a prediction has it.

    ``labels`` and ``wrong`` are those of its words: the label, and whether it is wrong. ``found`` says whether the
    prediction holds the entity exactly, type and both ends right, by seqeval's reading.
    """

    type: str
    labels: tuple[str, ...]
    wrong: tuple[bool, ...]
    found: bool

    @property
    def broken(self) -> bool:
        """Whether every word is wrong and the entity is not found: full success."""
        return all(self.wrong) and not self.found

    @property
    def partly(self) -> bool:
        """Whether at least half of the words are wrong, not all, and the entity is not found: partial success."""
        return len(self.wrong) <= 2 * sum(self.wrong) and not all(self.wrong) and not self.found

    @property
    def kind(self) -> Kind | None:
        """The kind of a full success, None for any other outcome.

        Missed with O on every word, a type error with any other type among the labels, else a boundary error: the type
        is right, but the entity begins or ends elsewhere.
        """
        if not self.broken:
            return None
        types = {label[2:] for label in self.labels if label != "O"}
        if not types:
            return Kind.MISSED
        return Kind.BOUNDARY_ERROR if types == {self.type} else Kind.TYPE_ERROR

    @property
    def damage(self) -> tuple[bool, float, float]:
        """Larger the harder the entity was hit: whether it is broken, then the share of wrong words.

        That share counts first where the entity is not found. So what is hit as hard as another is a success, whole or
        in part, or has a wrong word, if the other is or has.
        """
        wrong = sum(self.wrong) / len(self.wrong)
        return self.broken, 0.0 if self.found else wrong, wrong


def seen_in(span: Span, gold: Sequence[str], tags: Sequence[str]) -> Seen:
    """The entity that stands at ``span``, with these gold labels, as the tags of its sentence have it."""
    labels = tuple(tags[span.start : span.stop])
    wrong = tuple(label not in accepted(right) for label, right in zip(labels, gold, strict=True))
    return Seen(span.type, labels, wrong, span in entity_spans(tags))


def target_seen(target: Span, made: Perturbed, tags: Sequence[str]) -> Seen:
    """The target in a variant, as the tags predicted for the variant have it; one that is gone has O on every word."""
    now = carried(made, target)
    if now is None:
        return Seen(target.type, ("O",) * len(target), (True,) * len(target), False)
    return seen_in(now, (made.sentence.tags or ())[now.start : now.stop], tags)


def seen(outcome: Outcome) -> Seen:
    """The target as the model sees it in the state that the search settled on."""
    (target,) = outcome.targets
    return target_seen(target, outcome.perturbed or unchanged(outcome.sentence), outcome.prediction.tags)


def best_seen(outcome: Outcome) -> Seen:
    """The target as the model saw it in the best state that the search reached, which may be the one it settled on."""
    best = None if outcome.searched is None else outcome.searched.best
    if best is None:
        return seen(outcome)
    (target,) = outcome.targets
    return target_seen(target, best.variant.perturbed, best.prediction.tags)


def broken(outcome: Outcome) -> bool:
    """Whether every word of the target is wrong now, and the entity not found any more."""
    return seen(outcome).broken


def target_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome and type of its target, in columns.

    Targets; full successes, and of these those with only O, with another type among the labels, partial successes,
    those with any word wrong, full successes with a single change, and the sum over full successes of the share of
    words outside entities that were changed; full successes that are boundary errors; partial successes and those with
    any word wrong in the best state that the search reached; failures by `Obstacle`, in its order.
    """
    table = np.zeros((len(outcomes), len(types), _COLUMNS))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.searched is None:
            continue
        (target,) = outcome.targets
        row = rows[column[target.type]]
        now, best = seen(outcome), best_seen(outcome)
        row[_TARGETS] += 1
        row[_ANY] += any(now.wrong)
        row[_PARTIAL] += now.partly
        row[_ANY_BEST] += any(best.wrong)
        row[_PARTIAL_BEST] += best.partly
        if now.broken:
            row[_BROKEN] += 1
            row[_MISSED] += now.kind is Kind.MISSED
            row[_MISTYPED] += now.kind is Kind.TYPE_ERROR
            row[_SHIFTED] += now.kind is Kind.BOUNDARY_ERROR
            row[_SINGLE] += outcome.perturbed is not None and len(outcome.perturbed.edits) == 1
            row[_PERTURBED] += _changed_share(outcome)
        else:
            row[_FAILED[outcome.searched.obstacle]] += 1
    return table


def kept_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome and type of its entity: entities, and those that the model finds and that were not broken.

    Entities are the targets, and all others of the same sentences, which the model does not find.
    """
    table = np.zeros((len(outcomes), len(types), 2))
    column = {kind: k for k, kind in enumerate(types)}
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.searched is not None or outcome.not_found:
            (target,) = outcome.targets
            rows[column[target.type]] += 1, not outcome.not_found and not broken(outcome)
    return table


def _changed_share(outcome: Outcome) -> float:
    """The share of words outside all entities that were changed; 0 where there is no such word."""
    tags = outcome.sentence.tags or ()
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    changed = {i for edit in edits for i in range(edit.start, edit.stop) if tags[i] == "O"}
    return len(changed) / max(1, tags.count("O"))


success_rate = share(_BROKEN, _TARGETS)
"""Targets with every word wrong that are not found exactly any more, over all targets; NaN where there are none."""

robust_recall = share(1, 0)
"""Entities found in the clean sentence and not broken, over all entities of the sentences attacked; or NaN.

Unlike the success rate it does not reward a model for finding few entities, which leaves few to attack.
"""

missed_entity_rate = share(_MISSED, _BROKEN)
"""Of the successes, those with O on every word; NaN without a success."""

type_error_rate = share(_MISTYPED, _BROKEN)
"""Of the successes, those with a label of another type; NaN without a success."""

boundary_error_rate = share(_SHIFTED, _BROKEN)
"""Of the successes, those with labels of the right type alone, beside O; NaN without a success. With the two above 1.
"""

partial_success_rate = share(_PARTIAL, _TARGETS)
"""Targets of which at least half of the words are wrong, not all, and that are not found, over all targets; or NaN."""

best_partial_success_rate = share(_PARTIAL_BEST, _TARGETS)
"""The same in the best state that each search reached: at least the rate in the final one."""

any_word_wrong_rate = share(_ANY, _TARGETS)
"""Targets with any word wrong, found or not, over all targets; NaN where there are none."""

best_any_word_wrong_rate = share(_ANY_BEST, _TARGETS)
"""The same in the best state that each search reached: at least the rate in the final one."""

single_change_rate = share(_SINGLE, _BROKEN)
"""Of the successes, those that took a single change; NaN without a success."""

words_perturbed = share(_PERTURBED, _BROKEN)
"""Mean over the successes of changed words over words outside entities; NaN without a success."""


def failure_rate(obstacle: Obstacle) -> Share:
    """Of the failures, those that this held up, 0 to 1; NaN without a failure. Over all obstacles they sum to 1."""
    return Share(column(_FAILED[obstacle]), lambda sums: sums[..., _TARGETS] - sums[..., _BROKEN])


FAILURES = {
    Obstacle.NOTHING_TO_TRY: ("nothing_to_try_rate", "of the failures, those with no candidate at all to try"),
    Obstacle.SIMILARITY: ("filtered_by_similarity_rate", "of the failures, those with no candidate similar enough"),
    Obstacle.PART_OF_SPEECH: (
        "filtered_by_part_of_speech_rate",
        "of the failures, those whose candidates that were similar enough all had a word of another part of speech",
    ),
    Obstacle.BUDGET: ("out_of_budget_rate", "of the failures, those that had more to ask about than the budget allows"),
    Obstacle.RESISTED: ("resisted_rate", "of the failures, those in which the model withstood all it was shown"),
}
"""For each obstacle the name and the meaning of its share of the failures, in the order in which to read them."""

METRICS = (
    Metric(
        "robust_recall",
        kept_counts,
        robust_recall,
        probes=("attack",),
        more_is_better=True,
        meaning="of all entities in the sentences attacked, those found in the clean sentence and not broken",
    ),
    *(
        Metric(name, target_counts, value, probes=("attack",), meaning=meaning)
        for name, value, meaning in (
            (
                "success_rate",
                success_rate,
                "of the entities attacked, those with every word labelled wrong and not found exactly any more",
            ),
            ("missed_entity_rate", missed_entity_rate, "of the successes, those in which no word has a label any more"),
            ("type_error_rate", type_error_rate, "of the successes, those in which a word has a label of another type"),
            (
                "boundary_error_rate",
                boundary_error_rate,
                "of the successes, those that kept the type and begin or end elsewhere",
            ),
            (
                "partial_success_rate",
                partial_success_rate,
                "of the entities attacked, those not found with at least half of the words labelled wrong, not all",
            ),
            (
                "best_partial_success_rate",
                best_partial_success_rate,
                "partial success in the best state that each search reached: a later step may have repaired it",
            ),
            (
                "any_word_wrong_rate",
                any_word_wrong_rate,
                "of the entities attacked, those with any word labelled wrong",
            ),
            (
                "best_any_word_wrong_rate",
                best_any_word_wrong_rate,
                "any word labelled wrong in the best state that each search reached",
            ),
            ("single_change_rate", single_change_rate, "of the successes, those that took a single change"),
            ("words_perturbed", words_perturbed, "changed words over words outside entities, mean over the successes"),
            *((name, failure_rate(obstacle), meaning) for obstacle, (name, meaning) in FAILURES.items()),
        )
    ),
)
