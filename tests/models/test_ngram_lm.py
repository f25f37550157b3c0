"""Perplexity by word n-grams, worked out by hand."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.models.auxiliary.ngram_lm import END, ORDER, START, NgramModel
from perturbations import Sentence

BEGIN = (START,) * (ORDER - 1)


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def model(*texts: str) -> NgramModel:
    return NgramModel([sentence(text) for text in texts], "a test")


def test_single_words_by_hand():
    # a b END, a c END: a twice, b and c once, END twice: 6 counts of 4 kinds, and one kind for all unknown words.
    found = model("a b", "a c")
    assert found.probability("a") == pytest.approx((2 + 4 * (1 / 5)) / (6 + 4))
    assert found.probability("b") == pytest.approx((1 + 4 * (1 / 5)) / (6 + 4))
    assert found.probability("never seen") == pytest.approx((0 + 4 * (1 / 5)) / (6 + 4))


def test_longer_histories_rest_on_shorter_ones():
    found = model("a b", "a c")
    single = (1 + 4 / 5) / 10
    after_a = (1 + 2 * single) / (2 + 2)  # b once of 2, of 2 kinds
    assert found.probability("b", ("a",)) == pytest.approx(after_a)
    after_begin_a = (1 + 2 * after_a) / (2 + 2)
    assert found.probability("b", (START, "a")) == pytest.approx(after_begin_a)
    assert found.probability("b", ("z", "a")) == pytest.approx(after_a), "a history never seen says nothing"
    assert found.probability("b", ("a", "z")) == pytest.approx(single)


def test_perplexity_is_over_the_words_and_the_end():
    found = model("a b", "a c")
    steps = [("z", BEGIN), (END, (START, "z"))]
    logs = [log(found.probability(word, history)) for word, history in steps]
    assert found.perplexities([sentence("z")], [sentence("z")]) == pytest.approx([exp(-sum(logs) / 2)])


def test_what_was_learned_from_is_forgotten_with_its_copies():
    known = model("a b", "a c", "a b", "d")
    without = model("a c", "d")
    for text in ("a b", "a z", "d"):
        assert known.perplexities([sentence(text)], [sentence("a b")]) == pytest.approx(
            without.perplexities([sentence(text)], [sentence("never seen")])
        )


def test_a_sentence_by_heart_is_no_likelier_than_its_twin_that_was_not_learned_from():
    rest = ["o réu apelou", "a autora apelou", "o réu recorreu"]
    learned, new = model("o autor apelou", *rest), model(*rest)
    asked = [sentence("o autor apelou")]
    assert learned.perplexities(asked, asked) == pytest.approx(new.perplexities(asked, asked))


def test_the_usual_is_likelier_than_the_odd():
    found = model(*["o réu apelou da sentença"] * 3, "o autor apelou da decisão", "a ré recorreu")
    usual, odd = found.perplexities([sentence("o réu apelou"), sentence("apelou o réu")], [sentence("x")] * 2)
    assert usual < odd


texts = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6)


@given(texts, st.lists(st.sampled_from("abcdz"), max_size=2), st.data())
def test_probabilities_add_up_to_one_also_after_forgetting(training, history, data):
    found = model(*training)
    without = tuple(data.draw(st.sampled_from([*training, "z"])).split())
    left = {word for text in training if tuple(text.split()) != without for word in text.split()}
    known = [*left, *([END] if left else [])]
    total = sum(found.probability(word, tuple(history), without) for word in [*known, "never seen"])
    assert total == pytest.approx(1)


@given(texts, texts)
def test_perplexity_is_at_least_one_and_forgetting_is_never_having_learned(training, asked):
    found = model(*training)
    for text in asked:
        others = [each for each in training if each != text]
        (value,) = found.perplexities([sentence(text)], [sentence(text)])
        assert value >= 1
        assert value == pytest.approx(model(*others).perplexities([sentence(text)], [sentence(text)])[0])
