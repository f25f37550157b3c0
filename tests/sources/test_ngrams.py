"""The likeness of sentences by their character n-grams."""

from math import log, sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from abalo.sources.loading import load_similarity
from perturbations import Sentence
from tests.texts import TextWith


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


sentences = st.lists(st.text("aábc", min_size=1, max_size=4), max_size=6).map(lambda words: Sentence(tuple(words)))


def test_the_cosine_is_the_one_worked_out_by_hand():
    # " a " is in both sentences, " b " and " c " in one each: weights 1 and ln(3/2) + 1.
    measure = load_similarity("ngrams", [sentence("a b"), sentence("a c")])
    rare = log(3 / 2) + 1
    assert np.allclose(measure.of([(sentence("a b"), sentence("a c"))]), 1 / (1 + rare**2))
    # A word that comes twice weighs twice.
    assert np.allclose(measure.of([(sentence("a"), sentence("a a b"))]), 2 / sqrt(4 + rare**2))


def test_few_words_changed_in_many_are_the_cosine_worked_out_by_hand():
    # " a " four times and " b " once against " a " four times and " c " once, or nothing; nothing is known.
    measure, first = load_similarity("ngrams", []), sentence("a a a a b")
    found = measure.of([(first, sentence(other)) for other in ("a a a a c", "a a a a", "a a b a a", "a a a a b a")])
    assert np.allclose(found, [16 / 17, 16 / (sqrt(17) * 4), 1, 21 / (sqrt(17) * sqrt(26))])


def test_ngrams_are_of_three_to_five_characters_within_the_spaces_around_a_word():
    # " ab " makes " ab", "ab " and " ab "; " abc " shares " ab" alone of its six; nothing is known, so all weigh alike.
    measure = load_similarity("ngrams", [])
    assert np.allclose(measure.of([(sentence("ab"), sentence("abc"))]), 1 / sqrt(3 * 6))
    assert measure.of([(sentence("ab"), sentence("ba"))]) == [0]
    assert measure.of([(sentence("ab"), sentence("AB"))]) == [0]


def test_a_sentence_without_words_is_like_itself_alone():
    measure = load_similarity("ngrams", [])
    assert measure.of(
        [(sentence(""), sentence("a")), (sentence("a"), sentence("")), (sentence(""), sentence(""))]
    ).tolist() == [0, 0, 1]
    assert measure.of([]).shape == (0,)


def test_a_rare_word_lost_costs_more_than_a_common_one():
    measure = load_similarity("ngrams", [sentence("o réu"), sentence("o juiz"), sentence("o autor")])
    common, rare = measure.of(
        [(sentence("o réu saiu"), sentence("x réu saiu")), (sentence("o réu saiu"), sentence("o juiz saiu"))]
    )
    assert 0 < rare < common < 1


@given(st.lists(sentences, max_size=4), sentences, sentences)
def test_it_is_symmetric_between_0_and_1_and_exactly_1_for_the_same_tokens(known, first, second):
    measure = load_similarity("ngrams", known)
    there, back, same = measure.of([(first, second), (second, first), (first, Sentence(first.tokens))])
    assert 0 <= there <= 1
    assert np.isclose(there, back)
    assert same == 1


def test_the_name_says_what_it_is_and_what_it_has_seen():
    name = load_similarity("ngrams", [sentence("a"), sentence("b")]).name
    assert name == TextWith("TF-IDF of character 3- to 5-grams (2 sentences), ", "form, not meaning")
