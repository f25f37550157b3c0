"""Broken links are shown in their place."""

import pytest

from abalo.core.documents.blocks import Examples, Mark
from abalo.core.documents.found import Result, WorstExample, WrongUnit
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.tasks.coreference.blocks import sentences
from tests.reporting.documents import sample

REPORT = tasks()["coreference"].report

TOKENS = ["Ana", "sings", ".", "A", "dog", "barks", "at", "her", "."]

LINKED = ["(0)", "", "", "(1", "1)", "", "", "(0)", ""]

APART = ["(0)", "", "", "(1", "1)", "", "", "", ""]


def shown(example, perturbs=True):
    kind = {"probe": "perturbation"} if perturbs else {"probe": "baseline"}
    found = {**sample()["results"][1], **kind, "task": "coreference"}
    result = typed.read(Result, {**found, "examples": [example]})
    (block,) = sentences(result, None)
    assert isinstance(block, Examples)
    return block.examples[0]


def marks(example, perturbs=True):
    """The marks of each sentence: words, and label."""
    return [
        [(" ".join(piece.parts), piece.kind, piece.label) for piece in sentence.pieces if isinstance(piece, Mark)]
        for sentence in shown(example, perturbs).sentences
    ]


def example(clean, predicted):
    """A document without edits, in which Ana and her are linked in gold."""
    shown = {"sentence_id": "s", "seed": 1, "broken": 1, "tokens": TOKENS, "new_tokens": TOKENS, "edited": []}
    places = {"origins": [[k] for k in range(len(TOKENS))], "removed": [], "targets": [], "new_targets": []}
    labels = {"gold": LINKED, "clean": clean, "new_gold": LINKED, "predicted": predicted}
    return typed.as_json(typed.read(WorstExample, {**shown, **places, **labels}))


def test_a_link_that_the_change_broke_is_shown_before_and_after():
    assert marks(example(LINKED, APART)) == [[("her", "found", "= Ana")], [("her", "lost", "≠ Ana")]]


def test_a_link_that_was_broken_before_is_shown_where_no_other_is():
    assert marks(example(APART, APART)) == [[("her", "lost", "≠ Ana")], [("her", "lost", "≠ Ana")]]


@pytest.mark.parametrize(("broken", "told"), [(2, False), (5, True)])
def test_of_more_broken_links_than_are_shown_that_is_said(broken, told):
    caption = shown(example(LINKED, APART) | {"broken": broken}).caption.text
    assert ("at most 2" in caption) == told
    assert caption.endswith(")")


def test_a_record_tells_its_broken_links_in_place():
    record = WrongUnit(sentence_id="s", seed=1, tokens=TOKENS, gold=LINKED, clean=LINKED, predicted=APART)
    assert REPORT.line(record) == "Ana sings . A dog barks at [her ≠ Ana] ."


def test_words_far_from_a_broken_link_are_left_out():
    far = ["x"] * 40
    record = WrongUnit(
        sentence_id="s",
        seed=1,
        tokens=[*far, *TOKENS],
        gold=[*[""] * 40, *LINKED],
        clean=[*[""] * 40, *LINKED],
        predicted=[*[""] * 40, *APART],
    )
    assert REPORT.line(record) == "… x x x x Ana sings . A dog barks at [her ≠ Ana] ."
