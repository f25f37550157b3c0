"""Words that models, vectors and translators propose, with proposals written by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, apply, entity_spans, find, parse, render
from perturbations.resources import Listed, Phrases
from perturbations.strategies import sentences

MLM, NEAR, BACK = find("MLMSuggestion"), find("SwapSynWordEmbedding"), find("BackTrans")


class Tagger:
    """A word ends in o and is a noun, or does not and is a verb, unless it follows "o"."""

    def of(self, given):
        return [
            tuple(
                "NOUN" if token.endswith("o") or tokens[i - 1 : i] == ("o",) else "VERB"
                for i, token in enumerate(tokens)
            )
            for tokens in (sentence.tokens for sentence in given)
        ]


def model(*words: str, of: str = "juiz", least: float = 0.1) -> Listed:
    """Proposes the words for one, the first likeliest."""
    return Listed("mine", {of: tuple((word, least + 0.5 / (k + 1)) for k, word in enumerate(words))})


def texts(perturbation, text: str, **params) -> list[list[str]]:
    """The options of each site."""
    sentence = parse(text)
    configured = perturbation.configured(rate=1, **params)
    return [[render(apply(sentence, [edit]).sentence) for edit in site] for site in configured.sites(sentence)]


# Masked language models -----------------------------------------------------------------------------------------------


def test_the_likeliest_words_of_the_kind_are_suggested_in_their_order():
    found = texts(MLM, "disse o juiz", model=model("magistrado", "acórdão", "decisão"), most=2)
    assert found == [["disse o magistrado", "disse o acórdão"]]


def test_neither_the_word_itself_nor_pieces_nor_signs_nor_stop_words_are_suggested():
    junk = ("juiz", "Juiz", "JUIZ", "magis", "##trado", "Ġo", "não", "de", ".", "§", "a", "1988", "magistrado de")
    assert texts(MLM, "disse o juiz", model=model(*junk)) == []
    assert texts(MLM, "disse o juiz", model=model(*junk, "magistrado"), most=1) == [["disse o magistrado"]]


def test_what_is_of_another_kind_in_the_list_is_no_suggestion():
    assert texts(MLM, "disse o juiz", model=model("afirmou", "válida", "magistrado")) == [["disse o magistrado"]]


def test_what_is_unlikely_is_no_suggestion():
    proposals = Listed("mine", {"juiz": (("magistrado", 0.3), ("acórdão", 0.009))})
    assert texts(MLM, "disse o juiz", model=proposals) == [["disse o magistrado"]]
    assert texts(MLM, "disse o juiz", model=proposals, least=0.31) == []
    assert texts(MLM, "disse o juiz", model=proposals, least=0) == [["disse o magistrado", "disse o acórdão"]]


@pytest.mark.parametrize(
    ("word", "proposed", "expected"),
    [
        ("Juiz", "magistrado", "Magistrado"),
        ("JUIZ", "magistrado", "MAGISTRADO"),
        ("JUIZ", "Magistrado", "MAGISTRADO"),
        ("Juiz", "Magistrado", "Magistrado"),
    ],
)
def test_a_suggestion_is_in_the_letter_case_of_the_word(word, proposed, expected):
    """An uncased model gives lower case; the catalogue puts it into text that has capitals."""
    assert texts(MLM, f"disse {word}", model=model(proposed)) == [[f"disse {expected}"]]


def test_what_has_capitals_where_the_word_has_none_is_a_name_and_no_suggestion():
    assert texts(MLM, "disse o juiz", model=model("Magistrado", "MAGISTRADO")) == []
    assert texts(MLM, "disse o Juiz", model=model("MAGISTRADO")) == []


def test_stop_words_numbers_signs_and_entities_are_not_asked_about():
    class Recording(Listed):
        def suggestions(self, sentence, place):
            asked.append(sentence.tokens[place])
            return ()

    asked = []
    texts(MLM, "não disse , em 2020 o juiz [Juiz Silva PER] da 2ª sentença (", model=Recording("mine", {}))
    assert asked == ["disse", "juiz", "sentença"]


def test_words_in_entities_change_only_where_it_is_asked_for():
    assert texts(MLM, "[Juiz Sá PER]", model=model("magistrado")) == []
    assert texts(MLM, "[Juiz Sá PER]", model=model("magistrado"), inside_entities=True) == [["[Magistrado Sá PER]"]]


def test_only_the_places_that_are_hit_are_shown_to_the_model():
    asked = []

    class Recording(Listed):
        def suggestions(self, sentence, place):
            asked.append(place)
            return ()

    sentence = Sentence(("juiz",) * 200)
    MLM.configured(model=Recording("mine", {})).sample(sentence, seed=1)
    assert 20 <= len(asked) <= 60


def test_the_rate_is_that_of_words_for_which_the_list_has_a_kind():
    """The catalogue draws before it looks at parts of speech, so that most of what is drawn comes to nothing."""
    member = MLM.configured(rate=0.5, model=model("magistrado"))
    sentence = parse(" ".join(["de juiz"] * 200))
    changed = len(member.sample(sentence, seed=1).edits)
    assert 70 <= changed <= 130


def test_parts_of_speech_are_those_of_the_place():
    """The catalogue tags suggestions by themselves: here only what stands behind "o" makes them nouns."""
    proposals = Listed("mine", {"juiz": (("disse", 0.5), ("magistrado", 0.3)), "diz": (("magistrado", 0.3),)})
    found = texts(MLM, "o juiz diz", model=proposals, parts_of_speech=Tagger())
    assert found == [["o disse diz", "o magistrado diz"]]


def test_in_english_an_article_changes_with_the_word():
    assert texts(MLM, "an answer", language="en", model=model("reply", of="answer")) == [["a reply"]]


def test_the_bundled_model_is_refused_for_english():
    bundled = Listed("bundled", {})
    with pytest.raises(ValueError, match="model 'bundled' knows no 'en'; give the folder of"):
        MLM.configured(language="en", model=bundled).sample(parse("an answer"), seed=1)


@pytest.mark.parametrize("params", [{"most": 0}, {"least": 1.1}, {"least": -0.1}])
@pytest.mark.parametrize("perturbation", [MLM, NEAR], ids=["mlm", "near"])
def test_parameters_that_mean_nothing_are_refused(perturbation, params):
    with pytest.raises(ValueError, match="expected a"):
        perturbation.configured(**params).sample(parse("o juiz"), seed=1)


# Word vectors ---------------------------------------------------------------------------------------------------------


def test_the_nearest_words_stand_in_the_letter_case_of_the_word():
    near = Listed("mine", {"juiz": (("magistrado", 0.9), ("julgador", 0.7), ("réu", 0.59), ("o", 0.99))})
    assert texts(NEAR, "o JUIZ", vectors=near) == [["o MAGISTRADO", "o JULGADOR"]]
    assert texts(NEAR, "o juiz", vectors=near, least=0.59, most=3) == [["o magistrado", "o julgador", "o réu"]]
    assert texts(NEAR, "o juiz", vectors=near, most=1) == [["o magistrado"]]


def test_antonyms_are_no_neighbours():
    near = Listed("mine", {"lenta": (("rápida", 0.95), ("demorada", 0.7))})
    assert texts(NEAR, "fila lenta", vectors=near) == [["fila demorada"]]
    near = Listed("mine", {"able": (("unable", 0.95),)})
    assert texts(NEAR, "able", vectors=near, language="en") == []


def test_a_neighbour_listed_as_another_kind_is_left_out_and_an_unlisted_one_is_taken():
    near = Listed("mine", {"juiz": (("disse", 0.9), ("magistrado", 0.8), ("juizeco", 0.7))})
    assert texts(NEAR, "o juiz", vectors=near) == [["o magistrado", "o juizeco"]]


def test_neighbours_are_judged_in_their_place_where_there_is_a_tagger():
    near = Listed("mine", {"juiz": (("disse", 0.9),), "caso": (("juiz", 0.9), ("pleito", 0.8))})
    assert texts(NEAR, "o juiz", vectors=near, parts_of_speech=Tagger()) == [["o disse"]]
    assert texts(NEAR, "caso", vectors=near, parts_of_speech=Tagger()) == [["pleito"]]


def test_names_and_stop_words_have_no_neighbours():
    near = Listed("mine", {"juiz": (("magistrado", 0.9),), "não": (("magistrado", 0.9),)})
    assert texts(NEAR, "[Juiz PER] não", vectors=near) == []
    assert texts(NEAR, "[Juiz PER] não", vectors=near, inside_entities=True) == [["[Magistrado PER] não"]]


# Translation ----------------------------------------------------------------------------------------------------------


def translated(text: str, **there: str) -> list[list[str]]:
    """The back-translation of the text, with "source" → "result" in English that is the source."""
    same = Phrases("en", {source.replace("_", " "): source.replace("_", " ") for source in there})
    back = Phrases("pt", {source.replace("_", " "): result for source, result in there.items()})
    return texts(BACK, text, forward=same, backward=back)


def test_text_between_entities_is_translated_and_entities_stay():
    found = translated(
        "[Ana Sá PER] nunca esteve lá com [Rui PER] , disse ontem o juiz .",
        nunca_esteve_lá_com="jamais esteve ali junto com",
        disse_ontem_o_juiz="ontem o juiz disse.",
    )
    assert found == [
        ["[Ana Sá PER] jamais esteve ali junto com [Rui PER] , disse ontem o juiz ."],
        ["[Ana Sá PER] nunca esteve lá com [Rui PER] , ontem o juiz disse ."],
    ]


def test_the_same_again_is_no_option():
    """The catalogue gives and counts it."""
    assert translated("o juiz disse que não", o_juiz_disse_que_não="O juiz disse que não.") == []
    assert translated("o juiz disse que não", o_juiz_disse_que_não="  ") == []
    assert BACK.configured(forward=Phrases("x", {}), backward=Phrases("x", {})).sample(parse("a b c d"), seed=1) is None


def test_a_translation_that_grows_without_bound_is_no_option():
    assert translated("o juiz disse", o_juiz_disse="o juiz " * 4 + "disse") == [["o juiz o juiz o juiz o juiz disse"]]
    assert translated("o juiz disse", o_juiz_disse="o juiz " * 5) == []


def test_short_stretches_and_those_without_words_are_left_alone():
    there = Phrases("en", {"de": "of", "foi a": "went to"})
    back = Phrases("pt", {"of": "da", "went to": "andou até"})
    text = "[Ana PER] foi a [Lima LOC] ( [Peru LOC] ) de [Rui PER]"
    assert texts(BACK, text, forward=there, backward=back) == []
    assert texts(BACK, text, forward=there, backward=back, shortest=2) == [
        ["[Ana PER] andou até [Lima LOC] ( [Peru LOC] ) de [Rui PER]"]
    ]
    with pytest.raises(ValueError, match="shortest is 0"):
        texts(BACK, text, shortest=0)


def test_signs_are_tokens_of_their_own_and_abbreviations_of_the_text_stay_whole():
    found = translated("o art. 5º , caput , diz", **{"o_art._5º,_caput,_diz": 'diz o art. 5º ("caput"), sim'})
    assert found == [['diz o art. 5º ( " caput " ) , sim']]


def test_the_first_letter_is_as_it_was():
    assert translated("Ontem disse isso", Ontem_disse_isso="disse isso ontem") == [["Disse isso ontem"]]
    assert translated("ontem disse isso", ontem_disse_isso="Disse isso ontem") == [["disse isso ontem"]]
    assert translated("ontem disse isso", ontem_disse_isso="STF disse isso") == [["STF disse isso"]]


def test_running_text_stays_running_text():
    sentence = Sentence(("sim", ",", "disse", "o", "juiz", "."), None, ("", " ", " ", " ", "", "\n"))
    same = Phrases("en", {"sim, disse o juiz": "x"})
    member = BACK.configured(forward=same, backward=Phrases("pt", {"x": "o juiz, sim, disse"}))
    assert member.sample(sentence, seed=1).sentence.text == "o juiz, sim, disse.\n"


def test_several_calls_of_one_sentence_are_one():
    calls = []

    class Counting(Phrases):
        def translations(self, given):
            calls.append(list(given))
            return [text + " xyz" for text in given]

    member = BACK.configured(forward=Counting("x", {}), backward=Counting("x", {}))
    member.sample(parse("a b c [D PER] e f g [H PER]"), seed=1)
    assert calls == [["a b c", "e f g"], ["a b c xyz", "e f g xyz"]]


class Noise:
    """Translates everything into whatever is given."""

    name = "noise"

    def __init__(self, text):
        self.text = text

    def translations(self, given):
        return [self.text for _ in given]


@given(sentences(), st.text(max_size=20), st.integers(1, 3))
def test_whatever_comes_back_entities_stay(sentence, text, shortest):
    member = BACK.configured(forward=Noise("x"), backward=Noise(text), shortest=shortest)
    perturbed = member.sample(sentence, seed=1)
    if perturbed is not None:
        new = perturbed.sentence

        def names(each):
            return [(each.tokens[span.start : span.stop], span.type) for span in entity_spans(each.tags)]

        assert names(new) == names(sentence)
        assert all(token.strip() and len(token.split()) == 1 for edit in perturbed.edits for token in edit.tokens)


WORDS = ("magistrado", "ss", "ß", "Juiz", "a", "§", "x y", "", "İ")


@given(sentences(), st.lists(st.sampled_from(WORDS)))
def test_whatever_is_proposed_one_word_stands_for_one_in_the_same_place(sentence, proposals):
    class Proposing(Listed):
        def suggestions(self, sentence, place):
            return [(word, 0.5) for word in proposals]

        def near(self, words):
            return [[(word, 0.9) for word in proposals] for _ in words]

    for member in (
        MLM.configured(model=Proposing("x", {}), rate=1),
        NEAR.configured(vectors=Proposing("x", {}), rate=1),
    ):
        for site in member.sites(sentence):
            for edit in site:
                assert edit.stop == edit.start + 1
                assert sentence.tags[edit.start] == "O"
                assert edit.tokens[0].lower() != sentence.tokens[edit.start].lower()
