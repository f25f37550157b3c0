"""Success of attacks on single entities [Dirkson et al., Breaking BERT, 2021, 3.1.1].

Targets are entities found exactly in the clean sentence. A word is right under its gold label, or B-T for I-T. An
entity found exactly has no wrong word. An attack succeeds if every word is wrong, partially if at least half are. The
paper counts labels only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics import search_metrics
from abalo.core.statistics.metrics import Floats, Metric, Share, column, share
from abalo.core.statistics.search_metrics import (
    COLUMNS,
    TARGETS,
    cost_metrics,
    count_searches,
    robust_metric,
    success_metric,
)
from abalo.tasks.ner import inventions
from abalo.tasks.ner.inventions import SeenOutside, outside
from abalo.tasks.tokens.alignment import accepted_labels, carry_span
from perturbations import Perturbed, Span, entity_spans, unchanged

_MISSED, _MISTYPED, _SHIFTED, _PARTIAL, _ANY, _PARTIAL_BEST, _ANY_BEST = range(COLUMNS, COLUMNS + 7)


class SuccessKind(StrEnum):
    """The disjoint kinds of success."""

    MISSED = "missed"
    TYPE_ERROR = "type_error"
    BOUNDARY_ERROR = "boundary_error"


@dataclass(frozen=True, slots=True)
class SeenEntity:
    """An entity in a prediction: labels and ``wrong`` words."""

    type: str
    labels: tuple[str, ...]
    wrong: tuple[bool, ...]

    @property
    def broken(self) -> bool:
        """True if every word is wrong."""
        return all(self.wrong)

    @property
    def partly(self) -> bool:
        """True if at least half of the words, but not all, are wrong."""
        return len(self.wrong) <= 2 * sum(self.wrong) and not all(self.wrong)

    @property
    def kind(self) -> SuccessKind | None:
        """Missed (all O), type error (any other type), else boundary error; None unless broken."""
        if not self.broken:
            return None
        types = {label[2:] for label in self.labels if label != "O"}
        if not types:
            return SuccessKind.MISSED
        return SuccessKind.BOUNDARY_ERROR if types == {self.type} else SuccessKind.TYPE_ERROR

    @property
    def damage(self) -> tuple[bool, float]:
        """Sort key: broken, then the share of wrong words."""
        return self.broken, sum(self.wrong) / len(self.wrong)


def entity_in(span: Span, gold: Sequence[str], tags: Sequence[str]) -> SeenEntity:
    """The entity at ``span``; no word is wrong if seqeval finds it exactly."""
    labels, found = tuple(tags[span.start : span.stop]), span in entity_spans(tags)
    wrong = tuple(not found and label not in accepted_labels(right) for label, right in zip(labels, gold, strict=True))
    return SeenEntity(span.type, labels, wrong)


def target_seen(target: Span, made: Perturbed, tags: Sequence[str]) -> SeenEntity:
    """The target in a variant; O on every word if lost."""
    now = carry_span(made, target)
    if now is None:
        return SeenEntity(target.type, ("O",) * len(target), (True,) * len(target))
    return entity_in(now, (made.sentence.tags or ())[now.start : now.stop], tags)


def seen_target(outcome: Outcome) -> SeenEntity | SeenOutside:
    """The target, entity or outside words, in the final state of the search."""
    return entity_seen(outcome) if outcome.targets else inventions.seen_outside(outcome)


def entity_seen(outcome: Outcome) -> SeenEntity:
    """The entity in the final state of the search."""
    (target,) = outcome.targets
    return target_seen(target, outcome.perturbed or unchanged(outcome.sentence), outcome.prediction.tags)


def best_seen(outcome: Outcome) -> SeenEntity:
    """The target in the best state that the search reached."""
    best = None if outcome.searched is None else outcome.searched.best
    if best is None:
        return entity_seen(outcome)
    (target,) = outcome.targets
    return target_seen(target, best.variant.perturbed, best.prediction.tags)


def is_broken(outcome: Outcome) -> bool:
    """True if every word of the target is wrong, or an entity is invented."""
    return seen_target(outcome).broken


def search_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """The columns of `count_searches`, overall and by target type, then of entities.

    These are missed, type and boundary errors, partial successes, any wrong word, and the last two in the best state.
    An invention is a wrong word.
    """
    rows_of = _rows_of(types)
    own = np.zeros((len(outcomes), 1 + len(types), 7))
    for rows, outcome in zip(own, outcomes, strict=True):
        if outcome.searched is None:
            continue
        if not outcome.targets:
            rows[0] = 0, 0, 0, 0, is_broken(outcome), 0, is_broken(outcome)
        else:
            now, best = entity_seen(outcome), best_seen(outcome)
            kind = now.kind if search_metrics.has_succeeded(outcome, seen_target) else None
            kinds = (kind is each for each in (SuccessKind.MISSED, SuccessKind.TYPE_ERROR, SuccessKind.BOUNDARY_ERROR))
            rows[list(rows_of(outcome))] = *kinds, now.partly, any(now.wrong), best.partly, any(best.wrong)
    common = count_searches(outcomes, 1 + len(types), rows_of, seen_target, lambda each: outside(each.sentence))
    return np.concatenate([common, own], axis=-1)


def kept_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Entities, and those found that no search broke, overall and by type.

    If inventions are the goal: sentences, and those without one before and after.
    """
    return search_metrics.kept_counts(outcomes, 1 + len(types), _rows_of(types), seen_target)


