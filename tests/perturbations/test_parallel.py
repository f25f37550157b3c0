"""Changes that a text shares with its translations, by hand."""

import pytest

from perturbations import Edit, Partner, Sentence, apply, find
from perturbations.families.parallel.swap_parallel_same_word import invent_word, is_name
from perturbations.parallel import follow_edits, sign_of, write_digits
from tests.rows import every


def beside(text, *others):
    partners = tuple(Partner(f"reference {k}", tuple(other.split()), entails=True) for k, other in enumerate(others))
    return Sentence(tuple(text.split()), layers=partners)


def both(name, text, other, seed=1):
    """The variants of a text and of its translation."""
    made = find(name).sample(beside(text, other), seed=seed)
    if made is None:
        return None
    assert made.relation == "parallel"
    translation = Sentence(tuple(other.split()))
    edits = follow_edits(beside(text, other), made.edits, translation)
    return made.sentence.text, apply(translation, edits).sentence.text


@every(("token", "sign"), [("1.500", "1500"), ("1,500", "1500"), ("3,5", "35"), ("18th", "18th"), ("7:30", "7:30")])
def test_numbers_have_their_digits_in_common(token, sign):
    assert sign_of(token) == sign


def test_digits_keep_the_marks_of_each_language():
    assert write_digits("7312", "1.500") == "7.312"
    text, other = Sentence(("custa", "1.500", "reais")), Sentence(("it", "costs", "1,500", "reais"))
    assert follow_edits(text, [Edit(1, 2, ("7.312",))], other) == [Edit(2, 3, ("7,312",))]


def test_what_stands_at_an_end_stands_there_in_both():
    text, other = Sentence(("oi", "!")), Sentence(("hi",))
    assert follow_edits(text, [Edit(0, 0, ("@a",)), Edit(2, 2, ("@b",))], other) == [
        Edit(0, 0, ("@a",)),
        Edit(1, 1, ("@b",)),
    ]


@pytest.mark.parametrize("edit", [Edit(1, 1, ("@a",)), Edit(0, 1, ()), Edit(0, 1, ("O",)), Edit(1, 2, ("?",))])
def test_an_edit_without_a_place_in_the_translation_is_an_error(edit):
    with pytest.raises(ValueError, match="has no place in the translation"):
        follow_edits(Sentence(("oi", "!")), [edit], Sentence(("hi", "!", "!")))


def test_a_number_changes_on_both_sides():
    text, other = both("swap_parallel_num", "ela tem 40 livros", "she has 40 books")
    (new,) = (word for word in text.split() if word.isdigit())
    assert new != "40"
    assert 10 <= int(new) <= 59
    assert (text, other) == (f"ela tem {new} livros", f"she has {new} books")


@every(
    ("text", "other"),
    [
        ("ela tem 40 livros", "she has forty books"),
        ("ela tem 40 livros e 40 gatos", "she has 40 books and cats"),
        ("ela tem 1 livro", "she has 1 book"),
        ("um voo de 18 horas", "an 18 hour flight"),
        ("hoje é 18 de junho", "today is June 18th"),
        ("sala 007", "room 007"),
    ],
)
def test_other_numbers_stay(text, other):
    assert all(both("swap_parallel_num", text, other, seed) is None for seed in range(9))


def test_a_year_changes_by_nine_years_at_most():
    made = {both("swap_parallel_num", "em 1980", "in 1980", seed)[0].split()[1] for seed in range(200)}
    assert made == {str(year) for year in range(1971, 1990)} - {"1980"}


def test_a_name_becomes_the_same_word_on_both_sides():
    text, other = both("swap_parallel_same_word", "o Tom viu Boston", "Tom saw Boston")
    _, first, _, second = text.split()
    assert other == f"{first} saw {second}"
    assert {first, second}.isdisjoint({"Tom", "Boston"})
    assert first.istitle()


@every("word", ["No", "Do", "tom", "TOM", "To", "Hotel", "T0m"])
def test_what_need_not_be_a_name_stays(word):
    assert not is_name(word)
    assert both("swap_parallel_same_word", f"{word} foi", f"{word} went") is None


def test_invented_words_are_pronounceable_and_known_in_no_list():
    words = [invent_word("Sepideh", number) for number in range(300)]
    assert len({*words}) > 290
    for word in words:
        assert len(word) == 7
        assert all((char in "aeiou") is bool(place % 2) for place, char in enumerate(word.lower()))
    assert len(invent_word("Tom", 0)) == 5


def test_all_references_share_a_change():
    text = beside("ela tem 40 livros", "she has 40 books", "she owns 40 books")
    assert find("swap_parallel_num").fits(text)
    assert not find("swap_parallel_num").fits(beside("ela tem 40 livros", "she has 40 books", "she has forty books"))


def test_a_handle_or_link_is_added_at_the_same_end():
    ends = {both("parallel_twitter_type", "oi você", "hi you", seed) for seed in range(60)}
    assert all(text.replace("oi você", "hi you") == other for text, other in ends)
    assert {text.startswith("oi") for text, _ in ends} == {True, False}
