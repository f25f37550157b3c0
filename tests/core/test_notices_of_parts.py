"""Notices of a corpus that is read in parts are those of all parts."""

from typing import Any

from abalo.core.protocols.task_report import EXAMPLES, TaskReport
from abalo.core.records.tally import Tally


def whole(*notices: list[str]) -> list[str]:
    task: Any = object()
    parts = [{"model": {}, "corpus": {"sentences": 2, "notices": own}, "tally": []} for own in notices]
    found = TaskReport(task).whole_facts(parts)["corpus"]
    assert found["sentences"] == 2 * len(parts)
    told: list[str] = found["notices"]
    return told


def test_every_part_tells_what_it_left_out_and_equal_lines_stand_once():
    assert whole(["same", "left out 1"], ["same"], ["left out 2"]) == ["same", "left out 1", "left out 2"]


def test_many_lines_are_shortened_and_the_rest_is_counted():
    found = whole(*([f"left out {number}"] for number in range(EXAMPLES + 3)))
    assert found == [*(f"left out {number}" for number in range(EXAMPLES)), "3 more notices about parts of the corpus."]


def test_losses_of_parts_are_one_line():
    tallies = [Tally(), Tally(), Tally()]
    for number, each in enumerate(tallies):
        each.read("text", 10)
        each.left_out("text", "without a label", number)
    task: Any = object()
    parts = [{"model": {}, "corpus": {"notices": ["same", *each.lines()]}, "tally": each.to_json()} for each in tallies]
    found = TaskReport(task).whole_facts(parts)
    assert found["corpus"]["notices"] == ["same", "Read 30 texts; left out 3 texts without a label."]
    assert "tally" not in found