def _rows_of(types: Sequence[str]) -> Callable[[Outcome], Sequence[int]]:
    rows = {kind: k for k, kind in enumerate(types, start=1)}
    return lambda outcome: (0, *(rows[span.type] for span in outcome.targets))


def _of_kinds(part: int) -> Share:
    return Share(column(part), lambda sums: sums[..., _MISSED] + sums[..., _MISTYPED] + sums[..., _SHIFTED])


missed_entity_rate = _of_kinds(_MISSED)

type_error_rate = _of_kinds(_MISTYPED)

boundary_error_rate = _of_kinds(_SHIFTED)

partial_success_rate = share(_PARTIAL, TARGETS)

best_partial_success_rate = share(_PARTIAL_BEST, TARGETS)

any_word_wrong_rate = share(_ANY, TARGETS)

best_any_word_wrong_rate = share(_ANY_BEST, TARGETS)

_FLIPS = (partial_success_rate, best_partial_success_rate, any_word_wrong_rate, best_any_word_wrong_rate)

METRICS = (
    robust_metric(
        "robust_recall",
        kept_counts,
        "share of all entities in the attacked sentences that are found before and after the attack; with to = "
        '"invented", share of the attacked sentences without an invented entity before and after',
    ),
    success_metric(
        search_counts,
        "share of the attacked entities that are no longer found exactly and have every word labelled wrongly "
        '(B- instead of I- of the same type is not wrong); with to = "invented", share of the attacked sentences '
        "with an invented entity",
    ),
    *(
        Metric(name, search_counts, value, probes=("attack",), flips=value in _FLIPS, meaning=meaning)
        for name, value, meaning in (
            (
                "missed_entity_rate",
                missed_entity_rate,
                "share of the successes in which no word of the entity has a label",
            ),
            ("type_error_rate", type_error_rate, "share of the successes in which a word has a label of another type"),
            (
                "boundary_error_rate",
                boundary_error_rate,
                "share of the successes in which the type is right, but the entity begins or ends elsewhere",
            ),
            (
                "partial_success_rate",
                partial_success_rate,
                "share of the attacked entities with at least half of the words labelled wrongly, but not all",
            ),
            (
                "best_partial_success_rate",
                best_partial_success_rate,
                "partial success in the best state that each search reached (a later step may repair the entity)",
            ),
            (
                "any_word_wrong_rate",
                any_word_wrong_rate,
                "share of the attacked entities that are no longer found exactly and have a word labelled wrongly",
            ),
            (
                "best_any_word_wrong_rate",
                best_any_word_wrong_rate,
                "the same in the best state that each search reached",
            ),
        )
    ),
    *cost_metrics(search_counts, "words outside entities"),
)
