"""Similarity, perplexity, BLEU and chrF of an original and a variant."""

import math
import sys
from collections import Counter

import pytest

from abalo.errors import AbaloError
from abalo.models.auxiliary.ngram_lm import NgramModel
from abalo.validators import validators
from perturbations import Sentence
from tests.scripted import corpus_of

CORPUS = corpus_of(
    "o réu apelou da sentença", "o autor apelou da sentença", "o réu recorreu da decisão", "a ré recorreu da decisão"
)


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def score(name: str, original: str, variant: str, **params) -> float:
    validator = validators()[name]
    measure = validator.prepare(CORPUS, validator.configured(**params))
    (value,) = measure.of([(sentence(original), sentence(variant))])
    return float(value)


def test_the_validators_and_which_side_is_good():
    assert {name: each.side for name, each in validators().items()} == {
        "bleu": "min",
        "chrf": "min",
        "edit_distance": "max",
        "grammar_errors": "max",
        "log_probability_loss": "max",
        "perplexity_ratio": "max",
        "similarity": "min",
        "words_changed": "max",
    }


@pytest.mark.parametrize("name", ["edit_distance", "perplexity_ratio", "similarity", "words_changed"])
def test_an_unchanged_variant_has_the_best_score(name):
    best = {"edit_distance": 0, "words_changed": 0, "perplexity_ratio": 1, "similarity": 1}
    assert score(name, "o réu apelou da sentença", "o réu apelou da sentença") == pytest.approx(best[name])


def test_similarity_falls_with_what_is_changed():
    original = "o réu apelou da sentença"
    one, all_ = score("similarity", original, "o réu apelou da sentena"), score("similarity", original, "xyz kwq")
    assert 1 > one > 0.5 > all_ == 0


def test_the_perplexity_ratio_is_of_a_model_that_forgot_the_original():
    original, variant = "o réu apelou da sentença", "o réu apelou sentença da"
    rest = [each for each in CORPUS.sentences if each.tokens != sentence(original).tokens]
    model = NgramModel(rest, "the rest")
    after, before = (model.perplexities([sentence(text)], [sentence("never seen")])[0] for text in (variant, original))
    assert score("perplexity_ratio", original, variant) == pytest.approx(after / before)
    assert after > before


def test_the_loss_of_log_probability_is_of_the_whole_text():
    """Both texts have five words and an end, so the loss is six times the logarithm of the perplexity ratio."""
    original, variant = "o réu apelou da sentença", "o réu apelou sentença da"
    loss = score("log_probability_loss", original, variant)
    assert loss == pytest.approx(6 * math.log(score("perplexity_ratio", original, variant)))
    assert score("log_probability_loss", original, original) == 0
    assert loss > 0


def test_perplexity_can_be_by_another_corpus(tmp_path):
    training = tmp_path / "train.conll"
    training.write_text("zebras O\ndormem O\n")
    ratio = score("perplexity_ratio", "o réu", "zebras dormem", training=str(training))
    assert ratio < 1
    assert score("perplexity_ratio", "o réu", "zebras dormem") > 1


class TestTranslation:
    """Against the formulas."""

    @pytest.fixture(autouse=True)
    def _needs_sacrebleu(self):
        pytest.importorskip("sacrebleu", reason="pip install 'abalo[validators]'")

    def test_equal_sentences_score_one(self):
        for name in ("bleu", "chrf"):
            assert score(name, "o réu apelou da sentença", "o réu apelou da sentença") == pytest.approx(1)

    def test_bleu_by_hand(self):
        # Of the variant's 5, 4, 3, 2 n-grams of 1 to 4 words are in the original: 4, 3, 2, 1. Equally long: no penalty.
        value = score("bleu", "o réu apelou da sentença", "o réu apelou da decisão")
        assert value == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4))

    def test_bleu_of_a_short_pair_is_no_power_of_ten(self):
        # 2 of 3 words, 1 of 2 pairs, no triple, which counts as half a one; four words there cannot be.
        assert score("bleu", "o réu apelou", "o réu saiu") == pytest.approx((2 / 3 * 1 / 2 * 1 / 2) ** (1 / 3))

    def test_bleu_is_of_the_words_as_they_are(self):
        assert score("bleu", "a-b c/d e", "a-b c/d f") == pytest.approx((2 / 3 * 1 / 2 * 1 / 2) ** (1 / 3))

    @pytest.mark.parametrize(("original", "variant"), [("o réu apelou", "o rei apelou"), ("abc def", "abcd ef gh")])
    def test_chrf_by_hand(self, original, variant):
        def grams(text: str, size: int) -> Counter:
            plain = text.replace(" ", "")
            return Counter(plain[k : k + size] for k in range(len(plain) - size + 1))

        precision, recall, orders = 0.0, 0.0, 0
        for size in range(1, 7):
            theirs, ours = grams(original, size), grams(variant, size)
            if theirs and ours:
                common = (theirs & ours).total()
                precision, recall, orders = (
                    precision + common / ours.total(),
                    recall + common / theirs.total(),
                    orders + 1,
                )
        precision, recall = precision / orders, recall / orders
        expected = 5 * precision * recall / (4 * precision + recall)
        assert score("chrf", original, variant) == pytest.approx(expected)

    def test_names_are_signatures(self):
        for name, words in (("bleu", "BLEU by sacreBLEU, nrefs:1|case:mixed|eff:yes|tok:none"), ("chrf", "chrF by")):
            validator = validators()[name]
            assert validator.prepare(CORPUS, validator.configured()).name.startswith(words)


@pytest.mark.parametrize("name", ["bleu", "chrf"])
def test_without_sacrebleu_it_says_what_to_install(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(AbaloError, match=rf"{name} needs sacreBLEU: pip install 'abalo\[validators\]'"):
        score(name, "a", "b")


def test_scores_of_no_pair_are_none():
    for name in ("edit_distance", "perplexity_ratio", "similarity", "words_changed"):
        validator = validators()[name]
        assert validator.prepare(CORPUS, validator.configured()).of([]).shape == (0,)


def test_perplexity_has_no_upper_end():
    assert validators()["perplexity_ratio"].high == math.inf
