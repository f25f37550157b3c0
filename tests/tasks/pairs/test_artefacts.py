"""Baselines that do not compare the sentences, on corpora made to fool or to suit them."""

from abalo.corpora.running_text import running_text
from abalo.tasks.pairs.artefacts import artefacts, suspicious
from abalo.tasks.pairs.pair import example_of
from abalo.tasks.pairs.relations import Relations
from tests.texts import TextWith

LABELS = Relations(("contradiction", "entailment"))


def pair(premise, hypothesis, label):
    return example_of(running_text(premise), running_text(hypothesis), (label,), LABELS)


def test_a_word_of_the_hypothesis_that_tells_the_label_is_found():
    found = artefacts(
        [
            pair(f"one{k} runs", f"it{k} {'never' if k % 2 else 'often'} rests", LABELS.labels[k % 2 == 0])
            for k in range(100)
        ]
    )
    assert (found["commonest_label"], found["hypothesis_only"], found["pairs"]) == (0.5, 1.0, 100)
    assert found["premise_only"] < 0.7
    assert suspicious(found) == [TextWith("second sentence (accuracy 1.000)")]


def test_overlap_that_tells_the_label_is_found():
    same = [pair(f"a{k} b{k} c{k}", f"a{k} b{k}", "entailment") for k in range(40)]
    other = [pair(f"a{k} b{k} c{k}", f"x{k} y{k}", "contradiction") for k in range(40)]
    found = artefacts([*same, *other])
    assert found["overlap_only"] == 1.0
    assert suspicious(found) == [TextWith("share of words")]


def test_of_few_pairs_nothing_is_said_and_copies_are_one():
    few = [pair(f"a{k % 10}", "b", "entailment") for k in range(100)]
    assert artefacts(few) is None
    assert suspicious(None) == []
