"""A wrong sentence in a line: its words, and how they were cut instead."""

from abalo.core.documents.found import WrongUnit
from abalo.core.protocols.task import tasks


def line(gold, predicted):
    """The line of a record with these labels."""
    record = WrongUnit(
        sentence_id="s", seed=1, tokens=list("的孔雀石"), gold=gold, clean=predicted, predicted=predicted
    )
    return tasks()["segmentation"].report.line(record)


def test_words_cut_otherwise_stand_beside_what_was_predicted():
    assert line(["S", "B", "M", "E"], ["S", "S", "S", "S"]) == "的 [孔雀石 → 孔 雀 石]"
    assert line(["S", "S", "S", "S"], ["S", "B", "E", "S"]) == "的 [孔 雀 → 孔雀] 石"


def test_words_cut_alike_stand_as_they_are():
    assert line(["S", "B", "E", "S"], ["S", "B", "E", "S"]) == "的 孔雀 石"
