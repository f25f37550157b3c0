"""The bracket notation, both ways."""

import pytest
from hypothesis import given

from perturbations import Sentence, parse, render
from perturbations.strategies import sentences
from tests.rows import every


def test_brackets_mark_entities_and_their_last_word_is_the_type():
    sentence = parse("[Ann Smith PER] left [Paris LOC]")
    assert sentence.tokens == ("Ann", "Smith", "left", "Paris")
    assert sentence.tags == ("B-PER", "I-PER", "O", "B-LOC")


def test_touching_entities_stay_apart():
    assert parse("[A X] [B X]").tags == ("B-X", "B-X")
    assert render(Sentence(("A", "B"), ("B-X", "B-X"))) == "[A X] [B X]"


def test_a_backslash_makes_brackets_spaces_and_backslashes_literal():
    assert parse(r"\[MASK\] 10\ 000 a\\b").tokens == ("[MASK]", "10 000", "a\\b")
    assert render(Sentence(("[MASK]", "10 000", "a\\b"))) == r"\[MASK\] 10\ 000 a\\b"


def test_other_white_space_belongs_to_the_token():
    assert parse("10\u00a0000 x").tokens == ("10\u00a0000", "x")


def test_spaces_around_the_text_and_between_words_do_not_count():
    assert parse("  a   [b X]  ").tokens == ("a", "b")


def test_nothing_is_an_empty_sentence():
    assert parse("") == parse("  ") == Sentence((), ())


@every(
    ("text", "message"),
    [
        ("[Ana PER", "never closed"),
        ("Ana PER]", "']' after 'PER' closes nothing"),
        ("[Ana [Sá PER]", "opens inside another at 'Sá'"),
        ("[PER]", r"\[PER\] is an entity without a word; write \[word PER\]"),
        ("a[b X]", r"cannot read 'a\[b X\]'"),
        ("[a X]b", r"cannot read 'X\]b'"),
        ("[a X][b X]", "cannot read"),
        ("[ a X]", "cannot read"),
        ("a[0]", "cannot read"),
        ("a \\", "cannot read"),
    ],
)
def test_a_bracket_that_does_not_fit_is_an_error(text, message):
    with pytest.raises(ValueError, match=message):
        parse(text)


def test_rendering_shows_an_i_without_its_b_as_an_entity():
    assert render(Sentence(("a", "b", "c"), ("I-X", "I-Y", "B-"))) == "[a X] [b Y] c"


def test_rendering_leaves_out_what_has_no_tags():
    assert render(Sentence(("a", "b"))) == "a b"


@given(sentences(types=("PER", "A B", "[X]")))
def test_what_is_rendered_is_parsed_again(sentence):
    again = parse(render(sentence))
    assert (again.tokens, again.tags) == (sentence.tokens, sentence.tags)


def test_a_label_of_one_word_has_a_sign_before_it_and_other_words_are_o():
    sentence = parse("o [canto =NOUN] de [Ana Sá PER]")
    assert sentence.tokens == ("o", "canto", "de", "Ana", "Sá")
    assert sentence.tags == ("O", "NOUN", "O", "B-PER", "I-PER")


def test_labels_are_rendered_as_they_are_parsed():
    tagged = Sentence(("O", "canto", "[MASK]"), ("DET", "NOUN", "a b"))
    assert render(tagged) == r"[O =DET] [canto =NOUN] [\[MASK\] =a\ b]"
    assert parse(render(tagged)) == tagged


def test_a_type_that_begins_with_the_sign_is_escaped():
    sentence = Sentence(("a", "b"), ("B-=X", "I-=X"))
    assert render(sentence) == r"[a b \=X]"
    assert parse(render(sentence)) == sentence
    assert parse("[a =]").tags == ("B-=",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[de o =DET]", "=DET labels 'de o'; a label is of one word"),
        ("[=DET]", r"\[=DET\] is an entity without a word"),
        ("[o =O]", "=O is no label of its own"),
        ("[o =B-PER]", "=B-PER is no label of its own"),
    ],
)
def test_a_label_that_does_not_fit_is_an_error(text, message):
    with pytest.raises(ValueError, match=message):
        parse(text)


@given(sentences(types=("PER", "=X", "=")))
def test_types_that_look_like_labels_are_parsed_again(sentence):
    again = parse(render(sentence))
    assert (again.tokens, again.tags) == (sentence.tokens, sentence.tags)
