"""Sentences by their labelled spans."""

import pytest

from abalo.slices import slices
from perturbations import Sentence, parse


@pytest.mark.parametrize(
    ("which", "held"),
    [("several", [False, True, True]), ("mixed", [False, False, True])],
)
def test_spans_are_counted_or_their_types(which, held):
    part = slices()["several_spans"]
    texts = ["a [b X]", "[a X] [b X]", "[a X] [b Y]"]
    cut = part.cut(None, part.configured(which=which))
    assert [cut.holds(parse(text)) for text in texts] == held
    assert not cut.holds(Sentence(("a",)))
