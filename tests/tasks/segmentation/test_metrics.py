"""Precision, recall, F1 and OOV recall of words, worked out by hand."""

import numpy as np
import pytest

from abalo.core.records.outcome import Outcome
from abalo.corpora.examples import example_of, variant_of
from abalo.corpora.word_labels import sentence_of
from abalo.models.labelling.prediction import Prediction
from abalo.models.segmenters.word_lists import labels_of_words
from abalo.tasks.segmentation.metrics.words import (
    LENGTHS,
    clean_f1,
    f1,
    f1_drop,
    oov_recall,
    precision,
    recall,
    word_counts,
)
from perturbations import Edit, Sentence, apply

GOLD = sentence_of(["我们", "看", "电视", "。"])


def outcome(sentence, cut, made=None, cut_now=None, seen=None):
    clean = Prediction(labels_of_words(sentence, cut, "m"))
    example = example_of(sentence)
    example = type(example)(example.id, example.fields, example.cluster, source=seen)
    if made is None:
        return Outcome(example, 1, clean, None, clean)
    now = Prediction(labels_of_words(made.sentence, cut_now, "m"))
    return Outcome(example, 1, clean, variant_of(example, made), now)


def sums(*outcomes):
    return word_counts(outcomes, "structural", LENGTHS).sum(axis=(0, 1))


def test_a_word_is_found_where_both_its_ends_are_right():
    """我们 | 看电视 | 。 finds 2 of 4 gold words with 3 predicted ones."""
    counted = sums(outcome(GOLD, ["我们", "看电视", "。"]))
    assert [float(each(counted)) for each in (precision, recall, f1)] == pytest.approx([2 / 3, 2 / 4, 4 / 7])


def test_words_count_in_the_group_of_their_length():
    (rows,) = word_counts([outcome(GOLD, ["我们", "看电视", "。"])], "structural", LENGTHS)
    found, predicted, gold = rows[:, 3], rows[:, 4], rows[:, 5]
    assert found.tolist() == [1, 1, 0, 0]
    assert predicted.tolist() == [1, 1, 1, 0]
    assert gold.tolist() == [2, 2, 0, 0]


def test_a_cut_inside_a_run_makes_the_words_that_it_cuts_wrong():
    """买 iPhone6 s: the prediction 买i | Phone6 is no word of gold, and two predicted ones."""
    counted = sums(outcome(sentence_of(["买", "iPhone6", "吧"]), ["买i", "Phone6", "吧"]))
    assert counted[:3].tolist() == [1, 3, 3]


def test_a_word_with_an_unlabelled_character_counts_on_neither_side():
    """Behind 我们看电视 a mark is put in without a label: what is predicted across it does not count."""
    made = apply(GOLD, [Edit(5, 5, ("！",), spaces=("",))])
    counted = sums(outcome(GOLD, ["我们", "看", "电视", "。"], made, ["我们", "看", "电视！", "。"]))
    assert counted[:3].tolist() == [4, 4, 4]
    assert counted[3:6].tolist() == [3, 3, 4]
    assert float(f1_drop(counted)) == pytest.approx(1 - 6 / 7)


def test_the_words_of_sentences_that_are_joined_do_not_count():
    made = apply(GOLD, [Edit(6, 6, ("好",), ("S",), spaces=("",))])
    made = type(made)(made.sentence, made.origins, made.edits, joined=1)
    counted = sums(outcome(GOLD, ["我们", "看", "电视", "。"], made, ["我们", "看", "电视", "。", "好"]))
    assert counted[3:6].tolist() == [4, 4, 4]


def test_oov_recall_is_about_words_that_the_training_list_lacks():
    counted = sums(outcome(GOLD, ["我们", "看电视", "。"], seen={"我们", "。"}))
    assert float(oov_recall(counted)) == 0.0
    counted = sums(outcome(GOLD, ["我们", "看", "电", "视", "。"], seen={"我们", "。"}))
    assert float(oov_recall(counted)) == 0.5
    assert np.isnan(oov_recall(sums(outcome(GOLD, ["我们", "看电视", "。"]))))


def test_a_text_of_which_nothing_is_found_has_an_f1_of_0():
    counted = sums(outcome(Sentence(("看", "书"), ("S", "S"), ("", ""), policy="bmes"), ["看书"]))
    assert [float(each(counted)) for each in (precision, recall, f1, clean_f1)] == [0, 0, 0, 0]
