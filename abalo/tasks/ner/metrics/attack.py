"""Success of attacks on single entities [Dirkson et al., Breaking BERT, 2021, 3.1.1].

Counted are targets of searches: entities that the model found exactly in the clean sentence. A word of one is right
under its gold label, and under B-T where that is I-T. An entity that is still found exactly has no wrong word: I-T on
its first word, B-T in gold, changes nothing by itself. An attack succeeds when every word is wrong, partially when at
least half of the words are, not all. The paper counts labels alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from abalo.core import searches
from abalo.core.metrics import Floats, Metric, Share, column, share
from abalo.core.outcome import Outcome
from abalo.core.searches import COLUMNS, TARGETS, cost_metrics, robust_metric, searched_counts, success_metric
from abalo.tasks.ner import inventions
from abalo.tasks.ner.inventions import SeenOutside, outside
from abalo.tasks.tokens.alignment import accepted, carried
from perturbations import Perturbed, Span, entity_spans, unchanged

_MISSED, _MISTYPED, _SHIFTED, _PARTIAL, _ANY, _PARTIAL_BEST, _ANY_BEST = range(COLUMNS, COLUMNS + 7)


class Kind(StrEnum):
    """The kinds of success, of which each is one."""

    MISSED = "missed"
    TYPE_ERROR = "type_error"
    BOUNDARY_ERROR = "boundary_error"


@dataclass(frozen=True, slots=True)
class Seen:
    """An entity as a prediction has it.

    ``labels`` and ``wrong`` are those of its words: the label, and whether it is wrong.
    """

    type: str
    labels: tuple[str, ...]
    wrong: tuple[bool, ...]

    @property
    def broken(self) -> bool:
        """Whether every word is wrong: full success."""
        return all(self.wrong)

    @property
    def partly(self) -> bool:
        """Whether at least half of the words are wrong, not all: partial success."""
        return len(self.wrong) <= 2 * sum(self.wrong) and not all(self.wrong)

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
    def damage(self) -> tuple[bool, float]:
        """Larger the harder the entity was hit: whether it is broken, then the share of wrong words.

        So what is hit as hard as another is a success, whole or in part, or has a wrong word, if the other is or has.
        """
        return self.broken, sum(self.wrong) / len(self.wrong)


def seen_in(span: Span, gold: Sequence[str], tags: Sequence[str]) -> Seen:
    """The entity that stands at ``span``, with these gold labels, as the tags of its sentence have it.

    No word is wrong where the tags hold the entity exactly, type and both ends right, by seqeval's reading.
    """
    labels, found = tuple(tags[span.start : span.stop]), span in entity_spans(tags)
    wrong = tuple(not found and label not in accepted(right) for label, right in zip(labels, gold, strict=True))
    return Seen(span.type, labels, wrong)


def target_seen(target: Span, made: Perturbed, tags: Sequence[str]) -> Seen:
    """The target in a variant, as the tags predicted for the variant have it; one that is gone has O on every word."""
    now = carried(made, target)
    if now is None:
        return Seen(target.type, ("O",) * len(target), (True,) * len(target))
    return seen_in(now, (made.sentence.tags or ())[now.start : now.stop], tags)


def seen(outcome: Outcome) -> Seen | SeenOutside:
    """The target as the model sees it in the state that the search settled on; where it is none, all outside them."""
    return entity_seen(outcome) if outcome.targets else inventions.seen(outcome)


def entity_seen(outcome: Outcome) -> Seen:
    """The entity as the model sees it in the state that the search settled on."""
    (target,) = outcome.targets
    return target_seen(target, outcome.perturbed or unchanged(outcome.sentence), outcome.prediction.tags)


def best_seen(outcome: Outcome) -> Seen:
    """The target as the model saw it in the best state that the search reached, which may be the one it settled on."""
    best = None if outcome.searched is None else outcome.searched.best
    if best is None:
        return entity_seen(outcome)
    (target,) = outcome.targets
    return target_seen(target, best.variant.perturbed, best.prediction.tags)


def broken(outcome: Outcome) -> bool:
    """Whether every word of the target is wrong now; or whether an entity is invented."""
    return seen(outcome).broken


def search_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome, overall and by type of its target: the columns of `searched_counts`, then those of entities.

    Of the full successes those with only O, with another type among the labels, and boundary errors; partial successes
    and those with any word wrong, then both in the best state that the search reached. Where an entity is invented a
    word is wrong.
    """
    rows_of = _rows_of(types)
    own = np.zeros((len(outcomes), 1 + len(types), 7))
    for rows, outcome in zip(own, outcomes, strict=True):
        if outcome.searched is None:
            continue
        if not outcome.targets:
            rows[0] = 0, 0, 0, 0, broken(outcome), 0, broken(outcome)
        else:
            now, best = entity_seen(outcome), best_seen(outcome)
            kind = now.kind if searches.succeeded(outcome, seen) else None
            kinds = (kind is each for each in (Kind.MISSED, Kind.TYPE_ERROR, Kind.BOUNDARY_ERROR))
            rows[list(rows_of(outcome))] = *kinds, now.partly, any(now.wrong), best.partly, any(best.wrong)
    common = searched_counts(outcomes, 1 + len(types), rows_of, seen, lambda each: outside(each.sentence))
    return np.concatenate([common, own], axis=-1)


