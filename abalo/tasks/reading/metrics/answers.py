"""Exact match, F1 and places of answers, and how much a change lowers them.

Predictions are compared with the answers that are right after the change.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Difference, Floats, Metric, share, split_sides
from abalo.models.questions.scoring import Scores, answers_of, score_answer
from abalo.slices.question_word import question_word
from abalo.tasks.reading.example import CONTEXT, QUESTION, span_at
from perturbations.answers import answers_in

_ASKED, _CLEAN_EXACT, _EXACT, _CLEAN_F1, _F1, _FLIPPED = range(6)

NO_ANSWER = "no answer"
_LENGTHS = ((1, "1 word"), (4, "2 to 4 words"))
_LONGER = "5 words or more"


def groups_of(example: Example) -> tuple[str, str]:
    """The question word, and the length of the first answer."""
    asked = f"asks {question_word(example.fields[QUESTION].tokens)}"
    gold = answers_of(example.gold, example.source.rules)
    if not gold:
        return asked, NO_ANSWER
    placed = answers_in(example.fields[CONTEXT])
    words = len(placed[0]) if placed else len(gold[0].split())
    return asked, next((name for most, name in _LENGTHS if words <= most), _LONGER)


def _example_now(outcome: Outcome) -> Example:
    return outcome.example if outcome.variant is None else outcome.variant.example


def gold_now(outcome: Outcome) -> tuple[str, ...]:
    """The right answers after the change."""
    example = _example_now(outcome)
    return answers_of(example.gold, example.source.rules)


def score_now(outcome: Outcome) -> Scores:
    """The scores of the answer after the change."""
    return score_answer(outcome.prediction.text, gold_now(outcome), _example_now(outcome).source.rules)


def score_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Questions, exact matches and F1 clean and now, and flips, overall and by group."""
    table = np.zeros((len(outcomes), 1 + len(groups), 6))
    for rows, outcome in zip(table, outcomes, strict=True):
        before = score_answer(outcome.clean.text, outcome.example.gold, outcome.example.source.rules)
        now = score_now(outcome)
        own = [0, *(1 + groups.index(group) for group in groups_of(outcome.example) if group in groups)]
        rows[own] = 1, before.exact, now.exact, before.f1, now.f1, before.exact > now.exact
    return table


def side_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Questions with and without answers, and their F1."""
    table = np.zeros((len(outcomes), 1 + len(groups), 4))
    for rows, outcome in zip(table, outcomes, strict=True):
        first = 0 if gold_now(outcome) else 2
        rows[0, first : first + 2] = 1, score_now(outcome).f1
    return table


def place_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Answers with places, and right ones."""
    table = np.zeros((len(outcomes), 1 + len(groups), 2))
    for rows, outcome in zip(table, outcomes, strict=True):
        example = _example_now(outcome)
        context, found = example.fields[CONTEXT], outcome.prediction.place
        placed = answers_in(context)
        if placed and found is not None and example.source.placed:
            rows[0] = 1, span_at(context, found) in [(span.start, span.stop) for span in placed]
    return table


exact_match = share(_EXACT, _ASKED)

f1 = share(_F1, _ASKED)

exact_match_drop = Difference(share(_CLEAN_EXACT, _ASKED), exact_match)

f1_drop = Difference(share(_CLEAN_F1, _ASKED), f1)

flip_rate = share(_FLIPPED, _CLEAN_EXACT)


def sided_scores(outcomes: Sequence[Outcome], view: str, groups: Sequence[str]) -> Floats:
    """Questions and F1 inside a slice, then outside, by group."""
    return split_sides(score_counts(outcomes, view, groups)[..., [_ASKED, _F1]], outcomes)


f1_gap = Difference(share(3, 2), share(1, 0), paired=False)

METRICS = (
    Metric(
        "exact_match",
        score_counts,
        exact_match,
        of_clean=True,
        more_is_better=True,
        exact=True,
        meaning="share of questions with exactly a gold answer, after normalising both",
    ),
    Metric(
        "f1",
        score_counts,
        f1,
        of_clean=True,
        more_is_better=True,
        least=0.15,
        title="F1",
        meaning="word overlap between the answer and the closest gold answer, as F1; mean over questions",
    ),
    Metric(
        "f1_answerable",
        side_counts,
        share(1, 0),
        of_clean=True,
        more_is_better=True,
        per_group=False,
        title="F1 (answerable)",
        meaning="F1 on the questions that have an answer",
    ),
    Metric(
        "f1_unanswerable",
        side_counts,
        share(3, 2),
        of_clean=True,
        more_is_better=True,
        per_group=False,
        title="F1 (unanswerable)",
        meaning="share of the questions without an answer for which the model gives none",
    ),
    Metric(
        "place",
        place_counts,
        share(1, 0),
        of_clean=True,
        more_is_better=True,
        per_group=False,
        meaning="share of the answers with a position that have the position of a gold answer",
    ),
    Metric(
        "exact_match_drop",
        score_counts,
        exact_match_drop,
        low=-1.0,
        before=share(_CLEAN_EXACT, _ASKED),
        meaning="exact match on the clean questions minus exact match after the change",
    ),
    Metric(
        "f1_drop",
        score_counts,
        f1_drop,
        low=-1.0,
        before=share(_CLEAN_F1, _ASKED),
        title="F1 drop over all questions",
        meaning="F1 on the clean questions minus F1 after the change, over all questions",
    ),
    Metric(
        "f1_drop_changed",
        score_counts,
        f1_drop,
        changed_only=True,
        low=-1.0,
        before=share(_CLEAN_F1, _ASKED),
        title="F1 drop",
        meaning="F1 on the clean questions minus F1 after the change, over the changed questions",
    ),
    Metric(
        "f1_changed",
        score_counts,
        f1,
        changed_only=True,
        more_is_better=True,
        per_group=False,
        title="F1 after the change",
        meaning="F1 on the changed questions only",
    ),
    Metric(
        "flip_rate",
        score_counts,
        flip_rate,
        compares=True,
        flips=True,
        meaning=(
            "share of the questions answered exactly before the change that are no longer answered exactly after it"
        ),
    ),
    Metric(
        "f1_gap",
        sided_scores,
        f1_gap,
        probes=("slice",),
        of_clean=True,
        low=-1.0,
        title="F1 gap",
        meaning="F1 on the questions outside the slice minus F1 on the questions in it",
    ),
)
