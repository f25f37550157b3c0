"""Limits on how much of a sentence is changed, counted by hand."""

import numpy as np
import pytest

from abalo.attacks.constraints import Constraints
from abalo.attacks.limits import most_changed, most_edits, most_words
from abalo.attacks.search import Refusal, lock_step
from abalo.core.records.outcome import Obstacle, Searched
from perturbations import Edit, apply, parse
from tests.attacks.scripted import Texts, options, searched_by

SENTENCE = parse("viu a casa azul dela")
"""Five words."""

REPLACED = Edit(0, 1, ("vê",))
SPLIT = Edit(2, 3, ("ca", "sa"))
INSERTED = Edit(5, 5, ("bem", "só"))
GONE = Edit(3, 5, ())


@pytest.mark.parametrize(
    ("edits", "words", "characters"),
    [
        ([REPLACED], 1, 2),
        ([SPLIT], 1, 1),
        ([INSERTED], 2, 7),
        ([GONE], 2, 10),
        ([REPLACED, SPLIT], 2, 3),
    ],
)
def test_words_and_characters_that_are_changed(edits, words, characters):
    made = apply(SENTENCE, edits)
    assert [most_words(count)(SENTENCE, made) for count in (words - 1, words)] == [False, True]
    assert [most_changed(share)(SENTENCE, made) for share in (words / 5 - 0.01, words / 5)] == [False, True]
    assert [most_edits(count)(SENTENCE, made) for count in (characters - 1, characters)] == [False, True]


class Alike:
    """Calls everything alike, and counts what it is asked."""

    name = "alike"
    asked = 0

    def of(self, pairs):
        self.asked += len(pairs)
        return np.ones(len(pairs))


def test_what_goes_beyond_a_limit_is_looked_at_no_further():
    alike = Alike()
    allowed = Constraints(alike, 0.8, limits=[most_words(1), most_edits(1)])
    pairs = [(SENTENCE, apply(SENTENCE, edits)) for edits in ([SPLIT], [REPLACED], [REPLACED, SPLIT])]
    assert allowed(pairs) == [1.0, Refusal.LIMIT, Refusal.LIMIT]
    assert alike.asked == 1


def test_a_search_that_had_nothing_within_the_limit_had_nothing_to_try():
    model = Texts(x_y=0.9, y=0.8, x=0.7)
    (end,) = lock_step(
        [searched_by("greedy", model.target("x y"), options(p0="a", p1="b"))],
        model,
        lambda pairs: [Refusal.LIMIT] * len(pairs),
        10,
    )
    assert end.tried.candidates == 0
    assert Searched(2, end.queries, end.spent, 1.0, end.tried).obstacle is Obstacle.NOTHING_TO_TRY
