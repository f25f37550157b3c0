"""Options that begin with their own letters keep the order of letters when they move."""

from perturbations.families.choice import formattings, moving
from perturbations.families.choice.lettering import own_letters, reorder_options, without_letters
from tests.rows import every


@every(
    ("options", "plain"),
    [
        (["A) red", "B) blue"], ("red", "blue")),
        (["A. red", "B. blue"], ("red", "blue")),
        (["(a) red", "(b) blue"], ("red", "blue")),
        (["[A] red", "[B] blue"], ("red", "blue")),
        (["A: red", "B: blue"], ("red", "blue")),
        (["a - red", "b - blue"], ("red", "blue")),
        (["(A)red", "(B)blue"], ("red", "blue")),
        (["1. red", "2. blue"], ("red", "blue")),
        (["A) 3.5", "B) A. Smith"], ("3.5", "A. Smith")),
    ],
)
def test_own_letters_are_found(options, plain):
    assert without_letters(options) == plain


@every(
    "options",
    [
        ["A", "B", "AB", "O"],
        ["A cat", "B flat"],
        ["A) red", "C) blue"],
        ["A) red", "b) blue"],
        ["A) red", "blue"],
        ["B) red", "A) blue"],
        ["A.M.", "B.M."],
        ["1.5", "2.5"],
        ["A)", "B)"],
        ["1:2", "2:3"],
    ],
)
def test_other_beginnings_are_words(options):
    assert own_letters(options) is None
    assert without_letters(options) == tuple(options)


def test_letters_stay_in_their_places_when_options_move():
    assert reorder_options(["(a) red", "(b) blue", "(c) 3"], (2, 1, 0)) == ("(a) 3", "(b) blue", "(c) red")
    assert reorder_options(["red", "blue"], (1, 0)) == ("blue", "red")


def test_a_reordered_question_shows_the_letters_of_the_new_places():
    options = ["A) red", "B) green", "C) blue", "D) All of the above"]
    assert moving(options) == (0, 1, 2)
    made = {each.id: each for each in formattings("Which one is it?", options, 5, "en")}
    (edit,) = made["pert:order_swap"].moves
    assert edit.tokens == ("A) blue", "B) green", "C) red", "D) All of the above")
    assert edit.origins == ((2,), (1,), (0,), (3,))