def kept_counts(outcomes: Sequence[Outcome], _view: str, types: Sequence[str]) -> Floats:
    """Per outcome, overall and by type of its entity: entities, and those that the model finds and no search broke.

    Entities are the targets, and all others of the same sentences, which the model does not find. Where the goal is to
    invent one, sentences, and those in which none is found where there is none, before and after.
    """
    return searches.kept_counts(outcomes, 1 + len(types), _rows_of(types), seen)


def _rows_of(types: Sequence[str]) -> Callable[[Outcome], Sequence[int]]:
    """Gives the rows of an outcome: that of all, and that of the type of its target, if it is an entity."""
    rows = {kind: k for k, kind in enumerate(types, start=1)}
    return lambda outcome: (0, *(rows[span.type] for span in outcome.targets))


def _of_kinds(part: int) -> Share:
    """Of the successes that lose an entity, those in this column; NaN without any, as where entities are invented."""
    return Share(column(part), lambda sums: sums[..., _MISSED] + sums[..., _MISTYPED] + sums[..., _SHIFTED])


missed_entity_rate = _of_kinds(_MISSED)
"""Of the successes, those with O on every word; NaN without a success."""

type_error_rate = _of_kinds(_MISTYPED)
"""Of the successes, those with a label of another type; NaN without a success."""

boundary_error_rate = _of_kinds(_SHIFTED)
"""Of the successes, those with labels of the right type alone, beside O; NaN without a success. With the two above 1.
"""

partial_success_rate = share(_PARTIAL, TARGETS)
"""Targets of which at least half of the words are wrong, not all, over all targets; NaN where there are none."""

best_partial_success_rate = share(_PARTIAL_BEST, TARGETS)
"""The same in the best state that each search reached: at least the rate in the final one."""

any_word_wrong_rate = share(_ANY, TARGETS)
"""Targets with any word wrong, over all targets; NaN where there are none."""

best_any_word_wrong_rate = share(_ANY_BEST, TARGETS)
"""The same in the best state that each search reached: at least the rate in the final one."""

_FLIPS = (partial_success_rate, best_partial_success_rate, any_word_wrong_rate, best_any_word_wrong_rate)

METRICS = (
    robust_metric(
        "robust_recall",
        kept_counts,
        "of all entities in the sentences attacked, those found in the clean sentence and not broken; under "
        'to = "invented", of the sentences attacked, those with no entity found where there is none, before and after',
    ),
    success_metric(
        search_counts,
        "of the entities attacked, those with every word labelled wrong and not found exactly any more; "
        'B- where I- of the same type stood is not wrong; under to = "invented", of the sentences attacked, those with '
        "an entity found where there is none",
    ),
    *(
        Metric(name, search_counts, value, probes=("attack",), flips=value in _FLIPS, meaning=meaning)
        for name, value, meaning in (
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
                "of the entities attacked, those with at least half of the words labelled wrong, not all",
            ),
            (
                "best_partial_success_rate",
                best_partial_success_rate,
                "partial success in the best state that each search reached: a later step may have repaired it",
            ),
            (
                "any_word_wrong_rate",
                any_word_wrong_rate,
                "of the entities attacked, those no longer found exactly, with any word labelled wrong",
            ),
            (
                "best_any_word_wrong_rate",
                best_any_word_wrong_rate,
                "any word labelled wrong in the best state that each search reached",
            ),
        )
    ),
    *cost_metrics(search_counts, "words outside entities"),
)
