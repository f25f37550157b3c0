"""Slots, values, articles: what a template becomes."""

import pytest

from abalo.capabilities.agreement import agree_word
from abalo.capabilities.fillers import FillerRow, ListedValues, ValueSource, filler_of
from abalo.capabilities.templates import Template, TemplateText, base_of
from abalo.core.records.filling import Slot
from abalo.tasks.tokens import templates
from perturbations import UNLABELLED, Span
from tests.rows import every


def fill(text, **rows):
    return TemplateText(text).filled(
        {key: row if isinstance(row, FillerRow) else FillerRow(row) for key, row in rows.items()}, fitted_pt
    )


def fitted_pt(word, row):
    return agree_word(word, row, "pt")


def written(text, policy="bio", **rows):
    return templates.write_filling(fill(text, **rows), policy)


# Slots ----------------------------------------------------------------------------------------------------------------


def test_a_slot_takes_its_value_and_is_known_by_its_place():
    found = fill("Mora em [{town} LOCAL] .", town="São Paulo")
    assert found.text == "Mora em [São Paulo LOCAL] ."
    assert found.slots == (Slot("town", 9, "São Paulo"),)


def test_what_belongs_to_a_value_goes_with_it():
    ann = FillerRow("Ann", {"she": "she"})
    assert fill("{first} said {first.she} left", first=ann).text == "Ann said she left"
    with pytest.raises(ValueError, match=r"\{first.he\}: 'Ann' has nothing called 'he'; it has she"):
        fill("{first.he}", first=ann)


def test_a_backslash_makes_a_brace_literal_and_leaves_brackets_to_the_notation():
    assert fill(r"\{x\} \[y\]").text == r"{x} \[y\]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a {b", "'{' has no counterpart; write \\\\{"),
        ("a b}", "'}' has no counterpart"),
        ("{two words}", "cannot read {two words}; expected {key}"),
        ("{a:b.c}", "cannot read {a:b.c}"),
        ("{}", "cannot read {}"),
    ],
)
def test_braces_that_do_not_fit_are_refused(text, said):
    with pytest.raises(ValueError, match=said.replace("{", r"\{").replace("}", r"\}")):
        Template.of({"text": text})


@pytest.mark.parametrize(
    ("key", "fillers", "base"),
    [
        ("town2", {"town"}, "town"),
        ("town2", {"town", "town2"}, "town2"),
        ("town", {"town"}, "town"),
        ("x12", {"x1"}, "x12"),
    ],
)
def test_a_number_behind_a_key_asks_for_another_value_of_it(key, fillers, base):
    assert base_of(key, dict.fromkeys(fillers)) == base


# Articles -------------------------------------------------------------------------------------------------------------


@every(
    ("language", "word", "row", "form"),
    [
        ("en", "a", FillerRow("actor"), "an"),
        ("en", "A", FillerRow("judge"), "A"),
        ("en", "A", FillerRow("hour"), "An"),
        ("pt", "o", FillerRow("Corte Especial", {"gender": "f"}), "a"),
        ("pt", "o", FillerRow("Supremo", {"gender": "m"}), "o"),
        ("pt", "uma", FillerRow("Supremo", {"gender": "m"}), "um"),
        ("pt", "Este", FillerRow("Corte", {"gender": "f"}), "Esta"),
        ("pt", "do", FillerRow("Bahia"), "da"),
        ("pt", "em", FillerRow("Natal"), "em"),
        ("pt", "em", FillerRow("Bahia"), "na"),
        ("pt", "Em", FillerRow("Estados Unidos", {"article": "os"}), "Nos"),
        ("pt", "de", FillerRow("advogada"), "da"),
        ("pt", "por", FillerRow("Abel"), "pelo"),
        ("pt", "o", FillerRow("Natal"), ""),
    ],
)
def test_a_word_takes_the_form_that_fits_the_value(language, word, row, form):
    assert agree_word(word, row, language) == form


@pytest.mark.parametrize(
    ("language", "word", "row", "said"),
    [
        ("pt", "o", FillerRow("Xyzzy"), "the gender of 'Xyzzy' is not known; write it as a table with gender"),
        ("pt", "o", FillerRow("Xyzzy", {"gender": "female"}), "gender of 'Xyzzy' is 'female'; expected \"f\" or \"m\""),
        ("pt", "hoje", FillerRow("Natal"), "pt has no rule for the form of 'hoje'"),
        ("fr", "le", FillerRow("chat"), "fr has no rule for the form of 'le' before a word; write the forms beside"),
        ("xx", "a", FillerRow("b"), "xx has no rule"),
    ],
)
def test_a_form_that_is_not_known_is_an_error_with_the_way_out(language, word, row, said):
    with pytest.raises(ValueError, match=said):
        agree_word(word, row, language)


