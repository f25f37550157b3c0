"""Right heads and relations, and how many a change costs.

Words with a known head count [CoNLL 2018 shared task, its evaluation script], for drops if they are in both sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Difference, Floats, Metric, Share, column, share, split_sides
from abalo.models.parsers.protocol import Parse
from abalo.tasks.parsing.corpus import TreeRules, arcs_of
from perturbations import Sentence

_BEFORE, _AFTER, _NOW, _FLIPPED, _PREDICTED = 0, 3, 7, 11, 12

_CONTENT = re.compile(
    "nsubj|obj|iobj|csubj|ccomp|xcomp|obl|vocative|expl|dislocated|advcl|advmod|discourse|nmod|appos|nummod|acl|amod|conj|"
    "fixed|flat|compound|list|parataxis|orphan|goeswith|reparandum|root|dep"
)
"""[CoNLL 2018 shared task, its evaluation script]"""


class JudgedWord(NamedTuple):
    """Gold and predicted relation, and which parts are right."""

    relation: str
    predicted: str
    head: bool
    label: bool

    @property
    def both(self) -> bool:
        """True if head and relation are right."""
        return self.head and self.label


def judge_words(sentence: Sentence, parse: Parse, rules: TreeRules) -> list[JudgedWord | None]:
    """Each word with its predicted arc; None if not scored."""
    arcs = arcs_of(sentence)
    rows = zip(rules.known(sentence), arcs.heads, arcs.relations, parse.heads, parse.relations, strict=True)
    return [
        JudgedWord(own := rules.relation(relation), given := rules.relation(predicted), head == found, own == given)
        if known
        else None
        for known, head, relation, found, predicted in rows
    ]


def sentence_now(outcome: Outcome) -> Sentence:
    """The sentence that the prediction refers to."""
    example: Example = outcome.example if outcome.variant is None else outcome.variant.example
    return example.sentence


def judged_now(outcome: Outcome) -> list[JudgedWord | None]:
    """Each word after the change."""
    return judge_words(sentence_now(outcome), outcome.prediction, outcome.example.source)


def judged_pairs(outcome: Outcome) -> Iterator[tuple[int, JudgedWord, JudgedWord]]:
    """Place and both judgements of words scored in both sentences."""
    clean = judge_words(outcome.sentence, outcome.clean, outcome.example.source)
    if outcome.perturbed is None:
        yield from ((place, each, each) for place, each in enumerate(clean) if each is not None)
        return
    now = judged_now(outcome)
    for new, origin in enumerate(outcome.perturbed.origins):
        after = now[new]
        before = clean[origin[0]] if len(origin) == 1 else None
        if before is not None and after is not None:
            yield origin[0], before, after


def arc_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Words in both sentences before and after, all words now, flips, by gold relation; and by predicted relation."""
    table = np.zeros((len(outcomes), len(groups), 13))
    rows = {group: k for k, group in enumerate(groups)}
    for counts, outcome in zip(table, outcomes, strict=True):
        for _, before, after in judged_pairs(outcome):
            own = counts[rows[before.relation]]
            own[_BEFORE:_AFTER] += before.head, before.both, 1
            own[_AFTER:_NOW] += after.head, after.both, 1, before.both
            own[_FLIPPED] += before.both and not after.both
        for each in filter(None, judged_now(outcome)):
            counts[rows[each.relation]][_NOW:_FLIPPED] += each.head, each.both, each.label, 1
            if each.predicted in rows:
                counts[rows[each.predicted]][_PREDICTED] += 1
    return table


def content_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Right content words, and the mean of gold and predicted ones."""
    table = np.zeros((len(outcomes), 1 + len(groups), 2))
    for counts, outcome in zip(table, outcomes, strict=True):
        words = [each for each in judged_now(outcome) if each is not None]
        gold = sum(_is_content(each.relation) for each in words)
        predicted = sum(_is_content(each.predicted) for each in words)
        counts[0] = sum(each.both and _is_content(each.relation) for each in words), (gold + predicted) / 2
    return table


def _is_content(relation: str) -> bool:
    return _CONTENT.fullmatch(relation.partition(":")[0]) is not None


def sided_arcs(outcomes: Sequence[Outcome], view: str, groups: Sequence[str]) -> Floats:
    """Right words and all words inside a slice, then outside, by gold relation."""
    return split_sides(arc_counts(outcomes, view, groups)[..., [_NOW + 1, _NOW + 3]], outcomes)


def answered_arcs(outcome: Outcome) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Predicted arcs before, and after for the same words."""
    made, first, second = outcome.perturbed, outcome.clean, outcome.prediction
    before = list(zip(first.heads, first.relations, strict=True))
    if made is None:
        return before, list(zip(second.heads, second.relations, strict=True))
    after = []
    for new in made.positions(len(outcome.sentence)):
        head = -2 if new is None else second.heads[new]
        old = made.origins[head] if head >= 0 else ()
        after.append((old[0] if old else min(head, -1), "" if new is None else second.relations[new]))
    return before, after


uas = share(_NOW, _NOW + 3)

las = share(_NOW + 1, _NOW + 3)

label_accuracy = share(_NOW + 2, _NOW + 3)

clas = Share(column(0), column(1))

las_drop = Difference(share(_BEFORE + 1, _BEFORE + 2), share(_AFTER + 1, _AFTER + 2))

flip_rate = share(_FLIPPED, _AFTER + 3)

las_gap = Difference(share(2, 3), share(0, 1), paired=False)

METRICS = (
    Metric(
        "uas",
        arc_counts,
        uas,
        of_clean=True,
        more_is_better=True,
        title="UAS",
        meaning="share of the words with the right head",
    ),
    Metric(
        "las",
        arc_counts,
        las,
        of_clean=True,
        more_is_better=True,
        exact=True,
        by_label=lambda sums: sums[..., [_NOW + 1, _PREDICTED, _NOW + 3]],
        title="LAS",
        meaning="share of the words with the right head and the right relation",
    ),
    Metric(
        "label_accuracy",
        arc_counts,
        label_accuracy,
        of_clean=True,
        more_is_better=True,
        meaning="share of the words with the right relation, whatever their head",
    ),
    Metric(
        "clas",
        content_counts,
        clas,
        of_clean=True,
        more_is_better=True,
        per_group=False,
        title="CLAS",
        meaning="F1 of the content words with the right head and the right relation",
    ),
    Metric(
        "las_drop",
        arc_counts,
        las_drop,
        low=-1.0,
        before=las_drop.first,
        title="LAS drop over all sentences",
        meaning="LAS before the change minus LAS after it, of the words in both sentences, over all sentences",
    ),
    Metric(
        "las_drop_changed",
        arc_counts,
        las_drop,
        changed_only=True,
        low=-1.0,
        before=las_drop.first,
        title="LAS drop",
        meaning="LAS before the change minus LAS after it, of the words in both sentences, over the changed sentences",
    ),
    Metric(
        "las_changed",
        arc_counts,
        las,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        title="LAS after the change",
        meaning="LAS on the changed sentences only, inserted words with a known head included",
    ),
    Metric(
        "flip_rate",
        arc_counts,
        flip_rate,
        compares=True,
        flips=True,
        outputs=answered_arcs,
        meaning="share of the words right in head and relation before the change that are not after it",
    ),
    Metric(
        "las_gap",
        sided_arcs,
        las_gap,
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        title="LAS gap",
        meaning="LAS on the sentences outside the slice minus LAS on the sentences in it",
    ),
)
