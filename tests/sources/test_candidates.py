"""The treatment of candidates that all sources share."""

from hypothesis import given
from hypothesis import strategies as st

from abalo.sources import Synonym
from abalo.sources.candidates import fit_candidates

letters = st.text("aAéÉsSßẞ ", min_size=1, max_size=3).filter(str.strip)


def test_they_come_in_the_letter_case_of_the_word():
    found = [("cat", 0.9), ("Rex", 0.8)]
    assert [synonym.word for synonym in fit_candidates("dog", found, 9)] == ["cat", "Rex"]
    assert [synonym.word for synonym in fit_candidates("Dog", found, 9)] == ["Cat", "Rex"]
    assert [synonym.word for synonym in fit_candidates("DOG", found, 9)] == ["CAT", "REX"]


def test_of_those_that_fall_together_the_first_counts():
    assert fit_candidates("DOG", [("cat", 0.9), ("Cat", 0.8), ("pup", 0.7)], 2) == (
        Synonym("CAT", 0.9),
        Synonym("PUP", 0.7),
    )


@given(st.text("aAéÉsSßẞ", min_size=1, max_size=3), st.lists(st.tuples(letters, st.floats(-1, 1))), st.integers(1, 5))
def test_they_are_distinct_single_words_other_than_the_word_and_no_more_than_asked(word, ranked, most):
    found = [synonym.word for synonym in fit_candidates(word, ranked, most)]
    assert len(found) == len(set(found)) <= most
    assert all(other.split() == [other] for other in found)
    assert word not in found
