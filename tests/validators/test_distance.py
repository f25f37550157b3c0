"""Edit distance over characters and over words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.validators.distance import levenshtein, share
from abalo.validators.edit_distance import of as characters
from abalo.validators.words_changed import of as words
from perturbations import Sentence


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [
        ("kitten", "sitting", 3),
        ("flaw", "lawn", 2),
        ("", "abc", 3),
        ("abc", "", 3),
        ("same", "same", 0),
        ("aaa", "aa", 1),
        ("abab", "baba", 2),
        ("", "", 0),
    ],
)
def test_the_fewest_steps(first, second, steps):
    assert levenshtein(first, second) == steps


def by_the_book(first: str, second: str) -> int:
    """The recurrence, cell by cell."""
    rows = [[i + j for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i, left in enumerate(first, 1):
        for j, right in enumerate(second, 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (left != right))
    return rows[-1][-1]


letters = st.text("abc", max_size=12)


@given(letters, letters)
def test_every_distance_is_that_of_the_recurrence(first, second):
    assert levenshtein(first, second) == by_the_book(first, second)


@given(letters, letters, letters)
def test_it_is_a_distance(first, second, third):
    assert levenshtein(first, second) == levenshtein(second, first)
    assert (levenshtein(first, second) == 0) == (first == second)
    assert levenshtein(first, third) <= levenshtein(first, second) + levenshtein(second, third)
    assert 0 <= share(first, second) <= 1


def test_characters_count_over_the_longer_text_white_space_too():
    original = sentence("o réu apelou")
    assert characters(original, original) == 0
    assert characters(original, sentence("o rei apelou")) == pytest.approx(2 / 12)
    assert characters(original, sentence("o réu")) == pytest.approx(7 / 12)
    doubled = Sentence(original.tokens, spaces=("  ", " ", ""))
    assert characters(original, doubled) == pytest.approx(1 / 13)


def test_nothing_left_is_all_changed():
    assert characters(sentence("abc"), sentence("xyz")) == 1
    assert words(sentence("a b"), sentence("c d e")) == 1


def test_words_replaced_inserted_and_deleted_all_count():
    original = sentence("o réu apelou da sentença")
    assert words(original, sentence("o autor apelou da decisão")) == pytest.approx(2 / 5)
    assert words(original, sentence("réu apelou da sentença")) == pytest.approx(1 / 5)
    assert words(original, original) == 0


def test_a_sentence_drowned_in_filler_is_not_its_original():
    drowned = sentence("o x réu x apelou x da x sentença x")
    assert words(sentence("o réu apelou da sentença"), drowned) == pytest.approx(5 / 10)


def test_letter_case_and_spacing_are_no_matter_of_words_alone():
    assert words(sentence("A b"), sentence("a b")) == pytest.approx(1 / 2)
    assert words(sentence("a b"), Sentence(("a", "b"), spaces=("   ", ""))) == 0
