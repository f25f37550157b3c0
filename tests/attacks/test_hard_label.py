"""The search by answers alone, against models whose answers hang on single words."""

from dataclasses import replace
from random import Random

import pytest

from abalo.attacks.parts import Tuning, methods, rankings
from abalo.attacks.search import lock_step
from abalo.attacks.searches.hard_label import sizes
from abalo.corpora.examples import TEXT, example_of
from abalo.models.labelling.classified import Classified
from abalo.tasks.labels.targets import TextLabels
from perturbations import Edit, Sentence

WORDS = tuple(f"w{number}" for number in range(12))
OPTIONS = {place: [Edit(place, place + 1, ("x",)), Edit(place, place + 1, ("y",))] for place in range(len(WORDS))}


class Labels:
    """Texts are good while ``holds`` says so of their words; ``asked`` is every text it was shown. It has no scores."""

    def __init__(self, holds):
        self.holds, self.asked = holds, []

    def __call__(self, variants):
        texts = [variant.example.sentence.tokens for variant in variants]
        self.asked += texts
        return [Classified(("good" if self.holds(text) else "bad",)) for text in texts]


def end_of(holds, budget=1000, seed=0, steps=0):
    model = Labels(holds)
    target = TextLabels(replace(example_of(Sentence(WORDS)), gold=("good",)), TEXT, Classified(("good",)))
    tuning = Tuning(Random(seed), steps=steps)
    search = methods()["hard_label"].search(target, OPTIONS, rankings()["deletion"], tuning)
    (end,) = lock_step([search], model, lambda pairs: [1.0] * len(pairs), budget)
    return end, model


def changed(end):
    return sorted(edit.start for edit in end.found.perturbed.edits)


@pytest.mark.parametrize("seed", range(5))
def test_a_word_that_alone_decides_is_found_and_nothing_else_is_changed(seed):
    end, model = end_of(lambda text: "w7" in text, seed=seed)
    assert changed(end) == [7]
    assert end.queries == len(model.asked) < 60


@pytest.mark.parametrize("seed", range(5))
def test_of_words_that_decide_together_just_these_are_changed(seed):
    """No deletion of a single word turns the answer: it takes both w2 and w9."""
    end, _ = end_of(lambda text: "w2" in text or "w9" in text, seed=seed)
    assert changed(end) == [2, 9]


def test_none_of_the_edits_that_are_left_can_be_left_out():
    end, _ = end_of(lambda text: sum(word in text for word in WORDS[:6]) > 2)
    assert len(changed(end)) == 4
    assert set(changed(end)) <= set(range(6))


def test_a_break_is_kept_where_the_budget_ends():
    broken, _ = end_of(lambda text: sum(word in text for word in WORDS[:6]) > 2, budget=40)
    assert broken.queries == 40
    assert broken.spent
    assert broken.found.perturbed is not None


def test_what_nothing_breaks_is_given_up():
    end, model = end_of(lambda _: True)
    assert end.found.perturbed is None
    assert len(set(model.asked)) <= 200


def test_no_more_words_are_changed_than_may_be():
    end, model = end_of(lambda text: sum(word in text for word in WORDS) > 6, steps=3)
    assert end.found.perturbed is None
    assert max(text.count("x") + text.count("y") for text in model.asked) == 3


def test_the_same_draws_give_the_same_search():
    holds = lambda text: "w2" in text or "w9" in text  # noqa: E731
    assert end_of(holds, seed=3)[1].asked == end_of(holds, seed=3)[1].asked


@pytest.mark.parametrize(("most", "found"), [(0, []), (1, [1]), (5, [1, 2, 3, 4, 5]), (13, [1, 2, 3, 4, 6, 8, 12, 13])])
def test_more_and_more_words(most, found):
    assert sizes(most)[:8] == found
