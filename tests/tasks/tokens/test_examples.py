"""Sentences that a change hurt, whatever an error is, and the record of all that are wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.documents.document import Document
from abalo.core.protocols.task import tasks
from abalo.core.protocols.task_report import EXAMPLES
from abalo.core.records import json_records as typed
from abalo.tasks.tokens.examples import worst, wrong
from abalo.tasks.tokens.marked import EDITS, Marking
from abalo.tasks.tokens.marked import worst as worst_shown
from perturbations import Edit, apply, parse
from tests.reporting.documents import sample
from tests.scripted import outcome

ANA = parse("[Ana PER] saiu")
CHANGED = apply(ANA, [Edit(0, 1, ("Anna",))])
INSERTED = apply(ANA, [Edit(0, 0, ("hoje",))])


def changed(number: int, seed: int = 1):
    """A sentence of its own for each number, changed."""
    sentence = parse(f"[Ana{number} PER] saiu")
    return outcome(sentence, None, apply(sentence, [Edit(1, 2, ("sai",))]), ["O", "O"], seed)


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(-2, 5)), max_size=40), st.randoms())
def test_the_worst_of_each_sentence_come_first_in_whatever_order(pairs, random):
    outcomes = [changed(number, seed) for number, seed in pairs]
    found = worst(outcomes, lambda each: each.seed)
    by_sentence = {}
    for number, seed in pairs:
        by_sentence[number] = max(seed, by_sentence.get(number, 0))
    assert [each["broken"] for each in found] == sorted(filter(None, by_sentence.values()), reverse=True)[:EXAMPLES]
    assert len({each["sentence_id"] for each in found}) == len(found)
    random.shuffle(outcomes)
    again = worst(outcomes, lambda each: each.seed)
    assert [each["sentence_id"] for each in again] == [each["sentence_id"] for each in found]


def test_errors_of_a_variant_are_those_that_the_change_added_in_the_requested_view():
    ner = tasks()["ner"].report
    unchanged, longer = outcome(ANA, ["O", "O"]), outcome(ANA, None, INSERTED, ["O", "O", "O"])
    assert ner.examples([unchanged], "padded") == []
    assert [[each["broken"] for each in ner.examples([longer], view)] for view in ("projected", "padded")] == [[1], [1]]
    kept = outcome(ANA, None, INSERTED, ["O", "B-PER", "O"])  # right, but not at its old position
    assert [len(ner.examples([kept], view)) for view in ("projected", "padded")] == [0, 1]


@pytest.mark.parametrize(
    ("made", "clean", "predicted", "recorded"),
    [
        (None, "B", None, False),
        (None, "O", None, True),
        (CHANGED, "B", "B", False),
        (CHANGED, "B", "O", True),
        (CHANGED, "O", "B", True),
    ],
    ids=["right", "wrong clean", "right twice", "wrong changed", "mended by the change"],
)
def test_whatever_is_wrong_clean_or_changed_is_recorded(made, clean, predicted, recorded):
    tags = {"B": ["B-PER", "O"], "O": ["O", "O"], None: None}
    found = list(wrong([outcome(ANA, tags[clean], made, tags[predicted], seed=4)]))
    assert len(found) == recorded
    for record in found:
        assert json.loads(json.dumps(record)) == {
            "sentence_id": outcome(ANA).example.id,
            "seed": 4,
            "tokens": ["Ana", "saiu"],
            "gold": ["B-PER", "O"],
            "clean": tags[clean],
            "edits": [] if made is None else [{"start": 0, "stop": 1, "tokens": ["Anna"]}],
            "predicted": tags[predicted or clean],
        }


def test_labels_of_a_changed_sentence_are_right_where_its_own_gold_has_them():
    longer = apply(ANA, [Edit(0, 0, ("então",))])
    assert list(wrong([outcome(ANA, None, longer, ["O", "B-PER", "O"])])) == []
    assert len(list(wrong([outcome(ANA, None, longer, ["B-PER", "O", "O"])]))) == 1


@pytest.mark.parametrize(("name", "number"), [("accents", 0), ("accents", 1), ("baseline", 0)])
def test_only_a_bounded_case_of_a_perturbation_says_that_nothing_got_worse(name, number):
    results = [each for each in typed.read(Document, sample()).results if each.name == name]
    marking = Marking(lambda _: (), lambda _: (), "error", "a label")
    assert len(worst_shown(results[number], marking, EDITS)) == ((name, number) == ("accents", 0))