def test_a_contraction_is_the_letter_before_and_the_article():
    assert fill("d{o:court} {court}", court=FillerRow("Corte", {"gender": "f"})).text == "da Corte"


# Fillers --------------------------------------------------------------------------------------------------------------


def test_a_list_holds_texts_and_tables():
    found = filler_of("who", ["he", {"who": "Ann", "she": "she", "to": "Bob"}])
    assert found == ListedValues((FillerRow("he"), FillerRow("Ann", {"she": "she"}, FillerRow("Bob"))))


@pytest.mark.parametrize(
    ("spec", "kind", "arguments"),
    [
        ("lexicon:names/first.tsv", "lexicon", ("names/first.tsv",)),
        ("pool:PER", "pool", ("PER",)),
        ("pool:PER:bundled:legal-pt/train", "pool", ("PER", "bundled:legal-pt/train")),
        ("faker:city:de_DE", "faker", ("city", "de_DE")),
        ("masked-lm:5", "masked-lm", ("5",)),
    ],
)
def test_a_source_is_read_off_its_name(spec, kind, arguments):
    found = filler_of("x", spec)
    assert found == ValueSource(kind, arguments)
    assert found.spec == spec


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "expected a list of texts"),
        (3, "3; expected a list of texts"),
        ("lexikon:x", "no such source; did you mean 'lexicon'"),
        ("pool:", "nothing behind the colon"),
        ("masked-lm:many", "expected how many words, from 1 to 100"),
        (["a", "a"], "'a' stands there twice"),
        ([{"y": "a"}], "or a table with the text under x"),
        ([{"x": "a", "n": 3}], "n is no text"),
        (["two  spaces"], "expected words with one space between"),
        (["[open"], "'\\[' is never closed"),
    ],
)
def test_what_is_no_filler_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        filler_of("x", given)


# Sentences with labels ------------------------------------------------------------------------------------------------


def test_the_labels_of_brackets_are_those_of_the_sentence():
    found = written("Mora em [{town} LOCAL] .", town="São Paulo")
    assert found.example.sentence.tokens == ("Mora", "em", "São", "Paulo", ".")
    assert found.example.sentence.tags == ("O", "O", "B-LOCAL", "I-LOCAL", "O")
    assert found.places == {"town": [("text", Span(2, 4, "town"))]}


def test_a_value_may_have_labels_of_its_own():
    found = written("{who} saiu", who="[Ana Sá PESSOA]")
    assert found.example.sentence.tags == ("B-PESSOA", "I-PESSOA", "O")
    assert found.places["who"] == [("text", Span(0, 2, "who"))]


def test_an_empty_value_leaves_no_token_and_has_its_place():
    found = written("{who} {neg} saiu", who="Ana", neg="")
    assert found.example.sentence.tokens == ("Ana", "saiu")
    assert found.places["neg"] == [("text", Span(1, 1, "neg"))]


def test_an_empty_value_at_the_head_of_an_entity_leaves_it_one():
    found = written("[{title} Ana PESSOA] saiu", title="")
    assert found.example.sentence.tags == ("B-PESSOA", "O")


def test_a_type_can_be_a_slot():
    found = written("[Natal {kind}] é longe", kind="LOCAL")
    assert found.example.sentence.tags == ("B-LOCAL", "O", "O")
    assert "kind" not in found.places


def test_words_without_brackets_have_no_label_where_each_has_one():
    found = written("O [{word} =NOUN] acabou", policy="each", word="canto")
    assert found.example.sentence.tags == (UNLABELLED, "NOUN", UNLABELLED)
    assert found.example.sentence.policy == "each"


def test_entities_of_types_that_are_not_judged_are_none():
    found = templates.write_filling(fill("[Ana PESSOA] em [Natal LOCAL]"), "bio", ("LOCAL",))
    assert found.example.sentence.tags == ("O", "O", "B-LOCAL")


@pytest.mark.parametrize(
    ("text", "policy", "said"),
    [
        ("O [canto =NOUN]", "bio", "=NOUN labels a word; write entities as"),
        ("[Ana PESSOA] saiu", "each", "marks an entity; write labels of words as"),
        ("{x}", "bio", "has no word"),
    ],
)
def test_a_label_of_another_kind_is_refused(text, policy, said):
    with pytest.raises(ValueError, match=said):
        written(text, policy, **({"x": ""} if "{x}" in text else {}))
