"""The whole text in another letter case, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, Span, entity_spans, find, parse, render
from perturbations.families.casing.title import title_case
from perturbations.strategies import sentences
from tests.rows import every


def variant(text: str, seed: int = 1, **params: object) -> str | None:
    perturbed = find("WordCase").configured(**params).sample(parse(text), seed=seed)
    return None if perturbed is None else render(perturbed.sentence)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("upper", "O [TRIBUNAL DE JUSTIÇA ORG] OUVIU [ANA D'ÁVILA PER] ."),
        ("lower", "o [tribunal de justiça ORG] ouviu [ana d'ávila PER] ."),
        ("title", "O [Tribunal de Justiça ORG] Ouviu [Ana d'Ávila PER] ."),
    ],
)
def test_the_whole_text_changes(case, expected):
    assert variant("O [tribunal de Justiça ORG] ouviu [ANA D'ÁVILA PER] .", case=case) == expected


def test_upper_is_the_default():
    assert variant("Ana saiu") == "ANA SAIU"


@every(
    ("text", "case"),
    [("ANA SAIU , 10", "upper"), ("ana saiu", "lower"), ("Ana Saiu", "title"), ("§ 10 .", "any"), ("中", "any")],
)
def test_a_text_that_is_in_that_case_has_no_variant(text, case):
    # TextFlint counted 555 unchanged texts of 2,000 as transformed.
    assert variant(text, case=case) is None


def test_any_is_one_of_the_three_for_the_whole_text():
    found = {variant("Ana saiu daqui", seed=seed, case="any") for seed in range(40)}
    assert found == {"ANA SAIU DAQUI", "ana saiu daqui", "Ana Saiu Daqui"}
    assert {variant("ana", seed=seed, case="any") for seed in range(40)} == {"ANA", "Ana"}


def test_of_three_cases_that_are_two_texts_each_is_one_option():
    (site,) = find("letter_case").configured(case="any").sites(Sentence(("x",)))
    assert [edit.tokens for edit in site] == [("X",)]


@every(
    ("word", "expected"),
    [
        ("don't", "Don't"),
        ("DON'T", "Don't"),
        ("we\u2019ll", "We\u2019ll"),
        ("i'm", "I'm"),
        ("i'll", "I'll"),
        ("o'brien", "O'Brien"),
        ("d'água", "D'Água"),
        ("D\u2019ÁVILA", "D\u2019Ávila"),
        ("jones'", "Jones'"),
        ("'s", "'s"),
        ("n't", "n't"),
        ("'hello", "'Hello"),
        ("rock'n'roll", "Rock'n'roll"),
        ("ex-ministro", "Ex-Ministro"),
        ("jean-luc", "Jean-Luc"),
        ("state-of-the-art", "State-Of-The-Art"),
        ("guarda\u2011chuva", "Guarda\u2011Chuva"),
        ("1st", "1st"),
        ("2ª", "2ª"),
        ("(casa", "(Casa"),
        ("élan", "Élan"),
        ("-", "-"),
        ("iPHONE", "Iphone"),
    ],
)
def test_titles_are_right_about_apostrophes_and_hyphens(word, expected):
    assert title_case(word, language="any", first=False) == expected


@every(
    ("language", "word", "first", "expected"),
    [
        ("pt", "DE", False, "de"),
        ("pt", "DE", True, "De"),
        ("en", "de", False, "De"),
        ("en", "OF", False, "of"),
        ("pt", "of", False, "Of"),
        ("pt", "pão-de-ló", False, "Pão-de-Ló"),
        ("pt", "DAR-SE-Á", False, "Dar-se-Á"),
        ("pt", "disse-lhe", True, "Disse-lhe"),
        ("pt", "se", False, "Se"),
        ("pt", "copo-d'água", False, "Copo-d'Água"),
        ("pt", "d'arc", False, "d'Arc"),
        ("pt", "d'arc", True, "D'Arc"),
        ("en", "state-of-the-art", False, "State-of-the-Art"),
        ("en", "me-too", False, "Me-Too"),
    ],
)
def test_small_words_of_the_language_stay_small_in_titles(language, word, first, expected):
    assert title_case(word, language=language, first=first) == expected


def test_the_first_word_of_a_title_has_a_capital():
    assert variant("a casa de [ana PER]", case="title") == "A Casa de [Ana PER]"
    assert variant("a casa de [ana PER]", case="title", language="any") == "A Casa De [Ana PER]"


@given(sentence=sentences(), case=st.sampled_from(["upper", "lower", "title", "any"]), seed=st.integers(0, 9))
def test_labels_spaces_and_origins_stay_as_they_are(sentence, case, seed):
    perturbed = find("letter_case").configured(case=case).sample(sentence, seed=seed)
    if perturbed is not None:
        assert perturbed.sentence.tags == sentence.tags
        assert perturbed.sentence.spaces == sentence.spaces
        assert perturbed.origins == tuple((i,) for i in range(len(sentence)))
        assert list(map(folded, perturbed.sentence.tokens)) == list(map(folded, sentence.tokens))


def folded(token: str) -> str:
    """The token without regard to letter case, which for letters such as ß takes both steps."""
    return token.upper().casefold()


@pytest.mark.slow
@given(sentence=sentences())
def test_only_what_is_in_capitals_already_has_no_variant_in_capitals(sentence):
    in_capitals = all(token.upper() == token for token in sentence.tokens)
    assert (find("letter_case").sample(sentence, seed=1) is None) == in_capitals


def test_touching_entities_stay_two():
    sentence = Sentence(("ana", "rui", "sá"), ("B-PER", "B-PER", "I-PER"))
    assert entity_spans(find("letter_case").sample(sentence, seed=1).sentence.tags) == entity_spans(sentence.tags)


def spans_of(*spans: tuple[int, int, str]) -> Sentence:
    words = ("the", "Old", "pump", "caused", "a", "big", "fire", ".")
    return Sentence(words, anchors=tuple(Span(*each) for each in spans))


@every(
    ("case", "spans", "expected"),
    [
        ("upper", [(2, 3, "subject"), (5, 7, "object")], "THE OLD pump CAUSED A big fire ."),
        ("lower", [(2, 3, "subject"), (5, 7, "object")], "the old pump caused a big fire ."),
        ("title", [(2, 3, "subject"), (5, 7, "object")], "The Old pump Caused a big fire ."),
        ("upper", [(0, 2, "answer"), (1, 3, "answer")], "the Old pump CAUSED A BIG FIRE ."),
        ("upper", [(0, 2, "opened")], "THE OLD PUMP CAUSED A BIG FIRE ."),
        ("lower", [(1, 2, "answer")], None),
        ("upper", [(0, 8, "answer")], None),
    ],
)
def test_answers_and_spans_stay_as_they_are_and_the_words_beside_change(case, spans, expected):
    sentence = spans_of(*spans)
    made = find("letter_case").configured(case=case, language="en").sample(sentence, seed=1)
    assert (made and " ".join(made.sentence.tokens)) == expected
    assert made is None or made.sentence.anchors == sentence.anchors
