"""How much of a sentence a success took, counted by hand."""

import numpy as np
import pytest

from abalo.core.protocols.task import tasks
from abalo.core.statistics.search_metrics import BROKEN, PERTURBED, count_searches
from perturbations import Edit
from tests.attacks.test_analysis import attacked

NER = tasks()["ner"]


@pytest.mark.parametrize(
    ("edits", "share"),
    [
        ([Edit(0, 1, ("via",))], 1 / 4),
        ([Edit(0, 1, ("vi", "a"))], 1 / 4),  # one word made two is one that changed
        ([Edit(5, 5, ("Lee",))], 1 / 5),  # a word put in is one more word
        ([Edit(0, 1, ("via",)), Edit(2, 2, ("tão", "bem"))], 3 / 6),
        ([Edit(1, 3, ())], 2 / 4),
        ([Edit(3, 4, ("Eva",), ("B-P",))], 0),  # the entity is no word that may be replaced
    ],
)
def test_words_that_are_put_in_are_changed_words(edits, share):
    """Of *viu o mar [Ana P] hoje* four words may be replaced."""
    labels = " ".join(["O"] * (5 + sum(len(edit.tokens) - (edit.stop - edit.start) for edit in edits)))
    found = attacked("viu o mar [Ana P] hoje", edits, labels)
    (row,) = count_searches([found], 1, lambda each: (0,), NER.targets.seen, lambda each: [0, 1, 2, 4])[:, 0]
    assert row[BROKEN] == 1
    assert np.isclose(row[PERTURBED], share)
