"""Worst examples as plain values."""

import pytest

from abalo.core.documents.found import WorstExample
from abalo.run.tables import changed_example


def edits(tokens: str, new: str, origins: list[list[int]], edited: list[int], removed: list[int]) -> tuple:
    example = WorstExample(
        tokens=tokens.split(), new_tokens=new.split(), origins=origins, edited=edited, removed=removed, new_gold=None
    )
    return changed_example(example).edits


@pytest.mark.parametrize(
    ("tokens", "new", "origins", "edited", "removed", "expected"),
    [
        ("a b c", "a X c", [[0], [1], [2]], [1], [], (("b", "X"),)),
        ("a b c", "X Y c", [[0], [1], [2]], [0, 1], [], (("a", "X"), ("b", "Y"))),
        ("a b", "a X Y b", [[0], [], [], [1]], [1, 2], [], (("", "X Y"),)),
        ("a b c", "a X c", [[0], [], [2]], [1], [1], (("b", "X"),)),
        ("a b", "X Y b", [[0], [0], [1]], [0, 1], [], (("a", "X Y"),)),
        ("a b c d", "X d", [[0, 1], [3]], [0], [2], (("a b", "X"), ("c", ""))),
        ("a b c d", "b", [[1]], [], [0, 2, 3], (("a", ""), ("c d", ""))),
        ("a", "a", [[0]], [], [], ()),
    ],
)
def test_each_change_is_its_old_and_its_new_text(tokens, new, origins, edited, removed, expected):
    assert edits(tokens, new, origins, edited, removed) == expected


def test_an_example_without_a_change_is_its_own_variant():
    found = changed_example(WorstExample(tokens=["a", "b"], gold=["O", "O"], new_gold=("O", "O"), predicted=("O", "X")))
    assert (found.before, found.after, found.gold, found.predicted) == ("a b", "a b", ["O", "O"], ["O", "X"])
