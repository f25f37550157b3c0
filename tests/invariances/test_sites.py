"""Where each invariance would edit a sentence, and what it would put there."""

import pytest

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.invariances import invariances
from perturbations import Sentence, apply, parse
from tests.scripted import corpus_of

CORPUS = corpus_of(
    "De Ana nada : [Rui Sá PESSOA] foi a [Natal LOCAL] .",
    "[Eva Lé PESSOA] , [RUI SÁ PESSOA] e [Ana PESSOA]",
    "[Lia Só PESSOA] saiu",
)
FIRST = CORPUS.sentences[0]
OUTSIDE = frozenset(i for i, tag in enumerate(FIRST.tags) if tag == "O")


def made(name: str, sentence: Sentence = FIRST, free: frozenset[int] = OUTSIDE, **params) -> list[list[str]]:
    """For each site the sentences that its edits make."""
    invariance = invariances()[name]
    sites = invariance.finder(CORPUS, invariance.configured(**params))(sentence, free)
    return [[apply(sentence, [edit]).sentence.text for edit in site()] for site in sites]


def test_a_typo_swaps_replaces_or_leaves_out_one_letter_of_a_word_outside_entities():
    swapped, replaced, left_out, *more = made("typo_outside", free=frozenset([0]))
    assert more == []
    assert swapped == ["eD Ana nada : Rui Sá foi a Natal ."]
    assert left_out == ["e Ana nada : Rui Sá foi a Natal .", "D Ana nada : Rui Sá foi a Natal ."]
    assert "Dz Ana nada : Rui Sá foi a Natal ." in replaced
    assert len(replaced) == 2 * 51, "each letter by any other ASCII letter, small or capital"


def test_no_typo_in_entities_signs_or_single_letters():
    places = {text.split()[i] for site in made("typo_outside") for text in site for i in (3, 4, 5, 7, 8, 9)}
    assert places == {":", "Rui", "Sá", "a", "Natal", "."}


def test_a_stop_word_changes_its_case():
    assert made("stop_word_case") == [
        ["de Ana nada : Rui Sá foi a Natal .", "DE Ana nada : Rui Sá foi a Natal ."],
        ["De Ana NADA : Rui Sá foi a Natal .", "De Ana Nada : Rui Sá foi a Natal ."],
        ["De Ana nada : Rui Sá FOI a Natal .", "De Ana nada : Rui Sá Foi a Natal ."],
        ["De Ana nada : Rui Sá foi A Natal ."],
    ]


def test_a_person_becomes_another_whose_words_are_as_long_and_in_the_same_case():
    assert made("same_length_name") == [
        ["De Ana nada : Eva Lé foi a Natal .", "De Ana nada : Lia Só foi a Natal ."],
    ]


def test_the_type_of_persons_can_be_named():
    assert made("same_length_name", type="LOCAL") == []
    with pytest.raises(AbaloError, match=r"type 'PESOA' is not in by hand; did you mean 'PESSOA'\?; there are LOCAL"):
        made("same_length_name", type="PESOA")


def test_a_corpus_without_persons_has_no_site():
    invariance = invariances()["same_length_name"]
    places = Corpus("places", (parse("[Natal LOCAL]"),))
    assert invariance.finder(places, invariance.configured())(places.sentences[0], frozenset()) == []


def test_a_space_is_doubled_after_words_outside_entities():
    assert made("doubled_space", free=frozenset([0, 9])) == [["De  Ana nada : Rui Sá foi a Natal ."]]


def test_only_a_full_stop_at_the_end_is_left_out():
    assert made("final_full_stop") == [["De Ana nada : Rui Sá foi a Natal"]]
    assert made("final_full_stop", CORPUS.sentences[1], frozenset([1])) == []
    assert made("final_full_stop", parse("."), frozenset([0])) == [], "nothing would be left"


def test_settings_are_checked():
    typo = invariances()["typo_outside"]
    with pytest.raises(ValueError, match=r"margin is 2\.0; expected a number from 0 to 1"):
        typo.configured(margin=2.0)
    with pytest.raises(TypeError, match="typo_outside has no parameter 'drwas'; did you mean 'draws'"):
        typo.configured(drwas=3)


def test_stop_words_are_those_of_the_language_of_the_corpus():
    invariance = invariances()["stop_word_case"]
    english = corpus_of("The man went to [Rome LOCAL] for a day")
    sites = invariance.finder(english, invariance.configured())(english.sentences[0], frozenset(range(4)))
    assert [site()[0].tokens for site in sites] == [("the",), ("TO",)]
    with pytest.raises(ValueError, match="no lexicon 'nope'"):
        invariance.configured(stop_words="nope")


def test_a_slip_that_changes_nothing_is_none():
    doubled = parse("oo passo")
    for name, invariance in invariances().items():
        for site in invariance.finder(CORPUS, invariance.configured())(doubled, frozenset([0, 1])):
            for edit in site():
                made = apply(doubled, [edit]).sentence
                assert (made.tokens, made.spaces) != (doubled.tokens, doubled.spaces), name
