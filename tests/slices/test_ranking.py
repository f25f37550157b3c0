"""The shortest and the longest, and whatever else has two ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.corpora import Corpus
from abalo.slices import slices
from abalo.slices.ranking import at_the_end
from perturbations import Sentence
from tests.scripted import corpus_of
from tests.texts import TextWith


def inside(of: str, corpus: Corpus, **params) -> list[int]:
    """The numbers of the sentences that are in."""
    part = slices()[of]
    cut = part.cut(corpus, part.configured(**params))
    return [number for number, sentence in enumerate(corpus.sentences) if cut.holds(sentence)]


def words(*counts: int) -> Corpus:
    """Sentences of so many words, all distinct."""
    return Corpus("by hand", tuple(Sentence((f"w{k}",) * n, ("O",) * n) for k, n in enumerate(counts)))


TEN = words(3, 9, 1, 7, 5, 10, 2, 8, 4, 6)


def test_the_longest_and_the_shortest_share():
    assert inside("length", TEN, end="longest", share=0.2) == [1, 5]
    assert inside("length", TEN, end="shortest", share=0.3) == [0, 2, 6]


def test_as_many_as_the_share_allows_and_at_least_one():
    assert inside("length", TEN, end="longest", share=0.29) == [1, 5]
    assert inside("length", TEN, end="longest", share=0.01) == [5]


def test_a_share_that_no_float_has_is_not_lost_to_rounding():
    hundred = words(*range(1, 101))
    assert len(inside("length", hundred, end="shortest", share=0.29)) == 29  # 0.29 * 100 is a little less


def test_equally_long_ones_are_in_together():
    assert inside("length", words(4, 2, 4, 1, 4), end="longest", share=0.2) == [0, 2, 4]


def test_copies_take_no_place():
    one, copy = Sentence(("a",)), Sentence(("b", "b"))
    corpus = Corpus("by hand", (copy,) * 8 + (one, Sentence(("c", "c", "c"))))
    assert inside("length", corpus, end="longest", share=0.4) == [9]  # one of three distinct ones


def test_the_cut_says_where_it_is():
    part = slices()["length"]
    cut = part.cut(TEN, part.configured(end="shortest", share=0.25))
    assert cut.text == "the shortest sentences, 25 %: at most 2 words"
    distinct = Corpus("by hand", tuple(Sentence((*"ab", str(k))) for k in range(3)) + words(1, 2).sentences)
    tied = part.cut(distinct, part.configured(end="longest", share=0.2))  # three of five are as long as the first
    assert tied.text == "the longest sentences, 20 % (60 % with ties): at least 3 words"


@given(st.lists(st.integers(1, 30), min_size=1, max_size=30), st.floats(0.01, 0.99))
def test_no_sentence_that_is_out_belongs_in(counts, share):
    corpus = words(*counts)
    for end, sign in (("longest", 1), ("shortest", -1)):
        held = inside("length", corpus, end=end, share=share)
        least = min(sign * counts[k] for k in held)
        assert all(sign * counts[k] < least for k in range(len(counts)) if k not in held)
        above = sum(sign * counts[k] > least for k in held)
        assert above < max(1, share * len(counts)) <= len(held) + 1


def test_what_has_no_value_is_never_in():
    cut = at_the_end(TEN, lambda sentence: None, 0.5, top=True, text="none")
    assert not any(map(cut.holds, TEN.sentences))
    assert cut.text == "none (there are none)"


ENTITIES = corpus_of(
    "[Ana PESSOA] saiu",  # longest entity 1, half of it entities
    "[Ana Maria de Sá PESSOA] saiu daqui ontem cedo",  # 4, half
    "nada aqui",  # none
    "[STJ ORG] e [Ministério Público ORG]",  # 2, three of four
    "saiu de [Sergipe LOCAL] ontem à noite , disse ele , mas não sozinho",  # 1, one of thirteen
)


def test_entity_length_is_that_of_the_longest_in_the_sentence():
    assert inside("entity_length", ENTITIES, end="longest", share=0.25) == [1]
    assert inside("entity_length", ENTITIES, end="longest", share=0.5) == [1, 3]
    assert inside("entity_length", ENTITIES, end="shortest", share=0.25) == [0, 4]


def test_entity_density_is_the_share_of_words_in_entities():
    assert inside("entity_density", ENTITIES, end="densest", share=0.25) == [3]
    assert inside("entity_density", ENTITIES, end="densest", share=0.5) == [0, 1, 3]
    assert inside("entity_density", ENTITIES, end="sparsest", share=0.25) == [4]


@pytest.mark.parametrize("of", ["entity_length", "entity_density"])
def test_a_corpus_without_entities_has_nothing_in(of):
    assert inside(of, corpus_of("nada aqui", "nem ali")) == []


USUAL = ["o réu apelou da sentença", "o réu recorreu da sentença", "o autor apelou da sentença", "o autor recorreu"]


def test_perplexity_by_n_grams_of_the_corpus_itself():
    corpus = corpus_of(*USUAL, "zebras listradas dormem")
    assert inside("perplexity", corpus, end="highest", share=0.2) == [4]
    assert 4 not in inside("perplexity", corpus, end="lowest", share=0.6)


def test_perplexity_by_n_grams_of_a_training_corpus(tmp_path):
    training = tmp_path / "train.conll"
    training.write_text("zebras O\nlistradas O\ndormem O\n\nzebras O\nlistradas O\ncomem O\n")
    corpus = corpus_of(*USUAL, "zebras listradas correm")
    assert inside("perplexity", corpus, end="lowest", share=0.2, training=str(training)) == [4]
    part = slices()["perplexity"]
    cut = part.cut(corpus, part.configured(training=str(training)))
    assert cut.text == TextWith("highest perplexity", "word 3-grams of train.conll (2 sentences), 20 %: at least ")


def test_perplexity_is_also_known_of_other_sentences():
    part = slices()["perplexity"]
    cut = part.cut(corpus_of(*USUAL), part.configured(end="highest", share=0.25))
    assert cut.holds(Sentence(("zebras", "listradas", "dormem")))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"share": 0.0}, "share is 0.0; expected a number from 0.001 to 0.999"),
        ({"end": "long"}, "end is 'long'; expected one of 'lowest', 'highest'"),
        ({"training": "nowhere.conll"}, "training is 'nowhere.conll'; no such file: expected a corpus"),
        ({"order": 5}, "perplexity has no parameter 'order'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(params, message):
    with pytest.raises((TypeError, ValueError), match=message.replace("(", r"\(")):
        slices()["perplexity"].configured(**params)
