"""The requirements of a case on its variants, and which of them keep it."""

import re

import numpy as np
import pytest

from abalo.validators import Requirement, passing, requirements
from abalo.validators.requirements import prepare_scores
from abalo.validators.validator import NoSettings, Validator
from perturbations import Sentence
from tests.scripted import corpus_of

CORPUS = corpus_of("a b c d", "e f")


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def test_a_number_is_the_limit_and_a_table_has_settings_too():
    plain, more = requirements({"words_changed": 0.2, "similarity": {"limit": 0.8, "source": "encoder:x"}})
    assert (plain.validator.name, plain.limit, plain.settings) == ("words_changed", 0.2, NoSettings())
    assert (more.validator.name, more.limit, more.settings.source) == ("similarity", 0.8, "encoder:x")


def pairs(*variants: str) -> list[tuple[Sentence, Sentence]]:
    return [(CORPUS.sentences[0], sentence(variant)) for variant in variants]


VARIANTS = pairs("a b c d", "a b c x", "a b x y", "a x y z")


@pytest.mark.parametrize(
    ("require", "kept"),
    [
        ({"words_changed": 0}, [True, False, False, False]),
        ({"words_changed": 0.5}, [True, True, True, False]),  # a limit may be reached
        ({"words_changed": 1}, [True, True, True, True]),
        ({"similarity": 1}, [True, False, False, False]),
        ({"similarity": -1}, [True, True, True, True]),
        ({"words_changed": 0.5, "edit_distance": 0.2}, [True, True, False, False]),
        ({}, [True, True, True, True]),
    ],
)
def test_variants_must_keep_every_limit(require, kept):
    assert passing(prepare_scores(require, CORPUS), VARIANTS) == kept


def test_a_minimum_is_kept_above_and_a_maximum_below_but_for_rounding():
    least, most = requirements({"similarity": 0.3, "words_changed": 0.3})
    assert [least.kept(value) for value in (0.2, 0.1 + 0.2, 0.4)] == [False, True, True]
    assert [most.kept(value) for value in (0.2, 0.1 + 0.2, 0.4)] == [True, True, False]
    assert not least.kept(float("nan"))
    assert not most.kept(float("nan"))


class Counting:
    """Says how often it is asked about what."""

    name = "counting"

    def __init__(self, function):
        self.function, self.asked = function, []

    def of(self, pairs):
        self.asked.append([" ".join(variant.tokens) for _, variant in pairs])
        return np.array([self.function(variant) for _, variant in pairs], dtype=float)


def test_equal_pairs_are_measured_once_and_not_where_another_limit_is_broken():
    first, second = Counting(lambda variant: "x" in variant.tokens), Counting(len)
    required = [
        (Requirement(Validator(name, NoSettings, "max", None), limit, NoSettings()), score)
        for name, limit, score in (("no_x", 0, first), ("short", 3, second))
    ]
    assert passing(required, pairs("a b", "x", "a b", "a b c d")) == [True, False, True, False]
    assert first.asked == [["a b", "x", "a b c d"]]
    assert second.asked == [["a b", "a b c d"]]


@pytest.mark.parametrize(
    ("require", "message"),
    [
        (0.8, "0.8; expected limits by validator, such as {similarity = 0.8}"),
        ({"similarty": 0.8}, "'similarty': no such validator; did you mean 'similarity'?; there are bleu, chrf, "),
        ({"similarity": 1.5}, "similarity is 1.5; expected the least it may be, a number from -1 to 1"),
        ({"bleu": 40}, "bleu is 40; expected the least it may be, a number from 0 to 1"),
        ({"words_changed": True}, "words_changed is True; expected the most it may be, a number from 0 to 1"),
        ({"perplexity_ratio": "2"}, "perplexity_ratio is '2'; expected the most it may be, a number from 0"),
        ({"perplexity_ratio": float("inf")}, "perplexity_ratio is inf; expected the most"),
        ({"similarity": {"source": "ngrams"}}, "similarity is {'source': 'ngrams'}; expected the least it may be"),
        ({"similarity": {"limit": 0.8, "sorce": "x"}}, "similarity has no parameter 'sorce'; did you mean 'source'?"),
        (
            {"perplexity_ratio": {"limit": 2, "training": "none.conll"}},
            "training is 'none.conll'; no such file: expected a corpus",
        ),
    ],
)
def test_requirements_that_make_no_sense_are_refused(require, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        requirements(require)
