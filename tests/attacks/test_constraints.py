"""Which variants a search may show the model."""

import numpy as np

from abalo.attacks.constraints import Constraints
from abalo.attacks.search import Refusal
from perturbations import Edit, apply, parse

SENTENCE = parse("viu [Ana P] hoje")


class Similarities:
    """Scores by the first word of the variant."""

    name = "written down"

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def of(self, pairs):
        return np.array([self.scores[made.tokens[0]] for _, made in pairs])


class Tagger:
    """Words in ``iu`` are verbs, all others nouns; ``seen`` is every sentence it was asked about."""

    name = "by ending"

    def __init__(self) -> None:
        self.seen = []

    def of(self, sentences):
        self.seen += [sentence.tokens[0] for sentence in sentences]
        return [tuple("VERB" if word.endswith("iu") else "NOUN" for word in each.tokens) for each in sentences]


def variants(*words: str):
    """The sentence with each of the words in first place."""
    return [(SENTENCE, apply(SENTENCE, [Edit(0, 1, (word,))])) for word in words]


def test_the_least_similarity_may_be_reached_but_not_missed():
    allowed = Constraints(Similarities(ouviu=0.8, sumiu=0.7999, riu=0.8001), 0.8)
    assert allowed(variants("ouviu", "sumiu", "riu")) == [0.8, Refusal.SIMILARITY, 0.8001]


def test_words_outside_entities_keep_their_part_of_speech():
    tagger = Tagger()
    allowed = Constraints(Similarities(ouviu=0.9, casa=0.9, mesa=0.5), 0.8, tagger)
    assert allowed(variants("ouviu", "casa", "mesa")) == [0.9, Refusal.PART_OF_SPEECH, Refusal.SIMILARITY]
    assert "mesa" not in tagger.seen, "a variant that is refused already is not tagged"


def test_the_part_of_speech_of_an_entity_may_change():
    allowed = Constraints(Similarities(viu=1.0), 0.8, Tagger())
    assert allowed([(SENTENCE, apply(SENTENCE, [Edit(1, 2, ("Piu",))]))]) == [1.0]
